import { expect, test } from "vitest";
import { createPageCache, nextTorontoMidnight } from "./page-cache.ts";

const home = { key: "/", keptMs: 1_000 };
// Noon in Toronto.
const noon = Date.parse("2026-11-21T17:00:00Z");

function cacheWith(render: (key: string) => Promise<Response>, start = noon) {
  const clock = { time: start };
  return { clock, cache: createPageCache({ render, now: () => clock.time }) };
}

function page(words: string, status = 200, headers: Record<string, string> = {}) {
  return new Response(words, { status, headers: { "content-type": "text/html", ...headers } });
}

function wordsOf(answer: { variants: { identity: { body: Buffer } } } | null) {
  return answer?.variants.identity.body.toString();
}

test("renders once for everyone who asks while the page is being made", async () => {
  let renders = 0;
  const { cache } = cacheWith(async () => {
    renders += 1;
    return page("home");
  });
  const answers = await Promise.all(Array.from({ length: 20 }, () => cache.make(home)));
  expect(renders).toBe(1);
  expect(new Set(answers).size).toBe(1);
  expect(wordsOf(cache.find(home))).toBe("home");
});

test("gives the old answer for a moment while it makes the new one", async () => {
  let version = 1;
  const { cache, clock } = cacheWith(async () => page(`version ${version}`));
  await cache.make(home);
  version = 2;
  clock.time += 1_100;
  expect(wordsOf(cache.find(home))).toBe("version 1");
  await cache.make(home);
  expect(wordsOf(cache.find(home))).toBe("version 2");
});

test("gives nothing that is more than two seconds old of a page that is kept for one", async () => {
  const { cache, clock } = cacheWith(async () => page("home"));
  await cache.make(home);
  clock.time += 2_000;
  expect(cache.find(home)).toBeNull();
});

test("lets every page go when the day changes in Toronto", async () => {
  const lastSecond = Date.parse("2026-11-22T04:59:59Z");
  const { cache, clock } = cacheWith(async () => page("Saturday"), lastSecond);
  await cache.make({ key: "/", keptMs: 600_000 });
  expect(wordsOf(cache.find(home))).toBe("Saturday");
  clock.time += 1_000;
  expect(cache.find(home)).toBeNull();
});

test("keeps no failure, no missing page and nothing that asks not to be stored", async () => {
  for (const answer of [
    () => page("broken", 500),
    () => page("error card", 503),
    () => page("not found", 404),
    () => page("private", 200, { "cache-control": "no-store" }),
  ]) {
    const { cache } = cacheWith(async () => answer());
    expect(wordsOf(await cache.make(home))).toBeDefined();
    expect(cache.find(home)).toBeNull();
  }
});

test("forgets a render that threw, and renders again for the next request", async () => {
  let fails = true;
  const { cache } = cacheWith(async () => {
    if (fails) throw new Error("no database");
    return page("home");
  });
  await expect(cache.make(home)).rejects.toThrow("no database");
  fails = false;
  expect(wordsOf(await cache.make(home))).toBe("home");
});

test("lets the pages that were made first go when there are too many", async () => {
  const cache = createPageCache({ render: async (key) => page(key), maxEntries: 3 });
  const keys = ["/newsletter/1", "/newsletter/2", "/newsletter/3", "/newsletter/4"];
  for (const key of keys) await cache.make({ key, keptMs: 60_000 });
  expect(keys.filter((key) => cache.find({ key, keptMs: 60_000 }))).toEqual(keys.slice(1));
});

test("compresses an unchanged page once, however often it is made", async () => {
  const { cache } = cacheWith(async () => page("home"));
  const first = await cache.make(home);
  expect((await cache.make(home)).variants.br.body).toBe(first.variants.br.body);
});

test("knows midnight in Toronto on the days when the clocks change", () => {
  const springForward = nextTorontoMidnight(Date.parse("2026-03-08T06:00:00Z"));
  expect(new Date(springForward).toISOString()).toBe("2026-03-09T04:00:00.000Z");
  const fallBack = nextTorontoMidnight(Date.parse("2026-11-01T06:00:00Z"));
  expect(new Date(fallBack).toISOString()).toBe("2026-11-02T05:00:00.000Z");
});
