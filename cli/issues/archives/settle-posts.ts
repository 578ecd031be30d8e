import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";
import { findImportedPosts } from "#newsletter/import-posts.ts";
import { readIssueBody, reviseIssue } from "#newsletter/issues.ts";
import type { Problem } from "../../command-error.ts";
import { addressesIn, withAddresses } from "./addresses-in-html.ts";
import type { Archive, ArchivedPost } from "./archived-post.ts";
import { findOldSite, type OldSite } from "./old-site.ts";
import type { PictureFetching } from "./pictures/picture-fetching.ts";

type OldAddress = { address: string; title: string; file: string; line: number | null };

export type Settled = {
  /** Links that lead to an issue here now. */
  links: number;
  /** Where the posts were published, as far as it's known. */
  oldHost: string | null;
  /** Links that still lead there, each once a post. */
  oldAddresses: OldAddress[];
};

type SettleOptions = {
  site: string | null;
  /** Null where pictures stay at the addresses where they were published. */
  pictures: PictureFetching | null;
  now: () => Date;
  onProblem: (problem: Problem) => void;
  onProgress: (done: number, total: number) => void;
};

/**
 * Makes an archive's issues stand on their own, those of earlier imports too: links from one to another lead to it here,
 * and its pictures are kept here where that is asked for. One body and its pictures at a time are in memory.
 */
export async function settlePosts(
  db: Kysely<Database>,
  archive: Pick<Archive, "posts" | "slugInPath">,
  { site, pictures, now, onProblem, onProgress }: SettleOptions,
): Promise<Settled> {
  const issues = await findImportedPosts(
    db,
    archive.posts.map(({ source }) => source),
  );
  const posts = archive.posts.flatMap((post) => {
    const id = issues.get(post.source);
    return id === undefined ? [] : [{ ...post, id }];
  });
  const bySlug = new Map(posts.map(({ slug, id }) => [slug, id]));
  async function* bodies() {
    for (const { id } of posts) yield await readIssueBody(db, id);
  }
  const oldSite = await findOldSite(archive, { site, bodies });
  const settled: Settled = { links: 0, oldHost: oldSite.host, oldAddresses: [] };
  for (const [index, post] of posts.entries()) {
    const body = await readIssueBody(db, post.id);
    const fetched = await pictures?.fetchAll(picturesIn(body));
    for (const { address, reason } of fetched?.failed ?? []) {
      onProblem({ ...post.place, message: `"${post.title}": the picture ${address} ${reason}.` });
    }
    let links = 0;
    const settledBody = withAddresses(body, ({ is, address, around }) => {
      if (is === "picture") return fetched?.paths.get(address) ?? null;
      const id = bySlug.get(oldSite.slugOf(address) ?? "");
      if (id !== undefined) {
        links += 1;
        return `/newsletter/${id}`;
      }
      // What only shows the picture that it stands around.
      const inside = around === null ? undefined : fetched?.paths.get(around);
      return inside && leadsToPicture(address, around) ? inside : null;
    });
    settled.oldAddresses.push(...oldAddressesIn(settledBody, oldSite, post));
    if (settledBody !== body) {
      const order = { id: post.id, from: body, to: settledBody, now: now() };
      const { added: newOnes = [], kept = [] } = fetched ?? {};
      if (await reviseIssue(db, { ...order, pictures: newOnes, kept })) settled.links += links;
      else {
        pictures?.forget(newOnes);
        onProblem({
          ...post.place,
          message: `"${post.title}" was changed meanwhile; run it again.`,
        });
      }
    }
    onProgress(index + 1, posts.length);
  }
  return settled;
}

function picturesIn(body: string): string[] {
  const addresses = addressesIn(body).filter(({ is }) => is === "picture");
  return [...new Set(addresses.map(({ address }) => address))].filter((address) =>
    /^https?:/i.test(address),
  );
}

/** Both programs link a picture to a larger form of itself. */
function leadsToPicture(address: string, picture: string | null): boolean {
  const url = URL.parse(address);
  const isPicture = url !== null && /\.(?:png|jpe?g|gif|webp)$/i.test(url.pathname);
  return isPicture || (url !== null && url.host === URL.parse(picture ?? "")?.host);
}

function oldAddressesIn(body: string, site: OldSite, { title, place }: ArchivedPost): OldAddress[] {
  const left = addressesIn(body).filter(({ is, address }) => is === "link" && site.isAt(address));
  return [...new Set(left.map(({ address }) => address))].map((address) => ({
    address,
    title,
    ...place,
  }));
}
