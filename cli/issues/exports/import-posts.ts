import { findImportedPosts, importPost } from "#newsletter/issues.ts";
import type { CommandContext } from "../../command-context.ts";
import { formatProblem, type Problem } from "../../command-error.ts";
import { amount, confirmOrEnd, formatRows } from "../../terminal.ts";
import { formatBytes } from "../../text-files.ts";
import { issueBodyMaxLength, issueTitleMaxLength } from "../issue-fields.ts";
import { fetchPicture } from "./fetch-pictures.ts";
import type { PostExport } from "./read-exports.ts";
import { settlePosts } from "./settle-posts.ts";

type ImportPostsOptions = {
  yes?: boolean;
  dryRun?: boolean;
  site?: string;
  fetchPictures?: boolean;
};

/**
 * Shows what an export holds and what would become of it, asks, and publishes what isn't there yet, the oldest first. Then
 * makes the issues independent of the old site.
 */
export async function importExportedPosts(
  context: CommandContext,
  exported: PostExport,
  { yes, dryRun = false, site = "", fetchPictures = false }: ImportPostsOptions,
) {
  const say = (words: string) => context.json || context.io.stderr.write(`${words}\n`);
  const problems: Problem[] = [];
  function onProblem(problem: Problem): void {
    problems.push(problem);
    say(formatProblem(problem));
  }
  return await context.withStore(async ({ db }) => {
    const { posts, program } = exported;
    const sources = posts.map(({ source }) => source);
    const present = await findImportedPosts(db, sources);
    const wanted = posts
      .filter(({ omitted, source }) => omitted === null && !present.has(source))
      .sort((a, b) => a.publishDate.localeCompare(b.publishDate));
    exported.problems.forEach(onProblem);
    const rows = posts.map(({ publishDate, title, slug, omitted, source }) => ({
      Date: publishDate || "-",
      Becomes: omitted ?? (present.has(source) ? "there already" : "new"),
      Slug: slug,
      Title: title,
    }));
    say(`An export of ${program}: ${posts.length} posts.\n${formatRows(rows, "")}`);
    if (!dryRun && wanted.length > 0) {
      await confirmOrEnd(context, { yes }, `Publish ${amount(wanted.length, "issue")}?`);
    }

    let imported = 0;
    for (const post of wanted) {
      const body = await post.readBody();
      const fault = body.ok ? tooLong(post.title, body.html) : body.message;
      if (fault !== null) onProblem({ ...post.place, message: fault });
      else if (dryRun || (body.ok && (await importPost(db, { ...post, html: body.html })))) {
        imported += 1;
      }
    }
    const settled = dryRun
      ? null
      : await settlePosts(db, exported, {
          site: site || null,
          fetchPicture: fetchPictures ? fetchPicture : null,
          now: context.now,
          onProblem,
        });
    const alreadyThere = posts.filter(({ source }) => present.has(source)).length;
    const omitted = posts.filter((post) => post.omitted !== null).length;
    const pictures = fetchPictures && settled ? settled.pictures : null;
    const { links = 0, oldHost = null, oldAddresses = [] } = settled ?? {};
    return {
      json: {
        ...{ dryRun, from: program, imported, alreadyThere, omitted },
        ...(settled && { ...settled, pictures }),
        problems,
      },
      text: [
        dryRun
          ? `Nothing was imported (--dry-run). ${amount(imported, "issue")} would be.`
          : `Imported ${amount(imported, "issue")} from ${program}.`,
        `  there already ${alreadyThere}`,
        `  left out      ${omitted}`,
        `  problems      ${problems.length}`,
        ...(settled ? [`  links changed ${links}, to lead from one issue to another here`] : []),
        ...(pictures ? [`  pictures      ${pictures.count}, ${formatBytes(pictures.bytes)}`] : []),
        ...(settled && oldHost === null
          ? ["Which address was the old site's, the posts don't show: --site says it."]
          : []),
        ...(oldAddresses.length > 0 ? [`Still leading to ${oldHost}:`] : []),
        ...oldAddresses.map(({ address, title }) => `  ${address}  in "${title}"`),
      ].join("\n"),
      failed: problems.length > 0,
    };
  });
}

function tooLong(title: string, html: string): string | null {
  if (title.length > issueTitleMaxLength) {
    return `the title is longer than ${issueTitleMaxLength} characters.`;
  }
  return html.length > issueBodyMaxLength
    ? `the post is longer than ${issueBodyMaxLength} characters.`
    : null;
}
