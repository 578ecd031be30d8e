import pino from "pino";
import { expect, test, vi } from "vitest";
import { createRestRoutes } from "#backend/rest/rest-routes.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { type IssuesAccess, readIssue, readIssues, readTimeoutMs } from "./issues-client.server.ts";

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
  const access: IssuesAccess = {
    settings,
    backendFetch: async (request) => answer(request),
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
  function access() {
    const routes = createRestRoutes({ db: database.db, log: pino({ level: "silent" }) });
    const { pathname } = new URL("/rest/v1", settings.url);
    return accessThrough((request) =>
      routes.fetch(new Request(request.url.replace(pathname, ""), request)),
    ).access;
  }

  async function insert(...ids: number[]) {
    const values = ids.map((id) => ({ ...rowOf(id), id }));
    await database.db.insertInto("final_newsletters").values(values).execute();
  }

  test("come newest first, whatever their ids are", async () => {
    await insert(7, 3, 12);
    const read = await readIssues(access());
    expect(read.ok && read.issues.map(({ id }) => id)).toEqual([12, 7, 3]);
  });

  test("an issue's number is its position from the oldest, and its neighbours are beside it", async () => {
    await insert(3, 7, 12);
    expect(await readIssue(access(), 7)).toMatchObject({
      ok: true,
      issue: { id: 7, title: "Issue 7" },
      number: 2,
      older: { id: 3 },
      newer: { id: 12 },
    });
    expect(await readIssue(access(), 3)).toMatchObject({ number: 1, older: null });
    expect(await readIssue(access(), 12)).toMatchObject({ number: 3, newer: null });
  });

  test("an id between two others is not found", async () => {
    await insert(3, 7);
    expect(await readIssue(access(), 5)).toEqual({ ok: false, reason: "not_found" });
  });

  test("an empty table is no failure", async () => {
    expect(await readIssues(access())).toEqual({ ok: true, issues: [] });
  });
});

test("the archive's read asks for all columns by id descending", async () => {
  const asked: string[] = [];
  const { access } = accessThrough((request) => {
    asked.push(`${request.method} ${decodeURIComponent(request.url)}`);
    return Response.json([rowOf(1)]);
  });
  await readIssues(access);
  expect(asked).toEqual([
    "GET http://localhost:3000/rest/v1/final_newsletters?select=*&order=id.desc",
  ]);
});

test("reads on where the server gives fewer rows at a time than there are", async () => {
  const ids = Array.from({ length: 2_300 }, (_, index) => 2_300 - index);
  const maxRows = 1_000;
  const { access } = accessThrough((request) => {
    const offset = Number(new URL(request.url).searchParams.get("offset") ?? 0);
    const rows = ids.slice(offset, offset + maxRows).map((id) => rowOf(id));
    const range = `${offset}-${offset + rows.length - 1}/${ids.length}`;
    return Response.json(rows, { status: 206, headers: { "Content-Range": range } });
  });
  const read = await readIssues(access);
  expect(read.ok && read.issues.map(({ id }) => id)).toEqual(ids);
});

test("takes ids that arrive as text, and rows whose title, body or date is missing", async () => {
  const { access } = accessThrough(() =>
    Response.json([rowOf("7", { title: null, content_markdown: null, publish_date: null })]),
  );
  expect(await readIssues(access)).toEqual({
    ok: true,
    issues: [{ id: 7, title: "", content_markdown: "", publish_date: null }],
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
  expect(await readIssues(access)).toEqual({ ok: false, reason: "unavailable" });
  expect(ask).toHaveBeenCalledOnce();
  expect(errors).toHaveLength(1);
});

test("a failed read of one issue is not taken for a missing issue", async () => {
  const { access } = accessThrough(() => Response.json(tableMissing, { status: 404 }));
  expect(await readIssue(access, 1)).toEqual({ ok: false, reason: "unavailable" });
});

test("a backend that never answers is given up after the time that a visitor waits", async () => {
  const { access } = accessThrough(() => new Promise<Response>(() => {}));
  const startedAt = performance.now();
  expect(await readIssues(access)).toEqual({ ok: false, reason: "unavailable" });
  expect(performance.now() - startedAt).toBeGreaterThan(readTimeoutMs - 50);
  expect(performance.now() - startedAt).toBeLessThan(readTimeoutMs + 1_500);
});
