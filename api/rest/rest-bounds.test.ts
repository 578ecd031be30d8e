import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import pino from "pino";
import { beforeEach, expect, test } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { longAnswersMax, readQueueMax, readsAtOnce } from "./rest-limits.ts";
import { createRestRoutes } from "./rest-routes.ts";

describeOnEachDatabase("what a stranger may ask of the REST table", (database) => {
  let logged: { level: number }[];
  let ask: (query: string, init?: RequestInit, env?: object) => Promise<Response>;

  beforeEach(() => {
    logged = [];
    const log = pino({}, { write: (line) => logged.push(JSON.parse(line)) });
    const routes = createRestRoutes({ db: database.db, log });
    ask = async (query, init, env) => routes.request(`/final_newsletters?${query}`, init, env);
  });

  const publish = (bodies: string[]) =>
    database.db
      .insertInto("final_newsletters")
      .values(
        bodies.map((content_markdown, index) => ({
          title: `Issue ${index + 1}`,
          content_markdown,
          publish_date: "2026-11-02",
        })),
      )
      .execute();

  test.each([
    ["409 aliases of one column", `select=${Array.from({ length: 409 }, (_, i) => `a${i}:title`)}`],
    ["a column twice", "select=id,title,id"],
    ["a column under two names", "select=a:content_markdown,b:content_markdown"],
    ["all columns and one of them", "select=*,title"],
    ["all columns again and again", `select=${Array(300).fill("*").join()}`],
    [
      "order by one column again and again",
      `order=${Array(2_000).fill("id").join()}`.slice(0, 4e3),
    ],
    ["order with 1,300 empty terms", `order=${"id,".repeat(1_300)}`],
    ["order by the body", "order=content_markdown"],
    ["order by the body, quoted", 'order=title,"content_markdown".desc'],
    ["a field of one letter and blanks", `select=a${"+".repeat(3_900)}!`],
    ["a field of colons", `select=${":".repeat(3_900)}`],
    ["a name of 64 letters", `select=${"a".repeat(64)}:title`],
    ["a name with a zero byte", "select=a%00b:title"],
    ["a filter by the body", "content_markdown=neq.x"],
    ["whether the body is null", "content_markdown=is.null"],
    ["nine filters", "id=gt.0&".repeat(9)],
    ["seventeen parameters", "limit=1&".repeat(17)],
    ["a list of 101 values", `id=in.(${Array(101).fill(1).join()})`],
    ["a value of 513 characters", `title=eq.${"a".repeat(513)}`],
    ["a value of 513 characters in a list", `title=in.(a,${"a".repeat(513)})`],
    ["a list that is never closed", `title=in.("${"a".repeat(3_000)}`],
    ["a zero byte in a list", "title=in.(a,%00)"],
  ])("refuses %s with 400, in PostgREST's shape, and logs nothing", async (_what, query) => {
    const response = await ask(query);
    expect(response.status).toBe(400);
    const body = await response.json();
    expect(Object.keys(body).toSorted()).toEqual(["code", "details", "hint", "message"]);
    expect(logged).toEqual([]);
  });

  test("answers each bound's last allowed value", async () => {
    await publish(["<p>1</p>", "<p>2</p>"]);
    for (const [query, rows] of [
      ["select=a:id,b:title,c:content_markdown,d:publish_date", 2],
      ["order=title.desc,publish_date,id", 2],
      ["id=gt.0&".repeat(8), 2],
      [`id=in.(${Array(100).fill(1).join()})`, 1],
      [`title=neq.${"a".repeat(512)}`, 2],
      [`select=${"a".repeat(63)}:title`, 2],
    ] as const) {
      const response = await ask(query);
      expect(response.status).toBe(200);
      expect(await response.json()).toHaveLength(rows);
    }
  });

  test("gives a long answer in pieces, in the order asked for, byte for byte", async () => {
    const bodies = Array.from({ length: 80 }, (_, index) => `${index} "é\n\\`.repeat(1_500));
    await publish(bodies);
    const response = await ask("select=*&order=id.desc", { headers: { Prefer: "count=exact" } });
    expect([response.status, response.headers.get("Content-Range")]).toEqual([200, "0-79/80"]);
    const rows = (await response.json()) as { id: number; content_markdown: string }[];
    expect(rows.map(({ id }) => id)).toEqual(bodies.map((_, index) => 80 - index));
    expect(rows.map((row) => row.content_markdown)).toEqual(bodies.toReversed());
  });

  test("refuses more than 1.8 MB of bodies with words on what to do, and gives them by range", async () => {
    await publish(Array(100).fill("x".repeat(20_000)));
    const all = await ask("select=*&order=id.desc");
    expect(all.status).toBe(400);
    expect(await all.json()).toMatchObject({
      code: "54000",
      message:
        "The 100 rows hold more than 1800000 bytes of content_markdown, the most in one answer.",
      hint: expect.stringContaining("limit"),
    });
    const ranged = await ask("select=*&order=id.desc", { headers: { Range: "0-89" } });
    expect(ranged.status).toBe(200);
    expect((await ranged.text()).length).toBeLessThan(2_000_000);
    expect((await ask("select=id,title&order=id.desc")).status).toBe(200);
    expect((await ask("select=*&limit=90")).status).toBe(200);
    // A page of the site reads what it shows.
    expect((await ask("select=*", {}, { isOwnPage: true })).status).toBe(200);
    expect(logged).toEqual([]);
  });

  test("leaves out an issue that is removed while the answer is under way", async () => {
    await publish(Array(10).fill("x".repeat(40_000)));
    const response = await ask("select=*&order=id");
    await database.db.deleteFrom("final_newsletters").where("id", ">", 3).execute();
    const rows = (await response.json()) as { id: number }[];
    expect(rows.map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  test("reads for few strangers at once, and tells the others when to come again", async () => {
    await publish(["<p>1</p>"]);
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask("select=id")));
    const refused = answers.filter(({ status }) => status === 503);
    const served = answers.filter(({ status }) => status === 200);
    expect(served.length + refused.length).toBe(100);
    // On a busy machine some of those who wait have waited long enough, so more may be refused and never fewer.
    expect(served.length).toBeGreaterThanOrEqual(readsAtOnce);
    expect(served.length).toBeLessThanOrEqual(readsAtOnce + readQueueMax);
    const [first] = refused;
    expect(first?.headers.get("Retry-After")).toBe("1");
    expect(await first?.json()).toMatchObject({ code: "PGRST003" });
    const own = await Promise.all(
      Array.from({ length: 100 }, () => ask("select=id", {}, { isOwnPage: true })),
    );
    expect(own.every(({ status }) => status === 200)).toBe(true);
    expect(logged).toEqual([]);
  });

  test("has room again after long answers that were taken, left or never begun", async () => {
    await publish(Array(5).fill("x".repeat(60_000)));
    // One after the other: asked for at once, some would have waited for their turn too long on a busy machine.
    const openAll = async () => {
      const opened: Response[] = [];
      while (opened.length < longAnswersMax) opened.push(await ask("select=*"));
      return opened;
    };
    const open = await openAll();
    expect(open.every(({ status }) => status === 200)).toBe(true);
    expect((await ask("select=*")).status).toBe(503);
    expect((await ask("select=id")).status).toBe(200);
    for (const response of open.slice(0, 16)) await response.body?.cancel();
    for (const response of open.slice(16)) await response.text();
    const again = await openAll();
    expect(again.every(({ status }) => status === 200)).toBe(true);
    for (const response of again) await response.body?.cancel();
  });

  if (database.kind === "postgres") {
    test("takes PostgreSQL's refusal of a value for the asker's mistake", async () => {
      await sql`alter table final_newsletters alter column publish_date type integer using 1`.execute(
        database.db,
      );
      expect((await ask("publish_date=eq.2026-11-02")).status).toBe(400);
      await delay(0);
      expect(logged).toEqual([]);
    });
  }
});
