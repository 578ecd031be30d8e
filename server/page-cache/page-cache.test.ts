import { brotliDecompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { nextTorontoMidnight } from "#content/toronto-time.ts";
import type { PageKey } from "../page-policy/resolve-address.ts";
import { createPageCache, type RenderPage } from "./page-cache.ts";

const pageAt = (key: string, other: Partial<PageKey> = {}): PageKey => ({
  key,
  ttlMs: 1_000,
  status: 200,
  varies: false,
  isData: false,
  showsIssues: false,
  issueId: null,
  whenMissing: null,
  ...other,
});
const home = pageAt("/");
const missingIssue = pageAt("/newsletter/0", { status: 404 });
const issue = (id: number) =>
  pageAt(`/newsletter/${id}`, { varies: true, whenMissing: missingIssue });
// Noon in Toronto.
const noon = Date.parse("2026-11-21T17:00:00Z");

/** What makes pages, without a queue. */
function rendering(answer: (key: string) => Promise<Response>): RenderPage {
  return async ({ key }, _asker, read) => read(await answer(key));
}

function cacheWith(answer: (key: string) => Promise<Response>, start = noon) {
  const clock = { time: start };
  return {
    clock,
    cache: createPageCache({ render: rendering(answer), now: () => clock.time }),
  };
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
  await cache.make(pageAt("/", { ttlMs: 600_000 }));
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

test("lets the issues that were made first go when there are too many, and never another page", async () => {
  const cache = createPageCache({
    render: rendering(async (key) => page(key)),
    varyingMaxEntries: 3,
  });
  const issues = [1, 2, 3, 4].map(issue);
  await cache.make(home);
  for (const one of issues) await cache.make(one);
  expect(issues.filter((one) => cache.find(one))).toEqual(issues.slice(1));
  expect(cache.find(home)).not.toBeNull();
});

test("answers each issue that doesn't exist with the one page that says so, made once", async () => {
  const rendered: string[] = [];
  const { cache } = cacheWith(async (key) => {
    rendered.push(key);
    const said = key === "/newsletter/0" ? "no such issue" : "";
    return page(said, 404, { "cache-control": "no-store" });
  });
  for (const id of [7, 8, 9]) {
    const answer = await cache.make(issue(id));
    expect([answer.status, wordsOf(answer)]).toEqual([404, "no such issue"]);
    expect(cache.find(issue(id))).toBeNull();
  }
  expect(rendered.filter((key) => key === "/newsletter/0")).toHaveLength(1);
});

test("a page whose words have changed is answered before it is as small as it can be, and made small then", async () => {
  let words = "first";
  const { cache, clock } = cacheWith(async () => page(words.repeat(500)));
  expect((await cache.make(home)).effort).toBe("thorough");
  words = "second";
  clock.time += 2_000;
  expect((await cache.make(home)).effort).toBe("quick");
  await expect.poll(() => cache.find(home)?.effort).toBe("thorough");
  expect(wordsOf(cache.find(home))).toBe(words.repeat(500));
});

describe("one of many pages", () => {
  const words = Array.from({ length: 2_000 }, (_, n) => `job ${(n * 7919) % 613} `).join("");
  const effortOf = (answer: { effort: string } | null) => answer?.effort;

  test("is made small after it has been answered, its data isn't; of many at once the first alone, and others when asked again", async () => {
    const { cache, clock } = cacheWith(async () => page(words));
    const issues = Array.from({ length: 12 }, (_, index) => issue(index + 1));
    const askAll = () => Promise.all(issues.map((one) => cache.make(one)));
    const small = () => issues.filter((one) => effortOf(cache.find(one)) === "thorough").length;
    const data = { ...issue(50), isData: true };
    expect(effortOf(await cache.make(home))).toBe("thorough");
    await cache.make(data);
    const answers = await askAll();
    expect(new Set(answers.map(effortOf))).toEqual(new Set(["quick"]));
    await expect.poll(() => small()).toBe(8);
    expect(effortOf(cache.find(data))).toBe("quick");
    clock.time += 500;
    await askAll();
    await expect.poll(() => small()).toBe(9);
    clock.time += 1_500;
    await askAll();
    await expect.poll(() => small()).toBe(12);
    const before = answers.at(-1)?.variants.br ?? expect.fail();
    const after = cache.find(issue(12))?.variants.br ?? expect.fail();
    expect(after.body.length).toBeLessThan(before.body.length);
    expect(after.etag).not.toBe(before.etag);
    expect(brotliDecompressSync(after.body).toString()).toBe(words);
    expect(after.headers).toContain("text/html");
  });
});

describe("a page that shows issues", () => {
  const shown = { ...issue(3), showsIssues: true };

  function countedCache(archiveVersion: () => Promise<string>) {
    const clock = { time: noon };
    const made: string[] = [];
    const cache = createPageCache({
      archiveVersion,
      render: rendering(async () => {
        made.push("page");
        return page(`issue 3, the ${made.length}.`);
      }),
      now: () => clock.time,
    });
    return { cache, clock, made };
  }

  test("is made anew where an issue has changed, and goes on being given where none has", async () => {
    let version = "a";
    const { cache, clock, made } = countedCache(async () => version);
    await cache.make(shown);
    for (let second = 0; second < 60; second += 1) {
      clock.time += 2_000;
      expect(cache.find(shown)).toBeNull();
      expect(wordsOf(await cache.make(shown))).toBe("issue 3, the 1.");
    }
    version = "b";
    clock.time += 2_000;
    expect(wordsOf(await cache.make(shown))).toBe("issue 3, the 2.");
    clock.time += 11 * 60_000;
    expect(wordsOf(await cache.make(shown))).toBe("issue 3, the 3.");
    expect(made).toHaveLength(3);
  });

  test("is made anew where the version isn't known, and on another day", async () => {
    let version: () => Promise<string> = async () => "a";
    const { cache, clock, made } = countedCache(() => version());
    await cache.make(shown);
    version = () => Promise.reject(new Error("no database"));
    clock.time += 2_000;
    await cache.make(shown);
    version = async () => "a";
    clock.time += 2_000;
    await cache.make(shown);
    expect(made).toHaveLength(3);
    clock.time = nextTorontoMidnight(noon) + 1;
    await cache.make(shown);
    expect(made).toHaveLength(4);
  });
});

test("an issue that is known not to be there is never made", async () => {
  const rendered: string[] = [];
  const known: (boolean | null)[] = [false, true, null];
  const cache = createPageCache({
    hasIssue: async (id) => known[id - 1] ?? null,
    render: rendering(async (key) => {
      rendered.push(key);
      return page(key, key === "/newsletter/0" ? 404 : 200);
    }),
  });
  for (const issueId of [1, 2, 3]) {
    const answer = await cache.make({ ...issue(issueId), issueId });
    expect(answer.status).toBe(issueId === 1 ? 404 : 200);
  }
  expect(rendered).toEqual(["/newsletter/0", "/newsletter/2", "/newsletter/3"]);
});

describe("while a page can't be made", () => {
  const outages: [string, () => Promise<Response>][] = [
    ["an error card", async () => page("error card", 503)],
    ["a failure", async () => page("broken", 500)],
    ["a throw", () => Promise.reject(new Error("no database"))],
  ];

  test.each(outages)("gives the last good one in place of %s", async (_name, outage) => {
    let answer = async () => page("issue 3", 200, { "cache-control": "public, s-maxage=5" });
    const { cache, clock } = cacheWith(() => answer());
    await cache.make(issue(3));
    answer = outage;
    clock.time += 60_000;
    expect(cache.find(issue(3))).toBeNull();
    const stale = await cache.make(issue(3));
    expect([stale.status, wordsOf(stale)]).toEqual([200, "issue 3"]);
    expect(stale.variants.br.headers.join(" ")).toContain(
      "cache-control public, max-age=0, must-revalidate",
    );
    // Nobody waits for the next attempt, which comes in a moment.
    expect(wordsOf(cache.find(issue(3)))).toBe("issue 3");
    clock.time += 1_000;
    expect(cache.find(issue(3))).toBeNull();
  });

  test("gives the last good one to those who would have to wait for a database that hangs", async () => {
    let answer = async () => page("issue 3");
    const { cache, clock } = cacheWith(() => answer());
    await cache.make(issue(3));
    answer = () => new Promise<Response>(() => {});
    clock.time += 60_000;
    expect(wordsOf(await cache.make(issue(3)))).toBe("issue 3");
    expect(wordsOf(cache.find(issue(3)))).toBe("issue 3");
  });

  test("gives it no longer than a day, and never one that has been removed since", async () => {
    let answer = async () => page("issue 3");
    const { cache, clock } = cacheWith(() => answer());
    await cache.make(issue(3));
    answer = async () => page("gone", 404);
    clock.time += 60_000;
    expect((await cache.make(issue(3))).status).toBe(404);
    answer = async () => page("error card", 503);
    expect((await cache.make(issue(3))).status).toBe(503);

    answer = async () => page("issue 3");
    await cache.make(issue(3));
    answer = async () => page("error card", 503);
    clock.time += 24 * 60 * 60_000;
    expect((await cache.make(issue(3))).status).toBe(503);
  });
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
