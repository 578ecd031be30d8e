import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { every } from "hono/combine";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { contactLimits } from "#contracts/contact-form.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import type { AppEnv } from "./app.ts";
import { plainPage } from "./plain-page.ts";
import { isIssueAddress, isReadablePath } from "./readable-address.ts";

/** Longest path and query that a page is asked with, in characters. */
const targetMaxLength = 8_192;

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

/** What may reach the website: methods that pages know, addresses that can be read, forms of a sensible size. */
export function siteLimits(settings: SiteSettings): MiddlewareHandler<AppEnv> {
  const refuse = (
    c: Context<AppEnv>,
    status: ContentfulStatusCode,
    title: string,
    text: string,
  ) => {
    c.header("Cache-Control", "no-store");
    return c.html(plainPage(settings, { title, text, mark: c.var.inlineMark }), status);
  };

  const ownHost = new URL(settings.url).host;
  const addressAndMethod: MiddlewareHandler<AppEnv> = async (c, next) => {
    if (!["GET", "HEAD", "POST"].includes(c.req.method)) {
      c.header("Allow", "GET, HEAD, POST");
      return refuse(
        c,
        405,
        "That can't be done here",
        "Pages of this site can be read and forms sent.",
      );
    }
    const url = new URL(c.req.url);
    if (c.req.method === "POST" && !isOwnOrigin(c.req.header("Origin"), [url.host, ownHost])) {
      return refuse(
        c,
        403,
        "That form came from elsewhere",
        "Please open the page on this site and send the form from there.",
      );
    }
    const { pathname, search } = url;
    if (pathname.length + search.length > targetMaxLength) {
      return refuse(c, 414, "That address is too long", "Please check the link that you followed.");
    }
    if (!isReadablePath(pathname) && !isIssueAddress(pathname)) {
      return refuse(
        c,
        400,
        "That address can't be read",
        "Please check the link that you followed.",
      );
    }
    return next();
  };

  const formSize = bodyLimit({
    maxSize: formMaxBytes,
    onError(c) {
      // What is left of the body is not waited for, so nothing after it on the connection can be answered.
      c.header("Connection", "close");
      return refuse(
        c,
        413,
        "That message is too large",
        "Please shorten it, go back and send it again.",
      );
    },
  });
  const wholeForm: MiddlewareHandler<AppEnv> = async (c, next) => {
    try {
      return await formSize(c, next);
    } catch (error) {
      if (!isBrokenOff(error)) throw error;
      return refuse(c, 400, "That message did not arrive whole", "Please send it again.");
    }
  };
  return every(addressAndMethod, wholeForm);
}

/** Whether the sender left in the middle of a body, by Node's own error for it. */
function isBrokenOff(error: unknown): boolean {
  return (
    error instanceof Error &&
    error.message === "aborted" &&
    "code" in error &&
    error.code === "ECONNRESET"
  );
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
