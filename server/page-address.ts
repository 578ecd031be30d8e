import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { contactLimits } from "#content/contact-message.ts";
import type { RequestOrigin, SiteSettings } from "#content/site-settings.ts";
import { missingPage, pages, type SitePage } from "#pages.ts";
import { plainAnswer } from "./document.ts";

export type PageAddress = {
  page: SitePage;
  /** Null if the page is for one visitor alone. */
  key: string | null;
  status: 200 | 404;
  issueId: number | null;
  ifMissing: PageAddress | null;
};

/** Other spellings redirect; unknown addresses are the missing page. */
type Found = PageAddress | { redirectTo: string };

/** No varying part of an address can be this. */
const nothing = "0";

const fixedPages = new Map(
  pages.filter(({ varies }) => varies?.by !== "path").map((page) => [page.path, page]),
);
const varyingPages = pages.flatMap((page) =>
  page.varies?.by === "path"
    ? [{ page, form: page.varies.form, start: page.path.replace(/:\w+$/, "") }]
    : [],
);

function findPage({ pathname, search }: { pathname: string; search: string }): Found {
  const address = pageAt(pathname);
  if (address) return withQuery(address, search);
  // A pasted link brings punctuation along.
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

/** Each is rendered once. */
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

export const mustRevalidate = "public, max-age=0, must-revalidate";

/**
 * RFC 9111 and RFC 5861. A CDN may answer for a minute, for five seconds with issues. One visitor's
 * page isn't stored.
 */
export function cachingOf({ page, key }: PageAddress): string {
  if (key === null) return "no-store";
  return page.showsIssues
    ? "public, max-age=0, s-maxage=5, must-revalidate"
    : "public, max-age=0, s-maxage=60, stale-while-revalidate=600";
}

/** `Cache-Tag` for purging all pages, those with issues, or those with one issue. */
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
    isFromCache?: boolean;
  };
};

export const targetMaxLength = 8_192;

const longestMessage = Object.values(contactLimits).reduce<number>((sum, limit) => sum + limit, 0);

/**
 * In bytes: the longest message, three bytes a character and percent-encoded, and 4 KB for the
 * rest.
 */
export const formMaxBytes = longestMessage * 9 + 4 * 1024;

const readMethods = "GET, HEAD";

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
    // Its token is the proof, whatever program posts it (RFC 8058).
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
        // The unread body blocks the connection.
        headers: { Connection: "close" },
      }),
  });
}

export function isMailLink({ page }: PageAddress): boolean {
  return page.ownParameters?.includes("token") ?? false;
}

/**
 * Trusts the origin and then Fetch Metadata. Without both, a post is accepted: there is no session
 * to abuse.
 */
function isOwnForm(headers: Headers, ownHosts: string[]): boolean {
  const origin = headers.get("Origin");
  if (origin && origin !== "null") return ownHosts.includes(URL.parse(origin)?.host ?? "");
  return (headers.get("Sec-Fetch-Site") ?? "same-origin") === "same-origin";
}
