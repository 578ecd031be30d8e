import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "#db/open-database.ts";
import { createGate, type DoorEnv } from "#desk/door.ts";
import { createPasskeyDoor } from "#desk/passkey-door.ts";
import { openStore } from "#newsletter/open-store.ts";
import { inviteToDesk } from "#settings/desk-people.ts";
import { freePort } from "#tests/free-port.ts";
import { createSceneServer, plainServer } from "#tests/reliability/scene-server.ts";
import { startShippedCaddy } from "#tests/shipped-caddy.ts";
import { startShippedNginx } from "#tests/shipped-nginx.ts";
import { createPasskey } from "#tests/software-passkey.ts";
import { newFolder } from "#tests/test-folder.ts";
import { hasProgram } from "../../scripts/install-debian-packages.ts";
import { listMessages } from "../list-messages.ts";

/** A server of the CDN in front. */
const edge = "127.0.2.9";
const proxies = ["nginx", "caddy"] as const;

type Kind = (typeof proxies)[number];

async function startProxy(kind: Kind, sitePort: number) {
  if (kind === "caddy") return await startShippedCaddy([sitePort], { edge });
  const { https: port, reload, stop } = await startShippedNginx([sitePort, sitePort], { edge });
  onTestFinished(stop);
  return { port, reload };
}

async function post(kind: Kind, port: number, path: string, body: string | Buffer, more: object) {
  const request = kind === "caddy" ? httpRequest : httpsRequest;
  const tls: object = { rejectUnauthorized: false };
  const to = { host: "127.0.0.1", port, path, method: "POST", agent: false };
  const sent = request({ ...to, ...tls, ...more });
  sent.end(body);
  const [response] = await once(sent, "response");
  return { response, text: Buffer.concat(await response.toArray()).toString() };
}

test.for(proxies)(
  "the shipped %s behind a CDN names each visitor, believes no visitor, and loses no form while it is reloaded",
  async (kind, context) => {
    if (!hasProgram(kind)) context.skip();
    const settings = {
      DATA_DIR: newFolder(),
      // Caddy passes on the CDN's server too.
      TRUSTED_PROXIES: kind === "caddy" ? `127.0.0.1,${edge}` : "127.0.0.1",
      LOG_LEVEL: "error",
    };
    const site = createSceneServer({ settings, script: plainServer });
    onTestFinished(() => site.kill());
    await site.start();
    const { port, reload } = await startProxy(kind, Number(new URL(site.origin ?? "").port));
    /** A contact form, as the CDN's server passes it on; the answer's status, 0 for none. */
    const send = async ({ forwardedFor, email }: { forwardedFor: string; email: string }) => {
      const body = JSON.stringify({ firstName: "D", lastName: "R", email, message: "Hello" });
      const headers = {
        Host: kind === "caddy" ? `127.0.0.1:${port}` : "www.example.com",
        "Content-Type": "application/json",
        "X-Forwarded-For": forwardedFor,
      };
      const more = { headers, localAddress: edge };
      const sent = post(kind, port, "/functions/v1/send-contact-email", body, more);
      return await sent.then(
        ({ response }) => response.statusCode as number,
        () => 0,
      );
    };
    const claimed = { forwardedFor: "192.0.2.66, 203.0.113.1", email: "claims@lopes.example" };
    await expect.poll(() => send(claimed)).toBe(200);

    const visitors = Array.from({ length: 60 }, (_, n) => ({
      forwardedFor: `203.0.113.${n + 2}`,
      email: `${randomUUID()}@lopes.example`,
    }));
    const answers: number[] = [];
    for (let n = 0; n < visitors.length; n += 6) {
      const reloading = n % 12 === 0 ? reload() : null;
      answers.push(...(await Promise.all(visitors.slice(n, n + 6).map(send))));
      await reloading;
    }
    expect(answers).toEqual(visitors.map(() => 200));

    const open = await openDatabase({ dataDir: settings.DATA_DIR, databaseUrl: null });
    onTestFinished(() => open.close());
    const stored = await listMessages(open.db);
    expect(
      stored.map(({ email, senderAddress }) => `${email} ${senderAddress}`).toSorted(),
    ).toEqual(
      [{ ...claimed, forwardedFor: "203.0.113.1" }, ...visitors]
        .map(({ email, forwardedFor }) => `${email} ${forwardedFor}`)
        .toSorted(),
    );
  },
);

test.for(proxies)(
  "the shipped %s passes the desk on: a sign-in by passkey, and a list of 20 MB",
  async (kind, context) => {
    if (!hasProgram(kind)) context.skip();
    const open = await openStore({ dataDir: newFolder(), databaseUrl: null });
    onTestFinished(() => open.close());
    const deskPort = await freePort();
    const proxy =
      kind === "caddy"
        ? { ...(await startShippedCaddy([deskPort], { deskPort })), stop: async () => {} }
        : await startShippedNginx([deskPort, deskPort], { deskPort });
    onTestFinished(proxy.stop);
    const port = "https" in proxy ? proxy.https : proxy.port;
    const address =
      kind === "caddy" ? `http://desk.example.com:${port}` : "https://desk.example.com";
    const host = new URL(address).host;
    const now = () => new Date();
    const desk = new Hono<DoorEnv>()
      .use(createGate({ hosts: [host], origins: [address] }))
      .use(
        createPasskeyDoor({
          db: open.db,
          address,
          siteName: "Planks",
          now,
          addressOf: ({ req }) => req.header("X-Forwarded-For") ?? null,
        }),
      )
      .all("*", async ({ req, text }) => text(`${(await req.arrayBuffer()).byteLength}`));
    const server = serve({ fetch: desk.fetch, port: deskPort, hostname: "127.0.0.1" });
    onTestFinished(() => void server.close());

    const ask = (path: string, body: string | Buffer, more: object = {}) =>
      post(kind, port, path, body, {
        headers: { Host: host, Origin: address, ...more },
        servername: "desk.example.com",
      });
    const invited = await inviteToDesk(open.db, { name: "Ann", now: now() });
    if (!invited.ok) throw new Error(invited.problem);
    const { token: link } = invited;
    const asked = async () => await ask("/enter/ask", JSON.stringify({ link }));
    await expect.poll(async () => (await asked().catch(() => null))?.response.statusCode).toBe(200);
    const passkey = createPasskey({ origin: address });
    const response = passkey.register(JSON.parse((await asked()).text).options);
    const entered = await ask("/enter/answer", JSON.stringify({ link, response }));
    const [cookie = ""] = entered.response.headers["set-cookie"] ?? [];
    expect(cookie).toMatch(/^__Host-desk=/);
    const list = Buffer.alloc(20 * 1024 * 1024, "a");
    const uploaded = await ask("/subscribers/import", list, { Cookie: cookie.split(";", 1)[0] });
    expect(uploaded.text).toBe(String(list.length));
    expect(uploaded.response.headers["strict-transport-security"]).toBe("max-age=31536000");
  },
);
