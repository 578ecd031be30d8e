import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { createSceneServer, plainServer } from "#tests/reliability/scene-server.ts";
import { startShippedNginx } from "#tests/shipped-nginx.ts";
import { newFolder } from "#tests/test-folder.ts";
import { hasProgram } from "../../scripts/install-debian-packages.ts";

type Asked = { path: string; body?: unknown; from?: string; headers?: Record<string, string> };

/** As a visitor at an address of the loopback network. */
async function ask(port: number, { path: target, body, from = "127.0.0.9", headers = {} }: Asked) {
  const text = body === undefined ? null : JSON.stringify(body);
  const request = httpsRequest({
    host: "127.0.0.1",
    port,
    path: target,
    localAddress: from,
    rejectUnauthorized: false,
    method: text === null ? "GET" : "POST",
    headers: { Host: "www.example.com", "Content-Type": "application/json", ...headers },
    agent: false,
  });
  request.end(text ?? undefined);
  const [response] = await once(request, "response");
  response.resume();
  await once(response, "end");
  return response.statusCode as number;
}

async function untilAnswered(port: number) {
  await expect.poll(() => ask(port, { path: "/readyz" }).catch(() => 0)).toBe(200);
}

const message = (email: string) => ({ firstName: "D", lastName: "R", email, message: "Hello" });

describeOnEachDatabase(
  "two instances",
  (database) => {
    test("the shipped nginx before two instances on PostgreSQL: visitors notice nothing when one is killed", async (context) => {
      if (!hasProgram("nginx")) context.skip();
      const settings = {
        DATA_DIR: newFolder(),
        DATABASE_URL: database.settings.databaseUrl ?? "",
        TRUSTED_PROXIES: "127.0.0.1",
        LOG_LEVEL: "error",
      };
      // Both at once, on an empty database.
      const servers = [0, 1].map(() => createSceneServer({ settings, script: plainServer }));
      onTestFinished(async () => void (await Promise.all(servers.map((server) => server.kill()))));
      await Promise.all(servers.map((server) => server.start()));
      const ports = servers.map(({ origin }) => Number(new URL(origin ?? "").port));
      const { http, https, stop } = await startShippedNginx(ports as [number, number]);
      onTestFinished(stop);
      await untilAnswered(https);

      const plain = httpRequest({ host: "127.0.0.1", port: http, path: "/contact?x=1" }).end();
      const [redirect] = await once(plain, "response");
      redirect.resume();
      expect([redirect.statusCode, redirect.headers.location]).toEqual([
        308,
        "https://www.example.com/contact?x=1",
      ]);
      expect(await ask(https, { path: "/contact", headers: { Host: "example.com" } })).toBe(308);

      const acknowledged: string[] = [];
      const refused: number[] = [];
      const reads: number[] = [];
      const visitors = Array.from({ length: 8 }, async (_, visitor) => {
        for (let n = 0; n < 8; n += 1) {
          const email = `${visitor}-${n}-${randomUUID().slice(0, 8)}@lopes.example`;
          const from = `127.0.1.${visitor + 1}`;
          const body = message(email);
          const status = await ask(https, { path: "/functions/v1/send-contact-email", body, from });
          if (status === 200) acknowledged.push(email);
          else refused.push(status);
          reads.push(
            await ask(https, { path: "/rest/v1/final_newsletters?select=id&limit=1", from }),
          );
          if (visitor === 0 && n === 2) await servers[1]?.kill();
        }
      });
      await Promise.all(visitors);

      expect(new Set(reads)).toEqual(new Set([200]));
      // The other instance finished the killed one's requests.
      expect(refused).toEqual([]);
      const stored = await database.db.selectFrom("contact_messages").select("email").execute();
      const emails = stored.map(({ email }) => email);
      expect(emails.toSorted()).toEqual(acknowledged.toSorted());
    });
  },
  { migrated: false, kinds: ["postgres"] },
);

/** Stands in for an instance: has the files of its release and notes the paths it is asked for. */
async function startFilesOf(paths: string[]) {
  const asked: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    asked.push(url);
    response.writeHead(paths.includes(url) ? 200 : 404).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, asked };
}

/** The shipped nginx before two stand-ins, the second of which may have other files. */
async function startBefore(paths: string[], { older = paths } = {}) {
  const [one, two] = [await startFilesOf(paths), await startFilesOf(older)];
  const { https, stop } = await startShippedNginx([one.port, two.port]);
  onTestFinished(stop);
  await untilAnswered(https);
  return { https, one, two };
}

test("the shipped nginx finds a release's files while only one instance has them", async (context) => {
  if (!hasProgram("nginx")) context.skip();
  const paths = ["/readyz", "/assets/new-D3qV4ydW.js"];
  const { https, one: updated, two: older } = await startBefore(paths, { older: ["/readyz"] });
  for (let n = 0; n < 4; n += 1) {
    expect(await ask(https, { path: "/assets/new-D3qV4ydW.js" })).toBe(200);
  }
  expect(older.asked).toContain("/assets/new-D3qV4ydW.js");
  expect(await ask(https, { path: "/assets/none-D3qV4ydW.js" })).toBe(404);
  // A page that neither has is asked for once.
  const before = updated.asked.length + older.asked.length;
  expect(await ask(https, { path: "/no-such-page" })).toBe(404);
  expect(updated.asked.length + older.asked.length).toBe(before + 1);
});

test("the shipped nginx refuses an address that asks too often, and no other", async (context) => {
  if (!hasProgram("nginx")) context.skip();
  const { https } = await startBefore(["/", "/readyz"]);
  const rude = await Promise.all(
    Array.from({ length: 150 }, () => ask(https, { path: "/", from: "127.0.2.1" })),
  );
  expect(new Set(rude)).toEqual(new Set([200, 429]));
  expect(await ask(https, { path: "/", from: "127.0.2.2" })).toBe(200);
});

test("the shipped nginx lets five readers in one office open an issue of ninety pictures at once", async (context) => {
  if (!hasProgram("nginx")) context.skip();
  const pictures = Array.from({ length: 90 }, (_, n) => `/pictures/${n}.jpg`);
  const paths = ["/newsletter/1", "/readyz", ...pictures];
  const { https } = await startBefore(paths);
  const asked = Array.from({ length: 5 }, () => ["/newsletter/1", ...pictures]).flat();
  const answers = await Promise.all(asked.map((path) => ask(https, { path, from: "127.0.2.3" })));
  expect(new Set(answers)).toEqual(new Set([200]));
});
