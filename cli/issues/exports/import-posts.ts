import { findImportedPosts, importPost } from "#newsletter/issues.ts";
import type { CommandContext } from "../../command-context.ts";
import { formatProblem, type Problem } from "../../command-error.ts";
import type { CommandResult } from "../../site-command.ts";
import { amount, confirmOrEnd, startProgress } from "../../terminal.ts";
import { formatBytes } from "../../text-files.ts";
import { issueBodyMaxLength, issueTitleMaxLength } from "../issue-fields.ts";
import { fetchPicture } from "./fetch-pictures.ts";
import type { ExportedPost, PostExport } from "./read-exports.ts";
import { type Settled, settlePosts } from "./settle-posts.ts";

/** Rows of the table that is shown before the question. */
const shownMax = 60;
/** Addresses in the text of the answer; JSON has all. */
const oldAddressesShown = 20;

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
  { yes, dryRun = false, site, fetchPictures = false }: ImportPostsOptions,
): Promise<CommandResult> {
  const { stderr } = context.io;
  const problems: Problem[] = [];
  function onProblem(problem: Problem): void {
    problems.push(problem);
    if (!context.json) stderr.write(`${formatProblem(problem)}\n`);
  }
  return await context.withStore(async ({ db }) => {
    const { posts, program } = exported;
    const present = await findImportedPosts(
      db,
      posts.map(({ source }) => source),
    );
    const wanted = posts
      .filter(({ omitted, source }) => omitted === null && !present.has(source))
      .sort((a, b) => a.publishDate.localeCompare(b.publishDate));
    exported.problems.forEach(onProblem);
    if (!context.json) {
      const pictures = fetchPictures
        ? "Pictures are fetched from where they were published, and stored here."
        : "Pictures stay at the addresses where they were published.";
      stderr.write(`${exportTable(context, exported, present)}\n${pictures}\n\n`);
    }
    if (!dryRun && wanted.length > 0) {
      await confirmOrEnd(context, { yes }, `Publish ${amount(wanted.length, "issue")}?`);
    }

    let imported = 0;
    const reading = startProgress(stderr, dryRun ? "Checking posts" : "Importing posts");
    for (const [index, post] of wanted.entries()) {
      const body = await post.readBody();
      const fault = body.ok ? tooLong(post.title, body.html) : body.message;
      if (fault !== null) onProblem({ ...post.place, message: fault });
      else if (dryRun || (body.ok && (await importPost(db, { ...post, html: body.html }))))
        imported += 1;
      reading.step(index + 1, wanted.length);
    }
    reading.end();

    const words = fetchPictures ? "Fetching pictures, issue by issue" : "Looking at links";
    const settling = startProgress(stderr, words);
    const settled = dryRun
      ? null
      : await settlePosts(db, exported, {
          site: site ?? null,
          fetchPicture: fetchPictures ? fetchPicture : null,
          now: context.now,
          onProblem,
          onProgress: settling.step,
        }).finally(settling.end);
    const alreadyThere = posts.filter(({ source }) => present.has(source)).length;
    const omitted = posts.filter((post) => post.omitted !== null).length;
    return {
      json: {
        dryRun,
        from: program,
        imported,
        alreadyThere,
        omitted,
        ...(settled && { ...settled, pictures: fetchPictures ? settled.pictures : null }),
        problems,
      },
      text: [
        dryRun
          ? `Nothing was imported (--dry-run). ${amount(imported, "issue")} would be.`
          : `Imported ${amount(imported, "issue")} from ${program}.`,
        `  there already ${alreadyThere}`,
        `  left out      ${omitted}`,
        `  problems      ${problems.length}`,
        ...(settled ? settledLines(settled, fetchPictures) : []),
      ].join("\n"),
      exitCode: problems.length > 0 ? 1 : 0,
    };
  });
}

function settledLines(
  { links, oldHost, oldAddresses, pictures }: Settled,
  fetched: boolean,
): string[] {
  const shown = oldAddresses.slice(0, oldAddressesShown);
  const more = oldAddresses.length - shown.length;
  return [
    `  links changed ${links}, to lead from one issue to another here`,
    ...(fetched
      ? [`  pictures      ${pictures.count} fetched, ${formatBytes(pictures.bytes)}`]
      : []),
    ...(oldHost === null
      ? ["Which address was the old site's, the posts don't show: --site says it."]
      : shown.length > 0
        ? [`Still leading to ${oldHost}:`]
        : []),
    ...shown.map(({ address, title }) => `  ${address}  in "${title}"`),
    ...(more > 0 ? [`  and ${more} more: --json has them all`] : []),
  ];
}

function tooLong(title: string, html: string): string | null {
  if (title.length > issueTitleMaxLength) {
    return `the title is longer than ${issueTitleMaxLength} characters.`;
  }
  return html.length > issueBodyMaxLength
    ? `the post is longer than ${issueBodyMaxLength} characters.`
    : null;
}

function exportTable(
  context: CommandContext,
  { posts, program }: PostExport,
  present: ReadonlyMap<string, number>,
): string {
  const table = context.table<ExportedPost>(
    [
      { title: "Date", value: ({ publishDate }) => publishDate || "-" },
      { title: "Title", value: ({ title }) => title, flexible: true },
      { title: "Slug", value: ({ slug }) => slug, flexible: true },
      {
        title: "Becomes",
        value: ({ omitted, source }) => omitted ?? (present.has(source) ? "there already" : "new"),
      },
    ],
    posts.slice(0, shownMax),
    "No posts.",
  );
  const more = posts.length > shownMax ? `\nand ${posts.length - shownMax} more` : "";
  return `An export of ${program}: ${posts.length} posts.\n${table}${more}`;
}
