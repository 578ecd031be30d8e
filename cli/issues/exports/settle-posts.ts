import { chunks } from "#db/chunks.ts";
import type { Db } from "#db/tables.ts";
import { findImportedPosts, readIssueBody, reviseIssue } from "#newsletter/issues.ts";
import { type Picture, picturePath } from "#newsletter/pictures.ts";
import type { Problem } from "../../command-error.ts";
import { addressesIn, withAddresses } from "../body-addresses.ts";
import type { FetchedPicture } from "./fetch-pictures.ts";
import type { ExportedPost, PostExport } from "./read-exports.ts";

export type Settled = {
  /** Links that lead to an issue here now. */
  links: number;
  /** Where the posts were published; null where nobody says. */
  oldHost: string | null;
  /** Links that still lead there, each once a post. */
  oldAddresses: ({ address: string; title: string } & ExportedPost["place"])[];
  /** Stored here now. */
  pictures: { count: number; bytes: number };
};

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
 */
export async function settlePosts(
  db: Db,
  exported: Pick<PostExport, "posts" | "slugInPath">,
  { site, fetchPicture, now, onProblem }: SettleOptions,
): Promise<Settled> {
  const sources = exported.posts.map(({ source }) => source);
  const issues = await findImportedPosts(db, sources);
  const imported = exported.posts.flatMap((post) => {
    const id = issues.get(post.source);
    return id === undefined ? [] : [{ ...post, id }];
  });
  // A post without a slug had no address of its own.
  const bySlug = new Map(imported.flatMap(({ slug, id }) => (slug ? [[slug, id]] : [])));
  async function* bodies() {
    for (const { id } of imported) yield await readIssueBody(db, id);
  }
  const oldSite = await findOldSite(exported, { site, bodies });
  const pictures = { count: 0, bytes: 0 };
  const settled: Settled = { links: 0, oldHost: oldSite.host, oldAddresses: [], pictures };
  for (const post of imported) {
    const report = (words: string) =>
      onProblem({ ...post.place, message: `"${post.title}"${words}` });
    const body = await readIssueBody(db, post.id);
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
    let links = 0;
    const settledBody = withAddresses(body, ({ is, address, around }) => {
      if (is === "picture") return pathOf(address);
      const id = bySlug.get(oldSite.slugOf(address) ?? "");
      if (id === undefined) return leadsToPicture(address, around) ? pathOf(around) : null;
      links += 1;
      return `/newsletter/${id}`;
    });
    const left = addressesIn(settledBody).filter(
      ({ is, address }) => is === "link" && oldSite.isAt(address),
    );
    for (const address of new Set(left.map((link) => link.address))) {
      settled.oldAddresses.push({ address, title: post.title, ...post.place });
    }
    const change = { id: post.id, from: body, to: settledBody, now: now() };
    if (settledBody !== body) {
      if (await reviseIssue(db, { ...change, pictures: [...fetched.values()] })) {
        settled.links += links;
        for (const { bytes } of fetched.values()) {
          pictures.count += 1;
          pictures.bytes += bytes.length;
        }
      } else report(" was changed meanwhile; run it again.");
    }
  }
  return settled;
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

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
