import pino from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import { createRest } from "#api/rest.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import { prepareIssueBody } from "#issue-body/prepare-issue-body.ts";
import { readArchiveVersion } from "#newsletter/archive-version.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { loadIssue } from "../issue/load-issue.server.ts";
import { type ArchiveIndex, currentArchive, numberAt, placeOf } from "./archive-index.server.ts";
import { type BodiesAccess, readerOfIssues, readTimeoutMs } from "./issues-client.server.ts";
import { loadArchive } from "./load-archive.server.ts";

const settings: SiteSettings = {
  url: "http://localhost:3000",
  name: "Chalkline",
  email: "hello@chalkline.example",
  phone: "+1 416 555 0142",
  street: "1 Example Street",
  postalCode: "M5V 0A1",
  profileUrl: "https://profile.example/chalkline",
  scheduling: { assetHost: "", url: "", contactUrl: "" },
  hostedBackend: null,
};

type Answer = (request: Request) => Response | Promise<Response>;

function accessThrough(answer: Answer) {
  const errors: unknown[] = [];
  const access: BodiesAccess = {
    // Of its own, since what is known of a site's archive is kept by its settings.
    settings: { ...settings },
    preparedBodyOf: async ({ content_markdown }) => prepareIssueBody(content_markdown),
    backendFetch: async (request) => answer(request),
    archiveVersion: null,
    reportError: (error) => errors.push(error),
    origin: { clientAddress: null },
  };
  return { access, errors };
}

function rowOf(id: number | string, change: Record<string, unknown> = {}) {
  return {
    id,
    title: `Issue ${id}`,
    content_markdown: "<p>Words</p>",
    publish_date: "2026-11-16",
    ...change,
  };
}

describeOnEachDatabase("issues read from the built-in backend", (database) => {
  const asked: string[] = [];

  function access() {
    asked.length = 0;
    const routes = createRest({ db: database.db, log: pino({ level: "silent" }) });
    const { pathname } = new URL("/rest/v1", settings.url);
    return accessThrough((request) => {
      asked.push(new URL(request.url).search);
      return routes.fetch(new Request(request.url.replace(pathname, ""), request));
    }).access;
  }

  async function insert(...ids: number[]) {
    for (let at = 0; at < ids.length; at += 500) {
      const values = ids.slice(at, at + 500).map((id) => ({ ...rowOf(id), id }));
      await database.db.insertInto("final_newsletters").values(values).execute();
    }
  }

  const remove = (...ids: number[]) =>
    database.db.deleteFrom("final_newsletters").where("id", "in", ids).execute();
  const idsOf = ({ heads }: ArchiveIndex) => heads.map(({ id }) => id);
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => count - index);

  test("come newest first, whatever their ids are, and are numbered from the oldest", async () => {
    await insert(7, 3, 12);
    const archive = await currentArchive(access());
    expect(idsOf(archive)).toEqual([12, 7, 3]);
    expect(placeOf(archive, 7)).toEqual({ position: 1, isThere: true });
    expect(numberAt(archive, 1)).toBe(2);
    expect(placeOf(archive, 5)).toEqual({ position: 2, isThere: false });
  });

  test("an empty table is no failure", async () => {
    expect(await currentArchive(access())).toEqual({ heads: [], total: 0 });
  });

  test("one read of thirty heads tells that nothing has changed, of 3 issues and of 2,000", async () => {
    for (const count of [3, 2_000]) {
      await database.db.deleteFrom("final_newsletters").execute();
      await insert(...upTo(count));
      const site = access();
      expect(idsOf(await currentArchive(site))).toEqual(upTo(count));
      asked.length = 0;
      const again = await currentArchive(site);
      expect(again.total).toBe(count);
      expect(asked).toEqual(["?select=id%2Ctitle%2Cpublish_date&order=id.desc&limit=30"]);
    }
  });

  test("a published issue is seen by that one read, with every body left alone", async () => {
    await insert(...upTo(2_000));
    const site = access();
    await currentArchive(site);
    await insert(2_001);
    asked.length = 0;
    expect(idsOf(await currentArchive(site))).toEqual(upTo(2_001));
    expect(asked).toHaveLength(1);
    expect(asked.join()).not.toContain("content_markdown");
  });

  test("a removed and an imported issue are found by counting, wherever they stand", async () => {
    const every = upTo(4_001);
    await insert(...every.filter((id) => id !== 1_234));
    const site = access();
    await currentArchive(site);
    asked.length = 0;
    await remove(77);
    expect(idsOf(await currentArchive(site))).toEqual(
      every.filter((id) => id !== 77 && id !== 1_234),
    );
    expect(asked.length).toBeLessThanOrEqual(5);
    await insert(1_234);
    await currentArchive(site);
    await remove(4_000, 3_000);
    const left = every.filter((id) => ![77, 3_000, 4_000].includes(id));
    expect(idsOf(await currentArchive(site))).toEqual(left);
    await remove(...left.filter((id) => id % 4 > 0).slice(0, 2_000));
    const rest = new Set(left.filter((id) => id % 4 > 0).slice(0, 2_000));
    expect(idsOf(await currentArchive(site))).toEqual(left.filter((id) => !rest.has(id)));
  });

  /** With the word that tells of changes. */
  function accessWithVersion() {
    return { ...access(), archiveVersion: () => readArchiveVersion(database.db) };
  }

  test("nothing is read where the archive's version says that nothing has changed", async () => {
    await insert(...upTo(40));
    const site = accessWithVersion();
    const before = await currentArchive(site);
    asked.length = 0;
    expect(await currentArchive(site)).toBe(before);
    expect(asked).toEqual([]);
    await remove(5);
    expect(idsOf(await currentArchive(site))).toEqual(upTo(40).filter((id) => id !== 5));
    expect(asked).not.toEqual([]);
  });

  test("a change that could not be read is looked for again, though the version is known", async () => {
    await insert(...upTo(4_001));
    const site = accessWithVersion();
    await currentArchive(site);
    await remove(7);
    const { backendFetch } = site;
    let answers = 1;
    site.backendFetch = async (...parameters) => {
      if (answers === 0) throw new Error("connection refused");
      answers -= 1;
      return (await backendFetch?.(...parameters)) ?? Response.error();
    };
    await expect(currentArchive(site)).rejects.toThrow("The issues can't be read");
    site.backendFetch = backendFetch;
    expect((await currentArchive(site)).total).toBe(4_000);
  });

  test("a title that was changed far down is read again after five minutes, and only then", async () => {
    await insert(...upTo(40));
    const site = accessWithVersion();
    const clock = vi.spyOn(performance, "now");
    onTestFinished(() => clock.mockRestore());
    const titleOfFirst = async () => (await currentArchive(site)).heads.at(-1)?.title;
    expect(await titleOfFirst()).toBe("Issue 1");
    const startedAt = performance.now();
    clock.mockImplementation(() => startedAt + 6 * 60_000);
    asked.length = 0;
    expect(await titleOfFirst()).toBe("Issue 1");
    expect(asked).toEqual([]);
    await database.db
      .updateTable("final_newsletters")
      .set({ title: "Mended" })
      .where("id", "=", 1)
      .execute();
    await titleOfFirst();
    await expect.poll(titleOfFirst).toBe("Mended");
    clock.mockImplementation(() => startedAt + 12 * 60_000);
    asked.length = 0;
    await titleOfFirst();
    expect(asked).toEqual([]);
  });

  test("a version that can't be read is no failure", async () => {
    await insert(3);
    const site = { ...access(), archiveVersion: () => Promise.reject(new Error("away")) };
    expect(idsOf(await currentArchive(site))).toEqual([3]);
    expect(idsOf(await currentArchive(site))).toEqual([3]);
  });

  test("an id between two others has no body", async () => {
    await insert(3, 7);
    const reader = readerOfIssues(access());
    expect(await reader.issue(5)).toBeNull();
    expect(await reader.issue(7)).toMatchObject({ id: 7, content_markdown: "<p>Words</p>" });
  });
});

test("reads on where the server gives fewer rows at a time than there are", async () => {
  const ids = Array.from({ length: 2_300 }, (_, index) => 2_300 - index);
  const maxRows = 100;
  const { access } = accessThrough((request) => {
    const { searchParams } = new URL(request.url);
    const below = Number(searchParams.get("id")?.replace("lt.", "") ?? Number.POSITIVE_INFINITY);
    const found = ids.filter((id) => id < below);
    const rows = found.slice(0, Math.min(maxRows, Number(searchParams.get("limit"))));
    const range = `0-${rows.length - 1}/${found.length}`;
    const headers = { "Content-Range": range };
    return Response.json(
      rows.map((id) => rowOf(id)),
      { status: 206, headers },
    );
  });
  const archive = await currentArchive(access);
  expect(archive.heads.map(({ id }) => id)).toEqual(ids);
});

test("who asks after a change isn't given what was being read before it, and all of them share one read", async () => {
  let ids = [2, 1];
  let reads = 0;
  const firstIsAnswered = Promise.withResolvers<void>();
  const { access } = accessThrough(async () => {
    reads += 1;
    const rows = ids.map((id) => rowOf(id));
    if (reads === 1) await firstIsAnswered.promise;
    return Response.json(rows);
  });
  const before = currentArchive(access);
  await expect.poll(() => reads).toBe(1);
  ids = [1];
  const after = [currentArchive(access), currentArchive(access)];
  firstIsAnswered.resolve();
  expect((await before).heads.map(({ id }) => id)).toEqual([2, 1]);
  for (const archive of after) expect((await archive).heads.map(({ id }) => id)).toEqual([1]);
  expect(reads).toBe(2);
  expect((await currentArchive(access)).heads).toHaveLength(1);
  expect(reads).toBe(3);
});

test("takes ids that arrive as text, and rows whose title, body or date is missing", async () => {
  const { access } = accessThrough(() =>
    Response.json([rowOf("7", { title: null, content_markdown: null, publish_date: null })]),
  );
  expect(await readerOfIssues(access).issue(7)).toEqual({
    id: 7,
    title: "",
    content_markdown: "",
    publish_date: null,
  });
});

const tableMissing = {
  code: "PGRST205",
  message: "Could not find the table 'public.final_newsletters' in the schema cache",
  details: null,
  hint: null,
};

const failures: [string, Answer][] = [
  ["a missing table", () => Response.json(tableMissing, { status: 404 })],
  ["an empty 404", () => new Response("", { status: 404 })],
  ["a 404 with a list", () => Response.json([], { status: 404 })],
  ["an empty answer", () => new Response(null, { status: 204 })],
  ["a web page in place of rows", () => new Response("<!doctype html><p>Hello")],
  ["rows of another table", () => Response.json([{ id: "a", name: "b" }])],
  ["a server that is starting", () => Response.json({ message: "wait" }, { status: 503 })],
  ["an outage", () => Promise.reject(new Error("connection refused"))],
];

test.each(failures)("%s is a failed read, asked for once and reported", async (_name, answer) => {
  const ask = vi.fn(answer);
  const { access, errors } = accessThrough(ask);
  expect(await loadArchive(access, "")).toEqual({ archive: { state: "failed" }, status: 503 });
  expect(ask).toHaveBeenCalledOnce();
  expect(errors).toHaveLength(1);
});

test("a failed read of one issue is not taken for a missing issue", async () => {
  const { access } = accessThrough(() => Response.json(tableMissing, { status: 404 }));
  expect(await loadIssue(access, "1")).toEqual({ page: { state: "failed" }, status: 503 });
});

test("a backend that never answers is given up after the time that a visitor waits", async () => {
  const { access } = accessThrough(() => new Promise<Response>(() => {}));
  const startedAt = performance.now();
  const { status } = await loadArchive(access, "");
  expect(status).toBe(503);
  expect(performance.now() - startedAt).toBeGreaterThan(readTimeoutMs - 50);
});
