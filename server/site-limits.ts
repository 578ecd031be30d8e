import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { every } from "hono/combine";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { SiteSettings } from "#contracts/site-settings.ts";
import { plainPage } from "./plain-page.ts";

/** Longest path and query that a page is asked with, in characters. */
const targetMaxLength = 8_192;

/** Largest form that a page takes, in bytes. In Latin letters the longest contact message takes a quarter of it. */
const formMaxBytes = 64 * 1024;

/** What may reach the website: methods that pages know, addresses that can be read, forms of a sensible size. */
export function siteLimits(settings: SiteSettings): MiddlewareHandler {
  const refuse = (c: Context, status: ContentfulStatusCode, title: string, text: string) => {
    c.header("Cache-Control", "no-store");
    return c.html(plainPage(settings, { title, text }), status);
  };

  const addressAndMethod: MiddlewareHandler = async (c, next) => {
    if (!["GET", "HEAD", "POST"].includes(c.req.method)) {
      c.header("Allow", "GET, HEAD, POST");
      return refuse(
        c,
        405,
        "That can't be done here",
        "Pages of this site can be read and forms sent.",
      );
    }
    const { pathname, search } = new URL(c.req.url);
    if (pathname.length + search.length > targetMaxLength) {
      return refuse(c, 414, "That address is too long", "Please check the link that you followed.");
    }
    if (!isReadablePath(pathname)) {
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
    onError: (c) =>
      refuse(c, 413, "That message is too large", "Please shorten it, go back and send it again."),
  });
  return every(addressAndMethod, formSize);
}

/** Whether the path's percent-encoding is well formed and hides no zero byte. */
function isReadablePath(pathname: string): boolean {
  try {
    return !decodeURIComponent(pathname).includes("\0");
  } catch {
    return false;
  }
}
