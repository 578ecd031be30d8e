import { randomBytes } from "node:crypto";
import type { Context, MiddlewareHandler } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";

const sessionMs = 12 * 60 * 60_000;

type Door = {
  /** The secret of the link that opens the desk; it works once. */
  token: string;
  guard: MiddlewareHandler;
};

/**
 * Lets in the browser that opened the printed link, and no other: a request must name this desk as its `Host` (against
 * DNS rebinding), must not come from another site's page, and must bring the session that the link was exchanged for.
 * `address` is a proxy's, which may pass on its own `Host` or the one that it asks here.
 */
export function createDoor({
  hosts,
  address,
  now,
}: {
  hosts: string[];
  address: string | null;
  now: () => Date;
}): Door {
  let token: string | null = newSecret();
  let session: { secret: string; endsAt: number } | null = null;

  const guard: MiddlewareHandler = async (context, next) => {
    const { req } = context;
    const host = req.header("Host") ?? "";
    if (!hosts.includes(host)) {
      return context.text("This desk is not served under that name.\n", 421);
    }
    if (isFromElsewhere(req.raw, hosts)) {
      return context.text("This came from another site's page.\n", 403);
    }
    const isSecure = req.header("X-Forwarded-Proto") === "https" || address === `https://${host}`;
    const cookie = isSecure ? "__Host-desk" : "desk";
    const url = new URL(req.url);
    if (url.pathname === "/open") {
      if (token === null || url.searchParams.get("token") !== token) {
        return page(context, 403, "This link has been used", usedLink);
      }
      token = null;
      session = { secret: newSecret(), endsAt: now().getTime() + sessionMs };
      setCookie(context, cookie, session.secret, {
        httpOnly: true,
        sameSite: "Strict",
        secure: isSecure,
        path: "/",
        maxAge: sessionMs / 1_000,
      });
      // Not a redirect: after a click in another program, a strict cookie would not go with it.
      return page(context, 200, "Opening the desk", opening);
    }
    if (session === null || getCookie(context, cookie) !== session.secret) {
      return page(context, 401, "The desk is closed", noSession);
    }
    if (now().getTime() > session.endsAt) {
      session = null;
      deleteCookie(context, cookie);
      return page(context, 401, "The session is over", noSession);
    }
    return await next();
  };
  return { token, guard };
}

function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

function isFromElsewhere(request: Request, hosts: string[]): boolean {
  const origin = request.headers.get("Origin");
  if (origin !== null) return !hosts.includes(URL.parse(origin)?.host ?? "");
  const site = request.headers.get("Sec-Fetch-Site") ?? "none";
  const isReading = request.method === "GET" || request.method === "HEAD";
  if (!isReading) return site !== "same-origin";
  // A link on another site may open the desk, but nothing there may embed or read it.
  const isNavigation = request.headers.get("Sec-Fetch-Dest") === "document";
  return (site === "cross-site" || site === "same-site") && !isNavigation;
}

const opening = `<meta http-equiv="refresh" content="0;url=/"><p><a href="/">Open the desk</a></p>`;
const noSession =
  "<p>Start the desk again where it runs, with <code>npm run desk</code>, and open the new link that it prints.</p>";
const usedLink = `<p>Each link opens the desk once. If it is open in this browser, <a href="/">go on there</a>.</p>${noSession}`;

function page(context: Context, status: 200 | 401 | 403, title: string, body: string) {
  context.header("Cache-Control", "no-store");
  return context.html(
    `<!doctype html><html lang="en-CA"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><body style="font:17px/1.6 system-ui;max-width:34em;margin:4em auto;padding:0 1em"><main><h1>${title}</h1>${body}</main></body></html>`,
    status,
  );
}
