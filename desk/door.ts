import { randomBytes } from "node:crypto";
import type { HttpBindings } from "@hono/node-server";
import type { Context, MiddlewareHandler } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { Visitor } from "./desk-context.ts";

const sessionMs = 12 * 60 * 60_000;

export type DoorEnv = {
  Bindings: Partial<HttpBindings>;
  Variables: { nonce: string; visitor: Visitor | null };
};

type CreateGateProps = { hosts: string[]; origins: string[] };

/**
 * Refuses what isn't meant for this desk: a request must name it as its `Host` (against DNS rebinding), and must not come
 * from another site's page.
 */
export function createGate({ hosts, origins }: CreateGateProps): MiddlewareHandler<DoorEnv> {
  return async (context, next) => {
    const { req } = context;
    if (!hosts.includes(req.header("Host") ?? "")) {
      return context.text("This desk is not served under that name.\n", 421);
    }
    if (isFromElsewhere(req.raw, origins)) {
      return context.text("This came from another site's page.\n", 403);
    }
    return await next();
  };
}

function isFromElsewhere(request: Request, origins: string[]): boolean {
  const origin = request.headers.get("Origin");
  if (origin !== null) return !origins.includes(origin);
  const site = request.headers.get("Sec-Fetch-Site") ?? "none";
  const isReading = request.method === "GET" || request.method === "HEAD";
  if (!isReading) return site !== "same-origin";
  // A link on another site may open the desk, but nothing there may embed or read it.
  const isNavigation = request.headers.get("Sec-Fetch-Dest") === "document";
  return (site === "cross-site" || site === "same-site") && !isNavigation;
}

/**
 * Lets in the browser that opened the printed link, and no other. A cookie is sent to every port of its host, and another
 * user's program may listen on one. So the session belongs to `ownHost`, a name of this desk's own: the link's page tries
 * whether the browser knows it, and asks before it stays at an address that other programs share.
 */
export function createLinkDoor({ ownHost, now }: { ownHost: string; now: () => Date }) {
  let token: string | null = newSecret();
  let session: { secret: string; endsAt: number } | null = null;

  const door: MiddlewareHandler<DoorEnv> = async (context, next) => {
    const url = new URL(context.req.url);
    const host = context.req.header("Host");
    if (url.pathname === "/here" && host === ownHost) {
      context.header("Access-Control-Allow-Origin", context.req.header("Origin") ?? "");
      return context.body(null, 204);
    }
    if (url.pathname === "/open") {
      if (token === null || url.searchParams.get("token") !== token) {
        return page(context, 403, "This link has been used", usedLink);
      }
      if (host !== ownHost && !url.searchParams.has("here")) {
        const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-${context.get("nonce")}'; connect-src http://${ownHost}; base-uri 'none'; frame-ancestors 'none'`;
        context.header("Content-Security-Policy", policy);
        return page(context, 200, "Opening the desk", goOn(ownHost, token, context.get("nonce")));
      }
      token = null;
      session = { secret: newSecret(), endsAt: now().getTime() + sessionMs };
      setCookie(context, "desk", session.secret, {
        httpOnly: true,
        sameSite: "Strict",
        path: "/",
        maxAge: sessionMs / 1_000,
      });
      return page(context, 200, "Opening the desk", goTo("/"));
    }
    if (session === null || getCookie(context, "desk") !== session.secret) {
      return page(context, 401, "The desk is closed", noSession);
    }
    if (now().getTime() > session.endsAt) {
      session = null;
      deleteCookie(context, "desk");
      return page(context, 401, "The session is over", oldSession);
    }
    context.set("visitor", { id: null, name: "This computer", isFirst: true, session: null });
    return await next();
  };
  return { token, door };
}

function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Not a redirect: after a click in another program or on another site, a strict cookie would not go with it. */
export function goTo(address: string): string {
  // Two slashes would begin another site's address.
  const to = address.replace(/^\/+/, "/").replace(/[^\w/?=&.%-]/g, encodeURIComponent);
  return `<meta http-equiv="refresh" content="0;url=${to}"><p><a href="${to}">Open the desk</a></p>`;
}

function goOn(ownHost: string, token: string, nonce: string): string {
  const own = `http://${ownHost}`;
  return `<div id="stay" hidden><p>This browser doesn't know the desk's own name, ${ownHost}. At the address where you are now, another program on this computer could be sent your session.</p><p>On a computer that nobody else uses, that is no matter: <a href="/open?token=${token}&amp;here">open the desk here</a>. On a shared one, open the link in Chrome, Edge or Firefox.</p></div><noscript><p>The desk needs scripts.</p></noscript><script nonce="${nonce}">fetch("${own}/here", { signal: AbortSignal.timeout(4000) }).then(() => location.replace("${own}/open?token=${token}"), () => { document.getElementById("stay").hidden = false; });</script>`;
}

const newLink =
  "<p>Start the desk again where it runs, with <code>npm run desk</code>, and open the new link that it prints.</p>";
const noSession = `<p>This browser has no session, or the desk was started again since.</p>${newLink}`;
const oldSession = `<p>A session lasts for twelve hours. </p>${newLink}`;
const usedLink = `<p>Each link opens the desk once. If it is open in this browser, <a href="/">go on there</a>.</p>${newLink}`;

export function page(context: Context, status: 200 | 401 | 403 | 429, title: string, body: string) {
  context.header("Cache-Control", "no-store");
  return context.html(
    `<!doctype html><html lang="en-CA"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><body style="margin:0;background:#eef2e9;color:#101a2b;font:16px/1.5 system-ui"><main style="box-sizing:border-box;max-width:32rem;margin:12vh auto;padding:32px;border:1px solid #c9d3c2;border-top:6px solid #0d2140;background:#fafcf6"><h1 style="margin:0;font-size:1.45rem">${title}</h1>${body}</main></body></html>`,
    status,
  );
}
