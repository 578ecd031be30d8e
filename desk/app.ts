import { randomBytes } from "node:crypto";
import path from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { isDatabaseAway } from "#db/describe-causes.ts";
import { findPicture, readPictureBytes } from "#db/pictures.ts";
import { deskPolicy, securityHeaders } from "#server/document.ts";
import { createClientAddressReader } from "#server/http.ts";
import { logoPath, logoPolicy, projectRoot } from "#settings/settings.ts";
import type { createDesk } from "./desk.ts";
import type { Desk } from "./desk-context.ts";
import { createGate, createLinkDoor, type DoorEnv } from "./door.ts";
import { createPasskeyDoor } from "./passkey-door.ts";

/** A list of 100,000 subscribers with every column that a tool exports. A backup is as large as it is, and an owner's. */
const uploadMaxBytes = 64 * 1024 * 1024;

const folder = path.join(projectRoot, "build");

type DeskParts = { desk: Desk; ownName: string; createPages: typeof createDesk };

/**
 * The whole desk as a function from a request to its answer, and the link that opens it: by passkey at the address that it
 * is set to have, and otherwise by the link alone, on this machine. `ownName` is a host's name that no other program has.
 */
export function createDeskApp({ desk, ownName, createPages }: DeskParts) {
  const { config, store, now, reportError } = desk;
  const { deskPort: port } = config;
  const address = config.deskAddress;
  const here = [`127.0.0.1:${port}`, `localhost:${port}`];
  const ownHost = `${ownName}:${port}`;
  // A proxy passes the address's own host on, or asks by the desk's.
  const hosts = address ? [...here, new URL(address).host] : [...here, ownHost];
  const origins = address ? [address] : hosts.map((host) => `http://${host}`);
  const url = address ?? `http://${here[0]}`;
  const pages = createPages(desk, hosts);
  const addressOf = createClientAddressReader([...config.trustedProxies, "127.0.0.0/8", "::1"]);
  const links = createLinkDoor({ ownHost, now });
  const door = address
    ? createPasskeyDoor({
        db: store.db,
        address,
        siteName: config.siteName,
        now,
        addressOf: ({ req, env }) =>
          addressOf({
            socketAddress: env?.incoming?.socket.remoteAddress ?? "127.0.0.1",
            forwardedFor: req.header("X-Forwarded-For") ?? null,
          }),
      })
    : links.door;

  const app = new Hono<DoorEnv>()
    .use(async (context, next) => {
      const nonce = randomBytes(16).toString("base64");
      context.set("nonce", nonce);
      await next();
      const { headers } = context.res;
      for (const [name, value] of Object.entries(securityHeaders({ url, isPrivate: true })))
        context.header(name, value);
      // Previews have a stricter one.
      if (!headers.has("Content-Security-Policy")) {
        context.header("Content-Security-Policy", deskPolicy(nonce));
      }
    })
    .use(createGate({ hosts, origins }))
    .use(
      "/desk/*",
      serveStatic({
        root: path.join(folder, "desk", "client"),
        rewriteRequestPath: (address) => address.replace(/^\/desk/, ""),
      }),
    )
    .use("/favicon.svg", serveStatic({ root: path.join(folder, "client") }))
    .use(door)
    .get("/session", (context) => context.body(null, 204))
    .use(async (context, next) => {
      const { siteLogo } = config;
      if (!siteLogo || context.req.path !== logoPath(siteLogo.type)) return await next();
      const type = siteLogo.type === "svg" ? "image/svg+xml" : "image/png";
      return context.body(siteLogo.bytes, 200, {
        "Content-Type": type,
        "Cache-Control": "no-cache",
        ...logoPolicy,
      });
    })
    .use(serveStatic({ root: path.join(folder, "client") }))
    .get("/pictures/:name", async (context) => {
      const picture = await findPicture(store.db, context.req.path);
      if (!picture) return context.notFound();
      const bytes = await readPictureBytes(store.db, picture.hash);
      return context.body(bytes, 200, { "Content-Type": picture.type });
    })
    .use(async (context, next) => {
      await next();
      context.header("Cache-Control", "no-store");
    })
    .use(bodyLimit({ maxSize: uploadMaxBytes }))
    .all("*", (context) => pages(context.req.raw, context.get("nonce"), context.get("visitor")))
    .onError((error, context) => {
      reportError(error);
      if (isDatabaseAway(error)) return context.text("The database does not answer.\n", 503);
      return context.text("The desk could not do that.\n", 500);
    });
  return { app, link: address ? null : `${url}/open?token=${links.token}` };
}
