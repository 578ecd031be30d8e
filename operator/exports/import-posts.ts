import PQueue from "p-queue";
import type { Db } from "#db/tables.ts";
import { addressesIn, decoded, withAddresses } from "#issue-body/body-tree.ts";
import {
  findImportedPosts,
  findIssue,
  fingerprintOf,
  importPost,
  issueBodyMaxLength,
  issueTitleMaxLength,
} from "#newsletter/issues.ts";
import { type Picture, picturePath } from "#newsletter/pictures.ts";
import { correctIssue } from "../issues.ts";
import type { Problem } from "../records.ts";
import type { FetchedPicture } from "./fetch-pictures.ts";
import type { ExportedPost, PostExport } from "./read-archive.ts";

/** Says which posts of an export are issues already, by their source, and which would become issues, the oldest first. */
export async function planPosts(db: Db, posts: readonly ExportedPost[]) {
  const present = await findImportedPosts(
    db,
    posts.map(({ source }) => source),
  );
  const wanted = posts
    .filter(({ omitted, source }) => omitted === null && !present.has(source))
    .sort((a, b) => a.publishDate.localeCompare(b.publishDate));
  return { present, wanted };
}

/**
 * Publishes the posts of an export that aren't issues yet, each in a transaction of its own, so that it can be interrupted
 * and run again. Then makes all its issues independent of the old site. With `isDry`, nothing is written.
 */
export async function importPosts(
  db: Db,
  exported: PostExport,
  { isDry, ...options }: SettleOptions & { isDry: boolean },
) {
  const { wanted } = await planPosts(db, exported.posts);
  let imported = 0;
  for (const post of wanted) {
    const fault = tooLong(post);
    if (fault !== null) options.onProblem({ ...post.place, message: fault });
    else if (isDry || (await importPost(db, post))) imported += 1;
  }
  return { imported, settled: isDry ? null : await settlePosts(db, exported, options) };
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
    const fetches = (fetchPicture ? picturesIn(body) : []).map((address) => async () => {
      const found = await fetchPicture?.(address);
      if (found?.ok) fetched.set(address, found.picture);
      else report(`: the picture ${address} ${found?.reason}.`);
    });
    await new PQueue({ concurrency: 4 }).addAll(fetches);
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
      id: post.id,
      from: fingerprintOf(issue),
      words: { html: settledBody },
      now: now(),
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
    slugOf(address: string) {
      const url = at(address);
      return url && slugAt(url);
    },
  };
}

function bareHost(url: URL): string {
  return url.host.replace(/^www\./, "");
}
