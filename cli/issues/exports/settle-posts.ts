import type { Kysely } from "kysely";
import type { Token } from "parse5";
import type { Database } from "#db/tables.ts";
import { tokenizeHtml } from "#issue-body/take-body.ts";
import { html as markup } from "#mail/mail-document.ts";
import { findImportedPosts } from "#newsletter/import-posts.ts";
import { readIssueBody, reviseIssue } from "#newsletter/issues.ts";
import type { Problem } from "../../command-error.ts";
import type { PictureFetching } from "./fetch-pictures.ts";
import type { PostExport } from "./read-exports.ts";

export type Settled = {
  /** Links that lead to an issue here now. */
  links: number;
  /** Where the posts were published; null where nobody says. */
  oldHost: string | null;
  /** Links that still lead there, each once a post. */
  oldAddresses: { address: string; title: string; file: string; line: number | null }[];
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
 * Makes imported issues independent of the old site, those of earlier imports too: links from one post to another lead
 * to its issue here, and pictures are stored here where that is asked for. One body with its pictures is in memory.
 */
export async function settlePosts(
  db: Kysely<Database>,
  posts: Pick<PostExport, "posts" | "slugInPath">,
  { site, pictures, now, onProblem, onProgress }: SettleOptions,
): Promise<Settled> {
  const issues = await findImportedPosts(
    db,
    posts.posts.map(({ source }) => source),
  );
  const imported = posts.posts.flatMap((post) => {
    const id = issues.get(post.source);
    return id === undefined ? [] : [{ ...post, id }];
  });
  // A post without a slug had no address of its own.
  const bySlug = new Map(imported.flatMap(({ slug, id }) => (slug === "" ? [] : [[slug, id]])));
  async function* bodies() {
    for (const { id } of imported) yield await readIssueBody(db, id);
  }
  const oldSite = await findOldSite(posts, { site, bodies });
  const settled: Settled = { links: 0, oldHost: oldSite.host, oldAddresses: [] };
  for (const [index, post] of imported.entries()) {
    const report = (words: string) =>
      onProblem({ ...post.place, message: `"${post.title}"${words}` });
    const body = await readIssueBody(db, post.id);
    const fetched = await pictures?.fetchAll(picturesIn(body));
    for (const { address, reason } of fetched?.failed ?? []) {
      report(`: the picture ${address} ${reason}.`);
    }
    let links = 0;
    const settledBody = withAddresses(body, ({ is, address, around }) => {
      if (is === "picture") return fetched?.paths.get(address) ?? null;
      const id = bySlug.get(oldSite.slugOf(address) ?? "");
      if (id !== undefined) {
        links += 1;
        return `/newsletter/${id}`;
      }
      const inside = around === null ? undefined : fetched?.paths.get(around);
      return inside && leadsToPicture(address, around) ? inside : null;
    });
    const left = addressesIn(settledBody).filter(
      ({ is, address }) => is === "link" && oldSite.isAt(address),
    );
    for (const address of new Set(left.map((link) => link.address))) {
      settled.oldAddresses.push({ address, title: post.title, ...post.place });
    }
    if (settledBody !== body) {
      const order = { id: post.id, from: body, to: settledBody, now: now() };
      const { added = [], kept = [] } = fetched ?? {};
      if (await reviseIssue(db, { ...order, pictures: added, kept })) settled.links += links;
      else {
        pictures?.forget(added);
        report(" was changed meanwhile; run it again.");
      }
    }
    onProgress(index + 1, imported.length);
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

type OldSite = {
  /** Null where it isn't given, and the posts don't show it. */
  host: string | null;
  isAt(address: string): boolean;
  /** The slug of the exported post that an address leads to. */
  slugOf(address: string): string | null;
};

/**
 * The old site by its address where that is given; otherwise by the posts' links to one another, where all of these lead
 * to one host: another publication may have a post of the same name.
 */
async function findOldSite(
  { posts, slugInPath }: Pick<PostExport, "posts" | "slugInPath">,
  { site, bodies }: { site: string | null; bodies: () => AsyncIterable<string> },
): Promise<OldSite> {
  const slugs = new Set(posts.map(({ slug }) => slug));
  const slugAt = (url: URL) => {
    const slug = slugInPath(decoded(url.pathname));
    return slug !== null && slugs.has(slug) ? slug : null;
  };
  const hosts = new Set<string>();
  if (site !== null) hosts.add(bareHost(new URL(site)));
  else {
    for await (const body of bodies()) {
      for (const { is, address } of addressesIn(body)) {
        const url = is === "link" ? URL.parse(address) : null;
        if (url && slugAt(url) !== null) hosts.add(bareHost(url));
      }
    }
  }
  const [host = null] = hosts.size === 1 ? hosts : [];
  const isAtHost = (url: URL | null): url is URL =>
    url !== null && /^https?:$/.test(url.protocol) && bareHost(url) === host;
  return {
    host,
    isAt: (address) => isAtHost(URL.parse(address)),
    slugOf(address) {
      const url = URL.parse(address);
      return isAtHost(url) ? slugAt(url) : null;
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

type AddressPlace = {
  is: "link" | "picture";
  address: string;
  /** The address of the first picture inside a link. */
  around: string | null;
  /** The whole attribute. */
  from: number;
  to: number;
};

/** The same text with other addresses where `replace` returns one; everything else stays letter for letter. */
function withAddresses(text: string, replace: (place: AddressPlace) => string | null): string {
  let written = "";
  let at = 0;
  for (const place of addressesIn(text)) {
    const address = replace(place);
    if (address === null || address === place.address) continue;
    const name = place.is === "link" ? "href" : "src";
    written += `${text.slice(at, place.from)}${name}="${markup`${address}`}"`;
    at = place.to;
  }
  return written + text.slice(at);
}

/** Every link's and picture's address, in order. By the tokeniser, so that the time grows with the length alone. */
function addressesIn(text: string): AddressPlace[] {
  const found: AddressPlace[] = [];
  let link: AddressPlace | null = null;
  tokenizeHtml(text, {
    onStartTag({ tagName, attrs, location }) {
      const isLink = tagName === "a";
      if (isLink) link = null;
      else if (tagName !== "img") return;
      const name = isLink ? "href" : "src";
      const address = attrs.find((attribute) => attribute.name === name)?.value.trim();
      const place = (location as Token.LocationWithAttributes | null)?.attrs?.[name];
      if (!address || !place) return;
      const { startOffset: from, endOffset: to } = place;
      const one: AddressPlace = {
        is: isLink ? "link" : "picture",
        address,
        around: null,
        from,
        to,
      };
      if (isLink) link = one;
      else if (link) link.around ??= address;
      found.push(one);
    },
    onEndTag({ tagName }) {
      if (tagName === "a") link = null;
    },
  });
  return found;
}
