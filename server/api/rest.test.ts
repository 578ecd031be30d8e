import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { sql } from "kysely";
import pino from "pino";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { type BackendServer, startBackendServer } from "#tests/backend-server.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { createRest } from "./rest.ts";

const issueCount = 15;

const unreadable: [query: string, code: string, message: string][] = [
  ["select=id,secret", "42703", "column final_newsletters.secret does not exist"],
  ["select=id,", "PGRST100", '"failed to parse select parameter (id,)" (line 1, column 1)'],
  ["order=id.sideways", "PGRST100", '"failed to parse order (id.sideways)" (line 1, column 1)'],
  ["id=like.*a*", "PGRST100", '"failed to parse filter (like.*a*)" (line 1, column 1)'],
  ["limit=-1", "PGRST100", '"failed to parse limit (-1)" (line 1, column 1)'],
  ["or=(id.eq.1)", "PGRST100", '"failed to parse logic tree (or(id.eq.1))" (line 1, column 1)'],
  ["id=eq.abc", "22P02", 'invalid input syntax for type bigint: "abc"'],
  [
    "id=eq.9223372036854775808",
    "22003",
    'value "9223372036854775808" is out of range for type bigint',
  ],
];

describeOnEachDatabase("the issues over REST", (database) => {
  let supabase: SupabaseClient;
  let server: BackendServer;

  beforeEach(async () => {
    server = await startBackendServer(database.db);
    supabase = createClient(server.origin, "any-public-key", { auth: { persistSession: false } });
    await publish(
      Array.from({ length: issueCount }, (_, index) => `<p>Body ${index + 1}</p>`),
      (index) => `2026-09-${String(index + 1).padStart(2, "0")}`,
    );
  });

  afterEach(() => server.close());

  async function publish(bodies: string[], dateOf: (index: number) => string = () => "2026-10-01") {
    const rows = bodies.map((content_markdown, index) => ({
      title: `Issue ${index + 1}`,
      content_markdown,
      publish_date: dateOf(index),
    }));
    await database.db.insertInto("final_newsletters").values(rows).execute();
  }

  const issues = () => supabase.from("final_newsletters");
  const ask = (path: string, init?: RequestInit) => fetch(`${server.origin}/rest/v1/${path}`, init);

  async function idsOf(query: PromiseLike<{ data: { id: number }[] | null; error: unknown }>) {
    const { data, error } = await query;
    expect(error).toBeNull();
    return data?.map(({ id }) => id);
  }

  test("come whole, newest first", async () => {
    const { data, status } = await issues().select("*").order("id", { ascending: false });
    expect([status, data?.length]).toEqual([200, issueCount]);
    expect(data?.[0]).toEqual({
      id: 15,
      title: "Issue 15",
      content_markdown: "<p>Body 15</p>",
      publish_date: "2026-09-15",
    });
  });

  test("come with the columns asked for", async () => {
    const { data } = await issues().select("id, title").order("id").limit(1);
    expect(data).toEqual([{ id: 1, title: "Issue 1" }]);
    const spaced = await ask("final_newsletters?select=id%2C%20title&limit=1");
    expect(await spaced.json()).toEqual([{ id: 1, title: "Issue 1" }]);
    const stripped = await issues().select("id, title").order("id").limit(1).stripNulls();
    expect(stripped.data).toEqual(data);
  });

  test("are filtered by id", async () => {
    const table = () => issues().select("id").order("id");
    expect(await idsOf(table().eq("id", 4))).toEqual([4]);
    expect(await idsOf(table().gt("id", 13))).toEqual([14, 15]);
    expect(await idsOf(table().gte("id", 14).lt("id", 15))).toEqual([14]);
    expect(await idsOf(table().lte("id", 2).neq("id", 1))).toEqual([2]);
    expect(await idsOf(table().in("id", [3, 1, 99]))).toEqual([1, 3]);
    expect(await idsOf(table().in("id", []))).toEqual([]);
    expect(await idsOf(table().eq("id", "9223372036854775807"))).toEqual([]);
  });

  test("are ordered by their date and title too, and of equals by id", async () => {
    await publish(["<p>Late</p>", "<p>Later</p>"]);
    const newest = issues().select("id").order("publish_date", { ascending: false }).limit(3);
    expect(await idsOf(newest)).toEqual([16, 17, 15]);
    expect(await idsOf(issues().select("id").order("title").limit(3))).toEqual([1, 16, 10]);
  });

  test("come in ranges, with their count where it is asked", async () => {
    const page = await issues().select("id", { count: "exact" }).order("id").range(5, 9);
    expect(page.data?.map(({ id }) => id)).toEqual([6, 7, 8, 9, 10]);
    expect([page.count, page.status]).toEqual([issueCount, 206]);
    const { count, data } = await issues().select("*", { count: "exact", head: true }).gt("id", 10);
    expect([count, data]).toEqual([5, null]);

    const rangeOf = async (query: string, headers = {}) => {
      const answer = await ask(`final_newsletters${query}`, { headers });
      return [answer.status, answer.headers.get("Content-Range")];
    };
    expect(await rangeOf("", { Prefer: "count=exact" })).toEqual([200, "0-14/15"]);
    expect(await rangeOf("?limit=2&offset=3")).toEqual([200, "3-4/*"]);
    expect(await rangeOf("?id=eq.99")).toEqual([200, "*/*"]);
    expect(await rangeOf("?limit=0")).toEqual([200, "*/*"]);
    expect(await rangeOf("?select=id", { Range: "2-3" })).toEqual([416, null]);
  });

  test("past the last one are 416, in PostgREST's words", async () => {
    const past = await issues().select("id", { count: "exact" }).range(30, 39);
    expect(past.status).toBe(416);
    expect(past.error).toMatchObject({
      code: "PGRST103",
      message: "Requested range not satisfiable",
      details: "An offset of 30 was requested, but there are only 15 rows.",
    });
    const counted = { headers: { Prefer: "count=exact" } };
    const far = await ask("final_newsletters?offset=30&limit=10", counted);
    expect(far.headers.get("Content-Range")).toBe("*/15");
  });

  test("come as one object where there is exactly one", async () => {
    const one = await issues().select("id").eq("id", 3).single();
    expect(one.data).toEqual({ id: 3 });
    const missing = await issues().select("id").eq("id", 99).single();
    expect(missing.status).toBe(406);
    expect(missing.error).toMatchObject({
      code: "PGRST116",
      message: "Cannot coerce the result to a single JSON object",
      details: "The result contains 0 rows",
      hint: null,
    });
    const many = await issues().select("id").single();
    expect(many.error?.details).toBe("The result contains 15 rows");
    const maybe = await issues().select("id").eq("id", 99).maybeSingle();
    expect([maybe.data, maybe.error]).toEqual([null, null]);
  });

  test("can't be written", async () => {
    const row = { title: "Mine", content_markdown: "", publish_date: "2026-01-01" };
    const refusals = [
      await issues().insert(row),
      await issues().insert(row).select(),
      await issues().upsert(row),
      await issues().update({ title: "Mine" }).eq("id", 1),
      await issues().delete().eq("id", 1),
    ];
    for (const { error, status } of refusals) {
      expect(status).toBe(401);
      expect(error).toMatchObject({
        code: "42501",
        message: "permission denied for table final_newsletters",
      });
    }
    const { data } = await issues().select("title");
    expect(data?.filter(({ title }) => title.startsWith("Issue "))).toHaveLength(issueCount);
  });

  test("are the only thing there is: other tables, functions, schemas and paths are refused", async () => {
    for (const table of ["subscribers", "contact_messages", "outbox", "marks", "sqlite_master"]) {
      const { data, error, status } = await supabase.from(table).select("*");
      expect([data, status]).toEqual([null, 404]);
      expect(error).toMatchObject({
        code: "PGRST205",
        message: `Could not find the table 'public.${table}' in the schema cache`,
      });
    }
    const schema = await supabase.schema("auth").from("users").select("*");
    expect([schema.status, schema.error?.code]).toEqual([404, "PGRST205"]);
    for (const path of ["", "rpc/anything", "final_newsletters/1"]) {
      const response = await ask(path);
      expect(response.status).toBe(404);
      expect(response.headers.get("Cache-Control")).toBe("no-store");
      expect(await response.json()).toMatchObject({ code: "PGRST125" });
    }
    const csv = await ask("final_newsletters", { headers: { Accept: "text/csv" } });
    expect([csv.status, (await csv.json()).code]).toEqual([406, "PGRST107"]);
  });

  test("are refused with 400 where the query can't be read, in PostgREST's words", async () => {
    for (const [query, code, message] of unreadable) {
      const response = await ask(`final_newsletters?${query}`);
      expect(response.status, query).toBe(400);
      const body = await response.json();
      expect(Object.keys(body).toSorted()).toEqual(["code", "details", "hint", "message"]);
      expect(body, query).toMatchObject({ code, message });
    }
  });

  test("are not read for more than anybody needs", async () => {
    for (const query of [
      `select=${Array(800).fill("title")}`,
      "order=content_markdown",
      `id=eq.${"1".repeat(5_000)}`,
    ]) {
      const response = await ask(`final_newsletters?${query}`);
      const { code } = await response.json();
      expect([response.status, code], query.slice(0, 40)).toEqual([400, "54000"]);
    }
    expect(server.logged).toEqual([]);
  });

  test("come a thousand at a time, and with 1.8 MB of bodies at most", async () => {
    await publish(Array(1_000).fill(""));
    const all = await issues().select("id", { count: "exact" });
    expect([all.data?.length, all.count, all.status]).toEqual([1_000, 1_015, 206]);
    expect((await issues().select("id").limit(5_000)).data).toHaveLength(1_000);
    await database.db
      .updateTable("final_newsletters")
      .set({ content_markdown: "x".repeat(20_000) })
      .where("id", "<=", 100)
      .execute();
    const long = await issues().select("*").lte("id", 100);
    expect([long.status, long.error?.code]).toEqual([400, "54000"]);
    expect(long.error?.hint).toContain("limit");
    expect((await issues().select("*").lte("id", 100).range(0, 89)).data).toHaveLength(90);
  });

  test("are read a thousand times in ten seconds by one network, and by others all the while", async () => {
    // However long the machine takes for a thousand.
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const rest = createRest({ db: database.db, log: pino({ level: "silent" }) });
    const from = (clientAddress: string, query = "select=nothing") =>
      rest.request(`/final_newsletters?${query}`, {}, { clientAddress });
    for (let n = 0; n < 1_000; n += 1) await from("203.0.113.9");
    const refused = await from("203.0.113.9", "select=id");
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ code: "53400" });
    expect((await from("203.0.113.10", "select=id")).status).toBe(200);
  });

  test("that can't be read are 503 with when to ask again, and the log says why", async () => {
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
    expect(server.logged.join()).toContain("final_newsletters");
  });
});
