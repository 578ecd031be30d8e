import { request } from "node:http";
import { expect, test } from "vitest";
import { openStore } from "#operator/open-store.ts";
import { startTestServer } from "#tests/test-server.ts";

const browser = {
  "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0",
  "Sec-Fetch-Dest": "document",
  "Sec-Fetch-Mode": "navigate",
  "Sec-Fetch-Site": "cross-site",
};
const ownPage = { ...browser, "Sec-Fetch-Dest": "empty", "Sec-Fetch-Site": "same-origin" };

test("visits are in the database once the server has stopped, and nothing of who came", async () => {
  const server = await startTestServer();
  const ask = (method: string, target: string, headers: object, body = "") =>
    new Promise<number>((resolve, reject) => {
      const asked = request(
        { port: server.port, method, path: target, headers: { ...headers } },
        (answer) => answer.resume().on("end", () => resolve(answer.statusCode ?? 0)),
      );
      asked.on("error", reject).end(body);
    });

  const link = "/pricing?utm_campaign=Spring&email=dana@example.com";
  const referer = "https://news.example.org/story?reader=dana";
  // Made anew, from memory, and somebody's own.
  for (const target of [link, link, "/search?q=secret"]) {
    expect(await ask("GET", target, { ...browser, Referer: referer })).toBe(200);
  }
  await ask("GET", link, { ...browser, "Sec-GPC": "1" });
  await ask("GET", link, { "User-Agent": "curl/8.16.0" });
  expect(await ask("POST", "/visits?/about", ownPage)).toBe(204);
  expect(await ask("POST", "/visits?booking", ownPage)).toBe(204);
  for (const nothing of [
    "/visits?/nowhere",
    "/visits?x",
    "/visits?//evil.example",
    "/visits?/%ff",
  ]) {
    expect(await ask("POST", nothing, ownPage), nothing).toBe(204);
  }
  expect(await ask("POST", "/visits?booking", ownPage, "with a body")).toBe(204);
  await server.stop();

  const store = await openStore(server.config);
  const rows = await store.db.selectFrom("daily_visits").selectAll().orderBy("name").execute();
  await store.close();
  expect(rows.map(({ kind, name, visits }) => [kind, name, visits])).toEqual([
    ["page", "/about", 1],
    ["page", "/pricing", 2],
    ["page", "/search", 1],
    ["event", "booking opened", 1],
    ["referrer", "news.example.org", 3],
    ["campaign", "spring", 2],
  ]);
  expect(JSON.stringify(rows)).not.toMatch(/dana|secret|Firefox|127\.0/);
});
