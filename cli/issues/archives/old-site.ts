import { type AddressPlace, addressesIn } from "./addresses-in-html.ts";
import type { Archive } from "./archived-post.ts";

/** Where an archive's posts were published: what leads there leads nowhere once that is closed. */
export type OldSite = {
  /** Null where it isn't said, and the posts don't show it. */
  host: string | null;
  isAt(address: string): boolean;
  /** The slug of the post that an address leads to; null where it is none of the archive's. */
  slugOf(address: string): string | null;
};

/**
 * The old site by its address where that is given; otherwise by the posts' links to one another, where all of those lead
 * to one host: another publication may have a post of the same name.
 */
export async function findOldSite(
  { posts, slugInPath }: Pick<Archive, "posts" | "slugInPath">,
  { site, bodies }: { site: string | null; bodies: () => AsyncIterable<string> },
): Promise<OldSite> {
  const slugs = new Set(posts.map(({ slug }) => slug));
  const slugAt = (url: URL | null) => {
    const slug = url && slugInPath(decoded(url.pathname));
    return slug !== null && slugs.has(slug) ? slug : null;
  };
  const host = site === null ? await onlyHost(bodies, slugAt) : bareHost(URL.parse(site));
  const isAt = (address: string) => {
    const url = URL.parse(address);
    return (
      host !== null && url !== null && /^https?:$/.test(url.protocol) && bareHost(url) === host
    );
  };
  return {
    host,
    isAt,
    slugOf: (address) => (isAt(address) ? slugAt(URL.parse(address)) : null),
  };
}

async function onlyHost(
  bodies: () => AsyncIterable<string>,
  slugAt: (url: URL | null) => string | null,
): Promise<string | null> {
  const hosts = new Set<string>();
  for await (const body of bodies()) {
    for (const { address } of addressesIn(body).filter(isLink)) {
      const url = URL.parse(address);
      if (url && slugAt(url) !== null) hosts.add(bareHost(url) ?? "");
    }
  }
  const [host = null] = hosts;
  return hosts.size === 1 ? host : null;
}

function isLink({ is }: AddressPlace): boolean {
  return is === "link";
}

function bareHost(url: URL | null): string | null {
  return url?.host.replace(/^www\./, "") ?? null;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
