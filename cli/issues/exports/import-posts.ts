import { findImportedPosts, type ImportedPost, importPosts } from "#newsletter/import-posts.ts";
import type { OpenStore } from "#server/open-store.ts";
import type { CommandContext } from "../../command-context.ts";
import { formatProblem, type Problem } from "../../command-error.ts";
import type { CommandResult } from "../../site-command.ts";
import { amount, confirmOrEnd, startProgress } from "../../terminal.ts";
import { formatBytes } from "../../text-files.ts";
import { issueBodyMaxLength, issueTitleMaxLength } from "../issue-fields.ts";
import { createPictureFetching, type PictureFetching } from "./fetch-pictures.ts";
import type { OpenExport } from "./open-export.ts";
import type { ExportedPost } from "./read-exports.ts";
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
  exported: OpenExport,
  options: ImportPostsOptions,
): Promise<CommandResult> {
  return await context.withStore(async (store) => {
    const present = await findImportedPosts(
      store.db,
      exported.posts.map(({ source }) => source),
    );
    const wanted = exported.posts
      .filter(({ omitted, source }) => omitted === null && !present.has(source))
      .sort((a, b) => a.publishDate.localeCompare(b.publishDate));
    const problems: Problem[] = [...exported.problems];
    const report = (problem: Problem) => {
      if (!context.json) context.io.stderr.write(`${formatProblem(problem)}\n`);
    };
    problems.forEach(report);
    if (!context.json) {
      const table = exportTable(context, exported, { present, ...options });
      context.io.stderr.write(`${table}\n`);
    }
    if (options.dryRun !== true && wanted.length > 0) {
      await confirmOrEnd(context, options, `Publish ${amount(wanted.length, "issue")}?`);
    }
    const onProblem = (problem: Problem) => {
      problems.push(problem);
      report(problem);
    };
    const isDry = options.dryRun === true;
    const imported = await publish(context, store, wanted, { isDry, onProblem });
    const pictures = options.fetchPictures ? createPictureFetching() : null;
    const settled = isDry
      ? null
      : await settle(context, store, exported, { site: options.site ?? null, pictures, onProblem });
    const alreadyThere = exported.posts.filter(({ source }) => present.has(source)).length;
    const omitted = exported.posts.filter((post) => post.omitted !== null).length;
    return {
      json: {
        dryRun: isDry,
        from: exported.program,
        imported,
        alreadyThere,
        omitted,
        ...(settled && {
          links: settled.links,
          oldAddresses: settled.oldAddresses,
          pictures: pictures?.fetched ?? null,
        }),
        problems,
      },
      text: [
        isDry
          ? `Nothing was imported (--dry-run). ${amount(imported, "issue")} would be.`
          : `Imported ${amount(imported, "issue")} from ${exported.program}.`,
        `  there already ${alreadyThere}`,
        `  left out      ${omitted}`,
        `  problems      ${problems.length}`,
        ...(settled ? settledLines(settled, pictures?.fetched ?? null) : []),
      ].join("\n"),
      exitCode: problems.length > 0 ? 1 : 0,
    };
  });
}

/** Returns how many were published, or would be. One body at a time is in memory. */
async function publish(
  context: CommandContext,
  { db }: OpenStore,
  wanted: ExportedPost[],
  { isDry, onProblem }: { isDry: boolean; onProblem: (problem: Problem) => void },
): Promise<number> {
  const progress = startProgress(context.io.stderr, isDry ? "Checking posts" : "Importing posts");
  let read = 0;
  async function* readable(): AsyncGenerator<ImportedPost> {
    for (const { source, slug, title, publishDate, place, readBody } of wanted) {
      const body = await readBody();
      read += 1;
      progress.step(read, wanted.length);
      const fault = body.ok ? tooLong(title, body.html) : body.message;
      if (fault !== null) onProblem({ ...place, message: fault });
      else if (body.ok) yield { source, slug, title, html: body.html, publishDate };
    }
  }
  try {
    if (!isDry) return await importPosts(db, readable());
    let readableCount = 0;
    for await (const _ of readable()) readableCount += 1;
    return readableCount;
  } finally {
    progress.end();
  }
}

async function settle(
  context: CommandContext,
  { db }: OpenStore,
  exported: OpenExport,
  options: {
    site: string | null;
    pictures: PictureFetching | null;
    onProblem: (problem: Problem) => void;
  },
): Promise<Settled> {
  const words = options.pictures ? "Fetching pictures, issue by issue" : "Looking at links";
  const progress = startProgress(context.io.stderr, words);
  return await settlePosts(db, exported, {
    ...options,
    now: context.now,
    onProgress: progress.step,
  }).finally(progress.end);
}

function settledLines(
  { links, oldHost, oldAddresses }: Settled,
  pictures: { count: number; bytes: number } | null,
): string[] {
  const shown = oldAddresses.slice(0, oldAddressesShown);
  const more = oldAddresses.length - shown.length;
  return [
    `  links changed ${links}, to lead from one issue to another here`,
    ...(pictures
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
  exported: OpenExport,
  { present, fetchPictures }: { present: Map<string, number>; fetchPictures?: boolean },
): string {
  const { posts, program } = exported;
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
  const more = posts.length - shownMax;
  return [
    `An export of ${program}: ${posts.length} posts.`,
    table,
    ...(more > 0 ? [`and ${more} more`] : []),
    fetchPictures
      ? "Pictures are fetched from where they were published, and stored here."
      : "Pictures stay at the addresses where they were published.",
    "",
  ].join("\n");
}
