import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { every } from "hono/combine";
import { contactLimits } from "#contracts/contact-form.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import { errorCode } from "#db/error-code.ts";
import type { AppEnv } from "../app-env.ts";
import { plainAnswer } from "../document/plain-page.ts";
import { mustRevalidate } from "./page-caching.ts";
import { resolveAddress, targetMaxLength } from "./resolve-address.ts";

/**
 * Most bytes that one UTF-16 code unit takes in a posted form: three of UTF-8, each percent-encoded. Chinese needs
 * them; a line break takes six, and half of an emoji as many.
 */
const formBytesPerUnit = 9;
/** For the names of the fields and for the hidden ones, in bytes. */
const formOverheadBytes = 4 * 1024;

/** Largest form that a page takes, in bytes: the longest contact message in any script. */
export const formMaxBytes =
  Object.values(contactLimits).reduce<number>((sum, limit) => sum + limit, 0) * formBytesPerUnit +
  formOverheadBytes;

const readMethods = "GET, HEAD";
const allMethods = `${readMethods}, POST`;

/**
 * What may reach the website: methods that the page knows, canonical addresses that can be read, forms of a sensible
 * size.
 */
export function siteLimits(settings: SiteSettings): MiddlewareHandler<AppEnv> {
  const refuse = (
    status: number,
    title: string,
    text: string,
    headers: Record<string, string> = {},
  ) => plainAnswer(settings, { status, title, text, headers });
  const ownHost = new URL(settings.url).host;
  const checkLink = "Please check the link that you followed.";

  const addressAndMethod: MiddlewareHandler<AppEnv> = async (c, next) => {
    const { method } = c.req;
    const refuseMethod = (Allow: string) =>
      refuse(405, "That can't be done here", "Pages of this site can be read and forms sent.", {
        Allow,
      });
    if (!["GET", "HEAD", "POST"].includes(method)) return refuseMethod(allMethods);
    const { host, pathname, search } = new URL(c.req.url);
    if (method === "POST" && !isOwnOrigin(c.req.header("Origin"), [host, ownHost])) {
      return refuse(
        403,
        "That form came from elsewhere",
        "Please open the page on this site and send the form from there.",
      );
    }
    if (pathname.length + search.length > targetMaxLength) {
      return refuse(414, "That address is too long", checkLink);
    }
    const address = resolveAddress(pathname + search);
    if (address.kind === "other") return refuse(400, "That address can't be read", checkLink);
    if (address.kind === "misspelled") {
      const headers = { Location: address.location, "Cache-Control": mustRevalidate };
      return new Response(null, { status: 308, headers });
    }
    c.set("address", address);
    if (method === "POST" && !address.policy.takesForms) return refuseMethod(readMethods);
    return next();
  };

  const formSize = bodyLimit({
    maxSize: formMaxBytes,
    onError() {
      return refuse(
        413,
        "That message is too large",
        "Please shorten it, go back and send it again.",
        // What is left of the body is not waited for, so nothing after it on the connection can be answered.
        { Connection: "close" },
      );
    },
  });
  const wholeForm: MiddlewareHandler<AppEnv> = async (c, next) => {
    try {
      return await formSize(c, next);
    } catch (error) {
      if (!isBrokenOff(error)) throw error;
      return refuse(400, "That message did not arrive whole", "Please send it again.");
    }
  };
  return every(addressAndMethod, wholeForm);
}

/** Whether the sender left in the middle of a body, by Node's own error for it. */
function isBrokenOff(error: unknown): boolean {
  return error instanceof Error && error.message === "aborted" && errorCode(error) === "ECONNRESET";
}

/**
 * Whether a form was posted by a page of the site, whatever name a proxy puts in Host. Mail programs that unsubscribe
 * with one click name no origin (RFC 8058).
 */
function isOwnOrigin(origin: string | undefined, ownHosts: string[]): boolean {
  if (!origin) return true;
  const host = URL.parse(origin)?.host;
  return host !== undefined && ownHosts.includes(host);
}
