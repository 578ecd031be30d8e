import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { contactLimits } from "#contracts/contact-message.ts";
import type { RequestOrigin, SiteSettings } from "#contracts/site-settings.ts";
import { missingPage, pages, type SitePage } from "#pages.ts";
import { plainAnswer } from "./document.ts";

export type PageAddress = {
  page: SitePage;
  /** The address that the page is rendered for and cached by; null if the page is for one visitor alone. */
  key: string | null;
  /** An answer with another status isn't cached. */
  status: 200 | 404;
  issueId: number | null;
  /** The page to answer with if this one doesn't exist. */
  ifMissing: PageAddress | null;
};

/** Other spellings (capitals, a slash or a sentence's mark at the end) redirect; every other address is the missing page. */
type Found = PageAddress | { redirectTo: string };

/** No varying part of an address can be this, so it stands for what doesn't exist. */
const nothing = "0";

const fixedPages = new Map(
  pages.filter(({ varies }) => varies?.by !== "path").map((page) => [page.path, page]),
);
const varyingPages = pages.flatMap((page) =>
  page.varies?.by === "path"
    ? [{ page, form: page.varies.form, start: page.path.replace(/:\w+$/, "") }]
    : [],
);

export function findPage({ pathname, search }: { pathname: string; search: string }): Found {
  const address = pageAt(pathname);
  if (address) return withQuery(address, search);
  // A link pasted out of a sentence brings its full stop, bracket or quotation mark along.
  const canonical = pathname
    .toLowerCase()
    .replace(/(?<=.)(?:[/.,;:!?'"*)\]}>»’”…]|%(?:22|3e|5d|7d|c2%bb|e2%80%(?:99|9d|a6)))+$/, "");
  if (canonical !== pathname && pageAt(canonical)) return { redirectTo: canonical + search };
  return unknownPage(pathname);
}

function pageAt(path: string): PageAddress | null {
  const fixed = fixedPages.get(path);
  if (fixed) return addressOf(fixed, path);
  for (const { page, form, start } of varyingPages) {
    const part = path.startsWith(start) ? path.slice(start.length) : "";
    if (form.test(part)) return varyingAddress(page, part, (known) => start + known);
  }
  return null;
}

/** The site's missing page, or the one of issues or years. Each is rendered once. */
function unknownPage(path: string): PageAddress {
  const room = varyingPages.find(
    ({ start }) => path.startsWith(start) && !path.slice(start.length).includes("/"),
  );
  return room
    ? { ...addressOf(room.page, room.start + nothing), status: 404 }
    : addressOf(missingPage, "/no-such-page");
}

function addressOf(page: SitePage, key: string): PageAddress {
  return { page, key, status: page.status, issueId: null, ifMissing: null };
}

function varyingAddress(
  page: SitePage,
  part: string,
  keyOf: (part: string) => string,
): PageAddress {
  const missing: PageAddress = { ...addressOf(page, keyOf(nothing)), status: 404 };
  if (!page.varies?.form.test(part)) return missing;
  return {
    ...addressOf(page, keyOf(part)),
    status: 200,
    issueId: page.showsIssueBody ? Number(part) : null,
    ifMissing: missing,
  };
}

/** Parameters that the page doesn't know make no other page of it. */
function withQuery(address: PageAddress, search: string): PageAddress {
  const { page } = address;
  const parameters = new URLSearchParams(search);
  if (page.ownParameters?.some((name) => parameters.get(name))) return { ...address, key: null };
  const parameter = page.varies?.by === "query" ? page.varies.parameter : "";
  const value = parameter && parameters.get(parameter);
  if (!value) return address;
  const keyOf = (part: string) => `${address.key}?${new URLSearchParams({ [parameter]: part })}`;
  return varyingAddress(page, value, keyOf);
}

/** No cache on the way may show the page without asking. */
export const mustRevalidate = "public, max-age=0, must-revalidate";

/**
 * How others may cache a page (RFC 9111, RFC 5861). Browsers always revalidate. A CDN may answer for a minute, or for five
 * seconds where issues are shown, since a mail that has just gone out may link there. One visitor's page is kept nowhere.
 */
export function cachingOf({ page, key }: PageAddress): string {
  if (key === null) return "no-store";
  return page.showsIssues
    ? "public, max-age=0, s-maxage=5, must-revalidate"
    : "public, max-age=0, s-maxage=60, stale-while-revalidate=600";
}

/** `Cache-Tag`, by which a CDN purges all pages, those that a new issue changes, or those that show one issue. */
export function tagsOf({ page, issueId }: PageAddress, word: string): string {
  const tags = [word];
  if (page.showsIssues) tags.push(`${word}-issues`);
  if (issueId !== null) tags.push(`${word}-issue-${issueId}`);
  return tags.join();
}

export type AppEnv = {
  Bindings: { socketAddress?: string | null };
  Variables: Pick<RequestOrigin, "clientAddress"> & {
    requestId: string;
    address?: PageAddress;
    /** Whether the answer is a cached page, with all its headers. */
    isFromCache?: boolean;
  };
};

/** Longest path and query, in characters. */
export const targetMaxLength = 8_192;

const longestMessage = Object.values(contactLimits).reduce<number>((sum, limit) => sum + limit, 0);

/**
 * Largest form that a page accepts, in bytes: the longest contact message in any script, where a character is three bytes
 * of UTF-8 and each is percent-encoded, and 4 KB for the names of the fields and the hidden ones.
 */
export const formMaxBytes = longestMessage * 9 + 4 * 1024;

const readMethods = "GET, HEAD";

/** Finds the page of an address, and refuses methods, origins and addresses that no page accepts. */
export function pageLimits(settings: SiteSettings): MiddlewareHandler<AppEnv> {
  const ownHost = new URL(settings.url).host;
  const refuseMethod = (Allow: string) =>
    plainAnswer(settings, {
      status: 405,
      title: "That can't be done here",
      text: "Pages of this site can be read and forms sent.",
      headers: { Allow },
    });
  return async (c, next) => {
    const { method } = c.req;
    if (!["GET", "HEAD", "POST"].includes(method)) return refuseMethod(`${readMethods}, POST`);
    const url = new URL(c.req.url);
    if (url.pathname.length + url.search.length > targetMaxLength) {
      return plainAnswer(settings, {
        status: 414,
        title: "That address is too long",
        text: "Please check the link that you followed.",
      });
    }
    const address = findPage(url);
    if ("redirectTo" in address) {
      const headers = { Location: address.redirectTo, "Cache-Control": mustRevalidate };
      return new Response(null, { status: 308, headers });
    }
    if (method === "POST" && !address.page.takesForms) return refuseMethod(readMethods);
    // The token in the address of a mail link is the proof, whatever program posts it (RFC 8058).
    const isProved = isMailLink(address) || isOwnForm(c.req.raw.headers, [url.host, ownHost]);
    if (method === "POST" && !isProved) {
      return plainAnswer(settings, {
        status: 403,
        title: "That form came from elsewhere",
        text: "Please open the page on this site and send the form from there.",
      });
    }
    c.set("address", address);
    return next();
  };
}

export function formSize(settings: SiteSettings): MiddlewareHandler<AppEnv> {
  return bodyLimit({
    maxSize: formMaxBytes,
    onError: () =>
      plainAnswer(settings, {
        status: 413,
        title: "That message is too large",
        text: "Please shorten it, go back and send it again.",
        // The rest of the body isn't read, so the connection can't be used again.
        headers: { Connection: "close" },
      }),
  });
}

export function isMailLink({ page }: PageAddress): boolean {
  return page.ownParameters?.includes("token") ?? false;
}

/**
 * Whether no other site's page can have posted a form. In-app browsers and proxies for privacy make the origin "null" or
 * leave it out; then Fetch Metadata decides, which every current browser sends. Where that is missing too, nothing says
 * that the form is foreign, and without a session there is nothing to take over.
 */
function isOwnForm(headers: Headers, ownHosts: string[]): boolean {
  const origin = headers.get("Origin");
  if (origin && origin !== "null") return ownHosts.includes(URL.parse(origin)?.host ?? "");
  return (headers.get("Sec-Fetch-Site") ?? "same-origin") === "same-origin";
}
