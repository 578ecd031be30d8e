import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { contactLimits } from "#contracts/contact-message.ts";
import type { RequestOrigin, SiteSettings } from "#contracts/site-settings.ts";
import { plainAnswer } from "./document/plain-page.ts";
import { findPage, type PageAddress } from "./page-address.ts";
import { mustRevalidate } from "./page-cache.ts";

/** The variables that the middlewares of server/http.ts share. */
export type AppEnv = {
  /** The other end of the connection. */
  Bindings: { socketAddress?: string | null };
  Variables: Pick<RequestOrigin, "clientAddress"> & {
    requestId: string;
    /** Set if the address leads to a page. */
    address?: PageAddress;
    /** Whether the answer is a cached page, with all its headers. */
    isKept?: boolean;
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
    const found = findPage(url);
    if ("redirectTo" in found) {
      const headers = { Location: found.redirectTo, "Cache-Control": mustRevalidate };
      return new Response(null, { status: 308, headers });
    }
    if (method === "POST" && !found.page.takesForms) return refuseMethod(readMethods);
    // The token in the address of a mail link is the proof, whatever program posts it (RFC 8058).
    const isProved = isMailLink(found) || isOwnForm(c.req.raw.headers, [url.host, ownHost]);
    if (method === "POST" && !isProved) {
      return plainAnswer(settings, {
        status: 403,
        title: "That form came from elsewhere",
        text: "Please open the page on this site and send the form from there.",
      });
    }
    c.set("address", found);
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
