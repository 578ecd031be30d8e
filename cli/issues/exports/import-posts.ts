import { amount, formatBytes } from "#content/amounts.ts";
import { chunks } from "#db/chunks.ts";
import type { Db } from "#db/tables.ts";
import { addressesIn, decoded, withAddresses } from "#issue-body/body-addresses.ts";
import {
  findImportedPosts,
  findIssue,
  fingerprintOf,
  importPost,
  issueBodyMaxLength,
  issueTitleMaxLength,
} from "#newsletter/issues.ts";
import { type Picture, picturePath } from "#newsletter/pictures.ts";
import { correctIssue } from "#operator/issues.ts";
import type { CommandContext } from "../../command-context.ts";
import { formatProblem, type Problem } from "../../command-error.ts";
import { confirmOrEnd, formatRows } from "../../terminal.ts";
import { type FetchedPicture, fetchPicture } from "./fetch-pictures.ts";
import type { ExportedPost, PostExport } from "./read-exports.ts";

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
      const fault = tooLong(post);
      if (fault !== null) onProblem({ ...post.place, message: fault });
      else if (dryRun || (await importPost(db, post))) imported += 1;
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

function tooLong({ title, html }: ExportedPost): string | null {
  if (title.length > issueTitleMaxLength) {
    return `the title is longer than ${issueTitleMaxLength} characters.`;
  }
  return html.length > issueBodyMaxLength
    ? `the post is longer than ${issueBodyMaxLength} characters.`
    : null;
}

type SettleOptions = {
  site: string | null;
  /** Null where pictures stay at the addresses where they were published. */
  fetchPicture: ((address: string) => Promise<FetchedPicture>) | null;
  now: () => Date;
  onProblem: (problem: Problem) => void;
};

const fetchesAtOnce = 4;

/**
 * Makes imported issues independent of the old site, those of earlier imports too: links from one post to another lead
 * to its issue here, and pictures are stored here where that is asked for. One body with its pictures is in memory.
 * Returns how many `links` lead to an issue here now, the old site's host where it is known, the links that still lead
 * there (each once a post), and the pictures that were stored.
 */
export async function settlePosts(
  db: Db,
  exported: Pick<PostExport, "posts" | "slugInPath">,
  { site, fetchPicture, now, onProblem }: SettleOptions,
) {
  const sources = exported.posts.map(({ source }) => source);
  const issues = await findImportedPosts(db, sources);
  const imported = exported.posts.flatMap((post) => {
    const id = issues.get(post.source);
    return id === undefined ? [] : [{ ...post, id }];
  });
  // A post without a slug had no address of its own.
  const bySlug = new Map(imported.flatMap(({ slug, id }) => (slug ? [[slug, id]] : [])));
  async function* bodies() {
    for (const { id } of imported) yield (await findIssue(db, id))?.html ?? "";
  }
  const oldSite = await findOldSite(exported, { site, bodies });
  const pictures = { count: 0, bytes: 0 };
  let links = 0;
  const oldAddresses: ({ address: string; title: string } & ExportedPost["place"])[] = [];
  for (const post of imported) {
    const report = (words: string) =>
      onProblem({ ...post.place, message: `"${post.title}"${words}` });
    const issue = await findIssue(db, post.id);
    if (!issue) continue;
    const { html: body } = issue;
    const fetched = new Map<string, Picture>();
    for (const some of chunks(fetchPicture ? picturesIn(body) : [], fetchesAtOnce)) {
      await Promise.all(
        some.map(async (address) => {
          const found = await fetchPicture?.(address);
          if (found?.ok) fetched.set(address, found.picture);
          else report(`: the picture ${address} ${found?.reason}.`);
        }),
      );
    }
    const pathOf = (address: string | null) => {
      const picture = fetched.get(address ?? "");
      return picture ? picturePath(picture) : null;
    };
    let relinked = 0;
    const settledBody = withAddresses(body, ({ is, address, around }) => {
      if (is === "picture") return pathOf(address);
      const id = bySlug.get(oldSite.slugOf(address) ?? "");
      if (id === undefined) return leadsToPicture(address, around) ? pathOf(around) : null;
      relinked += 1;
      return `/newsletter/${id}`;
    });
    const left = addressesIn(settledBody).filter(
      ({ is, address }) => is === "link" && oldSite.isAt(address),
    );
    for (const address of new Set(left.map((link) => link.address))) {
      oldAddresses.push({ address, title: post.title, ...post.place });
    }
    if (settledBody === body) continue;
    const changed = await correctIssue(db, {
      ...{ id: post.id, from: fingerprintOf(issue), words: { html: settledBody }, now: now() },
      pictures: [...fetched.values()],
    });
    if (changed.ok) {
      links += relinked;
      pictures.count += fetched.size;
      for (const { bytes } of fetched.values()) pictures.bytes += bytes.length;
    } else report(" was changed meanwhile; run it again.");
  }
  return { links, oldHost: oldSite.host, oldAddresses, pictures };
}

function picturesIn(body: string): string[] {
  const addresses = addressesIn(body).flatMap(({ is, address }) =>
    is === "picture" && /^https?:/i.test(address) ? address : [],
  );
  return [...new Set(addresses)];
}

/** Both programs link a picture to a larger one of itself. */
function leadsToPicture(address: string, picture: string | null): boolean {
  const url = URL.parse(address);
  if (url === null) return false;
  return (
    /\.(?:png|jpe?g|gif|webp)$/i.test(url.pathname) || url.host === URL.parse(picture ?? "")?.host
  );
}

/**
 * The old site by its address where that is given; otherwise by the posts' links to one another, where all of these lead
 * to one host: another publication may have a post of the same name.
 */
async function findOldSite(
  { posts, slugInPath }: Pick<PostExport, "posts" | "slugInPath">,
  { site, bodies }: { site: string | null; bodies: () => AsyncIterable<string> },
) {
  const slugs = new Set(posts.map(({ slug }) => slug));
  const slugAt = (url: URL) => {
    const slug = slugInPath(decoded(url.pathname));
    return slug !== null && slugs.has(slug) ? slug : null;
  };
  const hosts = new Set(site === null ? [] : [bareHost(new URL(site))]);
  if (site === null) {
    for await (const body of bodies()) {
      for (const { is, address } of addressesIn(body)) {
        const url = is === "link" ? URL.parse(address) : null;
        if (url && slugAt(url) !== null) hosts.add(bareHost(url));
      }
    }
  }
  const [host = null] = hosts.size === 1 ? hosts : [];
  const at = (address: string) => {
    const url = URL.parse(address);
    return url && /^https?:$/.test(url.protocol) && bareHost(url) === host ? url : null;
  };
  return {
    host,
    isAt: (address: string) => at(address) !== null,
    /** The slug of the exported post that an address leads to. */
    slugOf(address: string) {
      const url = at(address);
      return url && slugAt(url);
    },
  };
}

function bareHost(url: URL): string {
  return url.host.replace(/^www\./, "");
}
