import { sql } from "kysely";
import { afterEach, expect, test, vi } from "vitest";
import type { OpenDatabase } from "#db/database-handle.ts";
import { archiveChannel, readArchiveVersion } from "#newsletter/archive-version.ts";
import { createIssueIds } from "#newsletter/issue-ids.ts";
import { describeOnEachDatabase, type TestDatabase } from "#tests/databases.ts";
import { until } from "#tests/until.ts";
import { createPageCache } from "../page-cache/page-cache.ts";
import type { PageKey } from "../page-policy/resolve-address.ts";

const archive: PageKey = {
  key: "/newsletter",
  ttlMs: 1_000,
  status: 200,
  varies: false,
  isData: false,
  showsIssues: true,
  issueId: null,
  whenMissing: null,
};

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** What a copy of the server keeps of the archive, with a clock that stands still unless it is moved. */
async function startCopy({ db, listen }: OpenDatabase) {
  const clock = { time: Date.parse("2026-11-21T17:00:00Z") };
  const now = () => clock.time;
  const ids = createIssueIds(db, { now });
  const cache = createPageCache({
    now,
    archiveVersion: () => readArchiveVersion(db),
    hasIssue: ids.has,
    async render(_page, _asker, read) {
      const rows = await db.selectFrom("final_newsletters").select("title").orderBy("id").execute();
      const words = rows.map(({ title }) => title).join();
      return read(new Response(words, { headers: { "content-type": "text/html" } }));
    },
  });
  const heard = vi.fn(() => {
    ids.lookAgain();
    cache.archiveChanged();
  });
  const stop = listen(archiveChannel, heard);
  stops.push(stop);
  await until(() => heard.mock.calls.length > 0);
  return {
    clock,
    heard,
    stop,
    hasIssue: ids.has,
    async shows() {
      const page = cache.find(archive) ?? (await cache.make(archive));
      return page.variants.identity.body.toString();
    },
  };
}

async function publish({ db }: TestDatabase, id: number, title: string) {
  const row = { id, title, content_markdown: "Words", publish_date: "2026-11-21" };
  await db.insertInto("final_newsletters").values(row).execute();
}

function withTwoCopies(database: TestDatabase) {
  async function startBoth() {
    const copies = [await startCopy(database.open), await startCopy(await database.connect())];
    const shown = () => Promise.all(copies.map((copy) => copy.shows()));
    const know = (id: number) => Promise.all(copies.map((copy) => copy.hasIssue(id)));
    return { copies, shown, know };
  }

  test("what is published or removed is shown by all copies at once, whatever their clocks", async () => {
    const { shown, know } = await startBoth();
    await publish(database, 1, "One");
    await until(async () => (await shown()).every((words) => words === "One"));
    expect(await know(1)).toEqual([true, true]);
    await publish(database, 2, "Two");
    await until(async () => (await shown()).every((words) => words === "One,Two"));
    await database.db.deleteFrom("final_newsletters").where("id", "=", 1).execute();
    await until(async () => (await shown()).every((words) => words === "Two"));
    expect(await know(1)).toEqual([false, false]);
  });

  test("a copy whose connection was cut listens again, and asks for what it has missed", async () => {
    const { copies, shown } = await startBoth();
    expect(await shown()).toEqual(["", ""]);
    const heard = copies.map((copy) => copy.heard.mock.calls.length);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'chalkline listening' and datname = current_database()`.execute(
      database.db,
    );
    await publish(database, 1, "One");
    await until(async () => (await shown()).every((words) => words === "One"));
    for (const [index, { heard: now }] of copies.entries()) {
      expect(now.mock.calls.length).toBeGreaterThan(heard[index] ?? 0);
    }
  });

  test("a copy that hears nothing any more is told by its clock", async () => {
    const { copies, shown, know } = await startBoth();
    expect([await shown(), await know(1)]).toEqual([
      ["", ""],
      [false, false],
    ]);
    for (const { stop } of copies) await stop();
    await publish(database, 1, "One");
    expect([await shown(), await know(1)]).toEqual([
      ["", ""],
      [false, false],
    ]);
    for (const { clock } of copies) clock.time += 2_000;
    expect([await shown(), await know(1)]).toEqual([
      ["One", "One"],
      [true, true],
    ]);
  });
}

describeOnEachDatabase("news of the archive", withTwoCopies, { kinds: ["postgres"] });
