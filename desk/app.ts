import { randomBytes } from "node:crypto";
import path from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { findPicture, readPictureBytes } from "#newsletter/pictures.ts";
import { deskPolicy, securityHeaders } from "#server/document.ts";
import { projectRoot } from "#settings/settings.ts";
import type { createDesk } from "./desk.ts";
import type { Desk } from "./desk-context.ts";
import { createDoor } from "./door.ts";

/** A list of 100,000 subscribers with every column that a tool exports. */
const uploadMaxBytes = 64 * 1024 * 1024;

const folder = path.join(projectRoot, "build");

/** The whole desk as a function from a request to its answer, and the link that opens it. */
export function createDeskApp({
  desk,
  createPages,
}: {
  desk: Desk;
  createPages: typeof createDesk;
}) {
  const { config, store, now, reportError } = desk;
  const url = config.deskAddress ?? `http://127.0.0.1:${config.deskPort}`;
  const hosts = [`127.0.0.1:${config.deskPort}`, `localhost:${config.deskPort}`];
  if (config.deskAddress) hosts.push(new URL(config.deskAddress).host);
  const door = createDoor({ hosts, address: config.deskAddress, now });
  const pages = createPages(desk, hosts);

  const app = new Hono<{ Variables: { nonce: string } }>()
    .use(async (context, next) => {
      const nonce = randomBytes(16).toString("base64");
      context.set("nonce", nonce);
      await next();
      const { headers } = context.res;
      const type = headers.get("Content-Type");
      for (const [name, value] of Object.entries(securityHeaders({ url, isPrivate: true }, type))) {
        context.header(name, value);
      }
      // Previews have a stricter one.
      if (!headers.has("Content-Security-Policy")) {
        context.header("Content-Security-Policy", deskPolicy(nonce));
      }
    })
    .use(door.guard)
    .use(
      "/desk/*",
      serveStatic({
        root: path.join(folder, "desk", "client"),
        rewriteRequestPath: (address) => address.replace(/^\/desk/, ""),
      }),
    )
    .use(serveStatic({ root: path.join(folder, "client") }))
    .get("/pictures/:name", async (context) => {
      const picture = store && (await findPicture(store.db, context.req.path));
      if (!store || !picture) return context.notFound();
      const bytes = await readPictureBytes(store.db, picture.hash);
      return context.body(bytes, 200, { "Content-Type": picture.type });
    })
    .use(async (context, next) => {
      await next();
      context.header("Cache-Control", "no-store");
    })
    .use(bodyLimit({ maxSize: uploadMaxBytes }))
    .all("*", (context) => pages(context.req.raw, context.get("nonce")))
    .onError((error, context) => {
      reportError(error);
      return context.text("The desk could not do that.\n", 500);
    });
  return { app, link: `${url}/open?token=${door.token}` };
}
