import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { Hono } from "hono";
import { sql } from "kysely";
import pino from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { createRestRoutes } from "./rest-routes.ts";

const issueCount = 15;

describeOnEachDatabase("the REST table, asked by supabase-js", (database) => {
  let supabase: SupabaseClient;
  let origin: string;
  let stop: () => Promise<void>;

  beforeEach(async () => {
    const log = pino({ level: "silent" });
    const app = new Hono().route("/rest/v1", createRestRoutes({ db: database.db, log }));
    const server = createAdaptorServer(app) as Server;
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    supabase = createClient(origin, "any-public-key", { auth: { persistSession: false } });
    stop = () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    await database.db
      .insertInto("final_newsletters")
      .values(
        Array.from({ length: issueCount }, (_, index) => ({
          title: `Issue ${index + 1}`,
          content_markdown: `<p>Body ${index + 1}</p>`,
          publish_date: `2026-09-${String(index + 1).padStart(2, "0")}`,
        })),
      )
      .execute();
  });

  afterEach(() => stop());

  const ask = (path: string, init?: RequestInit) => fetch(`${origin}/rest/v1/${path}`, init);

  test("tells a client that asks with a tag whether what it has is still right", async () => {
    const heads = "final_newsletters?select=id,title&order=id.desc&limit=5";
    const body = "final_newsletters?select=*&id=eq.3";
    const first = await Promise.all([ask(heads), ask(body)]);
    const tags = first.map(({ headers }) => headers.get("ETag") ?? "");
    expect(tags.every((tag) => /^W\/"[\w-]{22}"$/.test(tag))).toBe(true);
    const again = async (path: string, tag = "") => {
      const answer = await ask(path, { headers: { "If-None-Match": `"other", ${tag}` } });
      return [answer.status, (await answer.text()).length > 0];
    };
    expect(await again(heads, tags[0])).toEqual([304, false]);
    expect(await again(body, tags[1])).toEqual([304, false]);
    expect(await again(heads, tags[1])).toEqual([200, true]);
    expect(await again(`${heads}&offset=1`, tags[0])).toEqual([200, true]);

    const issues = () => database.db.updateTable("final_newsletters");
    await issues().set({ content_markdown: "<p>Mended</p>" }).where("id", "=", 4).execute();
    expect(await again(heads, tags[0])).toEqual([200, true]);
    expect(await again(body, tags[1])).toEqual([304, false]);
    await issues().set({ content_markdown: "<p>Mended</p>" }).where("id", "=", 3).execute();
    expect(await again(body, tags[1])).toEqual([200, true]);
  });

  test("gives all columns, newest first", async () => {
    const { data, error, status } = await supabase
      .from("final_newsletters")
      .select("*")
      .order("id", { ascending: false });
    expect(error).toBeNull();
    expect(status).toBe(200);
    expect(data?.map(({ id }) => id)).toEqual(
      Array.from({ length: issueCount }, (_, index) => issueCount - index),
    );
    expect(data?.[0]).toEqual({
      id: 15,
      title: "Issue 15",
      content_markdown: "<p>Body 15</p>",
      publish_date: "2026-09-15",
    });
  });

  test("gives the columns asked for, also under another name", async () => {
    const { data } = await supabase
      .from("final_newsletters")
      .select("id, heading:title")
      .order("id")
      .limit(1);
    expect(data).toEqual([{ id: 1, heading: "Issue 1" }]);
    const spaced = await ask("final_newsletters?select=id%2C%20title&limit=1");
    expect(await spaced.json()).toEqual([{ id: 1, title: "Issue 1" }]);
  });

  test("filters by every comparison, by list and by null", async () => {
    const table = () => supabase.from("final_newsletters").select("id").order("id");
    const ids = async (query: PromiseLike<{ data: { id: number }[] | null; error: unknown }>) => {
      const { data, error } = await query;
      expect(error).toBeNull();
      return data?.map(({ id }) => id);
    };
    expect(await ids(table().eq("id", 4))).toEqual([4]);
    expect(await ids(table().gt("id", 13))).toEqual([14, 15]);
    expect(await ids(table().gte("id", 14).lt("id", 15))).toEqual([14]);
    expect(await ids(table().lte("id", 2).neq("id", 1))).toEqual([2]);
    expect(await ids(table().in("id", [3, 1, 99]))).toEqual([1, 3]);
    expect(await ids(table().in("id", []))).toEqual([]);
    expect(await ids(table().not("id", "in", "(1,2,3,4,5,6,7,8,9,10,11,12,13)"))).toEqual([14, 15]);
    expect(await ids(table().is("title", null))).toEqual([]);
    expect(await ids(table().not("title", "is", null).lt("id", 2))).toEqual([1]);
    expect(await ids(table().eq("title", "Issue 7"))).toEqual([7]);
    expect(await ids(table().in("title", ["Issue 7", 'a "quoted", (odd) title']))).toEqual([7]);
    expect(await ids(table().gte("publish_date", "2026-09-14"))).toEqual([14, 15]);
    expect(await ids(table().eq("publish_date", "2026-09-02T10:00:00Z"))).toEqual([2]);
    expect(await ids(table().eq("id", "9223372036854775807"))).toEqual([]);
  });

  test("gives ranges, and the count where it is asked", async () => {
    const page = await supabase
      .from("final_newsletters")
      .select("id", { count: "exact" })
      .order("id")
      .range(5, 9);
    expect(page.data?.map(({ id }) => id)).toEqual([6, 7, 8, 9, 10]);
    expect(page.count).toBe(issueCount);
    expect(page.status).toBe(206);

    const all = await ask("final_newsletters", { headers: { Prefer: "count=exact" } });
    expect([all.status, all.headers.get("Content-Range")]).toEqual([200, "0-14/15"]);
    const uncounted = await ask("final_newsletters?limit=2&offset=3");
    expect([uncounted.status, uncounted.headers.get("Content-Range")]).toEqual([200, "3-4/*"]);
    const none = await ask("final_newsletters?id=eq.99");
    expect([none.status, none.headers.get("Content-Range")]).toEqual([200, "*/*"]);
    const byHeader = await ask("final_newsletters?select=id&order=id", {
      headers: { "Range-Unit": "items", Range: "2-3" },
    });
    expect(byHeader.headers.get("Content-Range")).toBe("2-3/*");
    expect(await byHeader.json()).toEqual([{ id: 3 }, { id: 4 }]);
    const noRows = await ask("final_newsletters?limit=0");
    expect([noRows.status, await noRows.json()]).toEqual([200, []]);
  });

  test("counts without rows", async () => {
    const { count, data } = await supabase
      .from("final_newsletters")
      .select("*", { count: "exact", head: true })
      .gt("id", 10);
    expect(count).toBe(5);
    expect(data).toBeNull();
  });

  test("refuses a range outside of the rows", async () => {
    const past = await supabase
      .from("final_newsletters")
      .select("id", { count: "exact" })
      .range(30, 39);
    expect(past.status).toBe(416);
    expect(past.error).toMatchObject({
      code: "PGRST103",
      message: "Requested range not satisfiable",
      details: "An offset of 30 was requested, but there are only 15 rows.",
    });
    const counted = { headers: { Range: "30-39", Prefer: "count=exact" } };
    const far = await ask("final_newsletters", counted);
    expect(far.headers.get("Content-Range")).toBe("*/15");
    expect((await ask("final_newsletters?limit=-1")).status).toBe(416);
    expect((await ask("final_newsletters", { headers: { Range: "5-2" } })).status).toBe(416);
    expect(await (await ask("final_newsletters?offset=-1")).json()).toMatchObject({
      code: "2201X",
    });
  });

  test("gives one row as an object, and says so where there is not exactly one", async () => {
    const one = await supabase.from("final_newsletters").select("id").eq("id", 3).single();
    expect(one.data).toEqual({ id: 3 });
    const missing = await supabase.from("final_newsletters").select("id").eq("id", 99).single();
    expect(missing.status).toBe(406);
    expect(missing.error).toMatchObject({
      code: "PGRST116",
      message: "Cannot coerce the result to a single JSON object",
      details: "The result contains 0 rows",
      hint: null,
    });
    const many = await supabase.from("final_newsletters").select("id").single();
    expect(many.error?.details).toBe("The result contains 15 rows");
    const maybe = await supabase.from("final_newsletters").select("id").eq("id", 99).maybeSingle();
    expect([maybe.data, maybe.error]).toEqual([null, null]);
  });

  test("refuses to write, and nothing changes", async () => {
    const row = { title: "Mine", content_markdown: "", publish_date: "2026-01-01" };
    const table = supabase.from("final_newsletters");
    const refusals = [
      await table.insert(row),
      await table.insert(row).select(),
      await table.upsert(row),
      await table.update({ title: "Mine" }).eq("id", 1),
      await table.delete().eq("id", 1),
    ];
    for (const { error, status } of refusals) {
      expect(status).toBe(401);
      expect(error).toMatchObject({
        code: "42501",
        message: "permission denied for table final_newsletters",
      });
    }
    const titles = await database.db.selectFrom("final_newsletters").select("title").execute();
    expect(titles.filter(({ title }) => title.startsWith("Issue "))).toHaveLength(issueCount);
  });

  test("refuses every other table, function, schema and path with an object", async () => {
    for (const table of ["subscribers", "contact_messages", "outbox", "marks", "sqlite_master"]) {
      const { data, error, status } = await supabase.from(table).select("*");
      expect([data, status]).toEqual([null, 404]);
      expect(error).toMatchObject({
        code: "PGRST205",
        message: `Could not find the table 'public.${table}' in the schema cache`,
      });
    }
    const rpc = await supabase.rpc("anything");
    expect([rpc.status, rpc.error?.code]).toEqual([404, "PGRST202"]);
    const schema = await supabase.schema("auth").from("users").select("*");
    expect([schema.status, schema.data]).toEqual([404, null]);
    const profile = await supabase.schema("auth").from("final_newsletters").select("*");
    expect([profile.status, profile.error?.code]).toEqual([406, "PGRST106"]);
    for (const path of ["", "a/b", "final_newsletters/1"]) {
      const response = await ask(path);
      expect(response.status).toBe(404);
      expect(response.headers.get("Cache-Control")).toBe("no-store");
      expect(await response.json()).toMatchObject({ code: "PGRST125" });
    }
  });

  test.each([
    ["select=id,secret", "42703", "column final_newsletters.secret does not exist"],
    ["select=other:secret", "42703", "column final_newsletters.secret does not exist"],
    ["secret=eq.1", "42703", "column final_newsletters.secret does not exist"],
    ["order=secret.desc", "42703", "column final_newsletters.secret does not exist"],
    [
      "select=*,authors(name)",
      "PGRST200",
      "Could not find a relationship between 'final_newsletters' and 'authors' in the schema cache",
    ],
    ["select=id.count()", "PGRST123", "Use of aggregate functions is not allowed"],
    ["select=id,", "PGRST100", '"failed to parse select parameter (id,)" (line 1, column 1)'],
    ["order=id.sideways", "PGRST100", '"failed to parse order (id.sideways)" (line 1, column 1)'],
    ["id=5", "PGRST100", '"failed to parse filter (5)" (line 1, column 1)'],
    ["title=ilike.*a*", "PGRST100", '"failed to parse filter (ilike.*a*)" (line 1, column 1)'],
    ["id=in.1", "PGRST100", '"failed to parse filter (in.1)" (line 1, column 1)'],
    ["id=is.here", "PGRST100", '"failed to parse filter (is.here)" (line 1, column 1)'],
    ["or=(id.eq.1)", "PGRST100", '"failed to parse logic tree (or(id.eq.1))" (line 1, column 1)'],
    ["id=eq.abc", "22P02", 'invalid input syntax for type bigint: "abc"'],
    ["id=eq.1;drop", "22P02", 'invalid input syntax for type bigint: "1;drop"'],
    ["id=eq.", "22P02", 'invalid input syntax for type bigint: ""'],
    [
      "id=eq.9223372036854775808",
      "22003",
      'value "9223372036854775808" is out of range for type bigint',
    ],
    ["publish_date=eq.soon", "22007", 'invalid input syntax for type date: "soon"'],
    ["publish_date=eq.2026-02-30", "22008", 'date/time field value out of range: "2026-02-30"'],
    ["title=eq.%00", "22021", 'invalid byte sequence for encoding "UTF8": 0x00'],
  ])("answers %s with 400 and %s", async (query, code, message) => {
    const response = await ask(`final_newsletters?${query}`);
    expect(response.status).toBe(400);
    const body = await response.json();
    expect(Object.keys(body).toSorted()).toEqual(["code", "details", "hint", "message"]);
    expect(body).toMatchObject({ code, message });
  });

  test("bounds rows, query string and headers", async () => {
    await database.db
      .insertInto("final_newsletters")
      .values(
        Array.from({ length: 1_000 }, () => ({
          title: "More",
          content_markdown: "",
          publish_date: "2026-10-01",
        })),
      )
      .execute();
    const all = await supabase.from("final_newsletters").select("id", { count: "exact" });
    expect([all.data?.length, all.count, all.status]).toEqual([1_000, 1_015, 206]);
    const asked = await supabase.from("final_newsletters").select("id").limit(5_000);
    expect(asked.data).toHaveLength(1_000);
    expect((await ask(`final_newsletters?title=eq.${"a".repeat(5_000)}`)).status).toBe(400);
    expect(
      (await ask("final_newsletters", { headers: { Prefer: "a".repeat(2_000) } })).status,
    ).toBe(431);
    expect((await ask(`final_newsletters?${"id=gt.0&".repeat(51)}`)).status).toBe(400);
  });

  test("puts NULLs where PostgreSQL does, and breaks ties by id", async () => {
    await sql`drop table final_newsletters`.execute(database.db);
    await sql`create table final_newsletters (
      id bigint primary key, title text, content_markdown text, publish_date date
    )`.execute(database.db);
    await sql`insert into final_newsletters values
      (1, 'b', null, '2026-01-02'), (2, null, null, null), (3, 'a', null, '2026-01-01'),
      (4, 'b', null, null)`.execute(database.db);
    const ids = async (column: string, ascending: boolean, nullsFirst?: boolean) => {
      const { data } = await supabase
        .from("final_newsletters")
        .select("id")
        .order(column, { ascending, nullsFirst });
      return data?.map(({ id }) => id);
    };
    expect(await ids("title", true)).toEqual([3, 1, 4, 2]);
    expect(await ids("title", false)).toEqual([2, 1, 4, 3]);
    expect(await ids("title", false, false)).toEqual([1, 4, 3, 2]);
    expect(await ids("title", true, true)).toEqual([2, 3, 1, 4]);
    expect(await ids("publish_date", false)).toEqual([2, 4, 1, 3]);
    const { data } = await supabase.from("final_newsletters").select("id").neq("title", "b");
    expect(data).toEqual([{ id: 3 }]);
    const whole = await supabase.from("final_newsletters").select("*").eq("id", 2).single();
    expect(whole.data).toEqual({ id: 2, title: null, content_markdown: null, publish_date: null });
  });

  test("answers a browser's question for leave from another site", async () => {
    const response = await ask("final_newsletters", {
      method: "OPTIONS",
      headers: {
        Origin: "https://elsewhere.example",
        "Access-Control-Request-Method": "GET",
        "Access-Control-Request-Headers": "apikey,authorization,x-client-info,x-retry-count",
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
    const allowed = response.headers.get("Access-Control-Allow-Headers") ?? "";
    for (const name of ["apikey", "authorization", "accept-profile", "prefer", "x-retry-count"]) {
      expect(allowed.split(",")).toContain(name);
    }
    const answer = await ask("subscribers", { headers: { Origin: "https://elsewhere.example" } });
    expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(answer.headers.get("Access-Control-Expose-Headers")).toContain("Content-Range");
  });

  test("answers a failing database with 503 and when to try again", async () => {
    await sql`drop table final_newsletters`.execute(database.db);
    const response = await ask("final_newsletters?select=*");
    expect(response.status).toBe(503);
    expect(response.headers.get("Retry-After")).toBe("1");
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(await response.json()).toEqual({
      code: "PGRST000",
      message: "Database connection error. Retrying the connection.",
      details: null,
      hint: null,
    });
  });
});
