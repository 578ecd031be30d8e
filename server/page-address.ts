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

function findPage({ pathname, search }: URL): Found {
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
  if (fixed) return { page: fixed, key: path, status: fixed.status };
  const varying = varyingPages.find(
    ({ form, start }) => path.startsWith(start) && form.test(path.slice(start.length)),
  );
  return varying ? { page: varying.page, key: path, status: 200 } : null;
}

/** Each is rendered once. */
function unknownPage(path: string): PageAddress {
  const room = varyingPages.find(
    ({ start }) => path.startsWith(start) && !path.slice(start.length).includes("/"),
  );
  return room
    ? { page: room.page, key: room.start + nothing, status: 404 }
    : { page: missingPage, key: "/no-such-page", status: 404 };
}

function withQuery(address: PageAddress, search: string): PageAddress {
  const { page } = address;
  const parameters = new URLSearchParams(search);
  if (page.ownParameters?.some((name) => parameters.get(name))) return { ...address, key: null };
  const parameter = page.varies?.by === "query" ? page.varies.parameter : "";
  const value = parameter && parameters.get(parameter);
  if (!value) return address;
  const isKnown = page.varies?.form.test(value);
  const query = new URLSearchParams({ [parameter]: isKnown ? value : nothing });
  return { page, key: `${address.key}?${query}`, status: isKnown ? 200 : 404 };
}

export const mustRevalidate = "public, max-age=0, must-revalidate";

/** RFC 9111 and RFC 5861. A CDN may answer for a minute, with issues for five seconds. */
export function cachingOf({ page, key }: PageAddress): string {
  if (key === null) return "no-store";
  return page.showsIssues
    ? "public, max-age=0, s-maxage=5, must-revalidate"
    : "public, max-age=0, s-maxage=60, stale-while-revalidate=600";
}

export type AppEnv = {
  Bindings: { socketAddress?: string | null };
  Variables: Pick<RequestOrigin, "clientAddress"> & {
    requestId: string;
    address?: PageAddress;
    isFromCache?: boolean;
  };
};

const longestMessage = Object.values(contactLimits).reduce<number>((sum, limit) => sum + limit, 0);

/** In bytes: the longest message, three bytes a character and percent-encoded, and 4 KB for the rest. */
export const formMaxBytes = longestMessage * 9 + 4 * 1024;

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
    if (!["GET", "HEAD", "POST"].includes(method)) return refuseMethod("GET, HEAD, POST");
    const url = new URL(c.req.url);
    const address = findPage(url);
    if ("redirectTo" in address) {
      const headers = { Location: address.redirectTo, "Cache-Control": mustRevalidate };
      return new Response(null, { status: 308, headers });
    }
    if (method === "POST" && !address.page.takesForms) return refuseMethod("GET, HEAD");
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

/** By the origin, then Fetch Metadata. Without both, a post is accepted: there is no session to abuse. */
function isOwnForm(headers: Headers, ownHosts: string[]): boolean {
  const origin = headers.get("Origin");
  if (origin && origin !== "null") return ownHosts.includes(URL.parse(origin)?.host ?? "");
  return (headers.get("Sec-Fetch-Site") ?? "same-origin") === "same-origin";
}
