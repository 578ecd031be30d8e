import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { contactLimits } from "#contracts/contact-message.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import type { AppEnv } from "./app-env.ts";
import { plainAnswer } from "./document/plain-page.ts";
import { findPage, type PageAddress } from "./page-address.ts";
import { mustRevalidate } from "./page-cache.ts";

/** Longest path and query, in characters. */
export const targetMaxLength = 8_192;

/**
 * Most bytes that one UTF-16 code unit takes in a posted form: three of UTF-8, each percent-encoded. Chinese needs
 * them; a line break takes six, and half of an emoji as many.
 */
const formBytesPerUnit = 9;
/** For the names of the fields and for the hidden ones, in bytes. */
const formOverheadBytes = 4 * 1024;

/** Largest form that a page accepts, in bytes: the longest contact message in any script. */
export const formMaxBytes =
  Object.values(contactLimits).reduce<number>((sum, limit) => sum + limit, 0) * formBytesPerUnit +
  formOverheadBytes;

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
    if (
      method === "POST" &&
      !isMailLink(found) &&
      !isOwnForm(c.req.raw.headers, [url.host, ownHost])
    ) {
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
 * Whether a form was posted by a page of the site, whatever name a proxy puts in Host. Behind a proxy that adds
 * `Referrer-Policy: no-referrer` the origin is "null", and Fetch Metadata tells; programs send neither.
 */
function isOwnForm(headers: Headers, ownHosts: string[]): boolean {
  const origin = headers.get("Origin");
  const site = headers.get("Sec-Fetch-Site");
  if (origin && origin !== "null") return ownHosts.includes(URL.parse(origin)?.host ?? "");
  return site === "same-origin" || (site === null && origin === null);
}
