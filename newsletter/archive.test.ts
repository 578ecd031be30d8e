import { type Kysely, sql } from "kysely";
import { expect, test, vi } from "vitest";
import type { Database } from "#db/tables.ts";
import { prepareIssueBody } from "#issue-body/prepare-issue-body.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { type ArchiveSource, archiveOfDatabase, createArchive, readIssueEdits } from "./archive.ts";

const insert = (db: Kysely<Database>, id: number, title = "One") =>
  sql`insert into final_newsletters (id, title, content_markdown, publish_date)
    values (${id}, ${title}, 'Words', '2026-11-20')`.execute(db);

const archiveOn = (source: ArchiveSource) =>
  createArchive(source, async (issue) => prepareIssueBody(issue.content_markdown));

describeOnEachDatabase("the archive", (database) => {
  const idsOf = async (archive: ReturnType<typeof archiveOn>) =>
    (await archive.heads()).map(({ id }) => id);

  test("lists issues newest first, numbered from the oldest, and is the same list until a change", async () => {
    const { db } = database;
    const archive = archiveOn(archiveOfDatabase(db));
    expect(await archive.heads()).toEqual([]);
    for (const id of [7, 3, 12]) await insert(db, id, id === 3 ? " " : `Issue ${id}`);
    const heads = await archive.heads();
    const publishDate = "2026-11-20";
    expect(heads).toEqual([
      { id: 12, number: 3, title: "Issue 12", publishDate },
      { id: 7, number: 2, title: "Issue 7", publishDate },
      { id: 3, number: 1, title: "Issue #1", publishDate },
    ]);
    expect(await archive.heads()).toBe(heads);
    await sql`update final_newsletters set title = 'Mended' where id = 3`.execute(db);
    expect((await archive.heads()).at(-1)?.title).toBe("Mended");
  });

  test("has an issue's body with its neighbours, and nothing of an id between two", async () => {
    const { db } = database;
    for (const id of [3, 7, 12]) await insert(db, id);
    const archive = archiveOn(archiveOfDatabase(db));
    expect(await archive.issue(7)).toMatchObject({
      number: 2,
      html: "Words",
      plainText: "Words",
      older: { id: 3 },
      newer: { id: 12 },
    });
    expect(await archive.issue(12)).toMatchObject({ older: { id: 7 }, newer: null });
    expect(await archive.issue(5)).toBeNull();
    expect([await archive.has(7), await archive.has(5)]).toEqual([true, false]);
  });

  test("shows what another instance has published or removed at once", async () => {
    const other = archiveOn(archiveOfDatabase((await database.connect()).db));
    await insert(database.db, 1);
    expect(await idsOf(other)).toEqual([1]);
    await insert(database.db, 2);
    expect(await idsOf(other)).toEqual([2, 1]);
    await sql`delete from final_newsletters where id = 1`.execute(database.db);
    expect(await idsOf(other)).toEqual([2]);
    expect(await other.issue(1)).toBeNull();
  });

  test("can't be read without its table, and is read again afterwards", async () => {
    const { db } = database;
    await insert(db, 1);
    const archive = archiveOn(archiveOfDatabase(db));
    await sql`alter table archive_version rename to set_aside`.execute(db);
    await expect(archive.heads()).rejects.toThrow();
    await sql`alter table set_aside rename to archive_version`.execute(db);
    expect(await idsOf(archive)).toEqual([1]);
  });

  test.each([
    ["title", sql`update final_newsletters set title = 'Two' where id = 1`],
    ["body", sql`update final_newsletters set content_markdown = 'Others' where id = 1`],
  ])("a changed %s is noted with its time", async (_what, change) => {
    const { db } = database;
    await insert(db, 1);
    await insert(db, 2);
    expect(await readIssueEdits(db)).toEqual(new Map());
    const before = Date.now();
    await change.execute(db);
    const edits = await readIssueEdits(db);
    expect([...edits.keys()]).toEqual([1]);
    const editedAt = edits.get(1) ?? "";
    expect(new Date(editedAt).toISOString()).toBe(editedAt);
    expect(Math.abs(Date.parse(editedAt) - before)).toBeLessThan(60_000);
  });

  test("what is written again as it was, or another date, is no edit", async () => {
    const { db } = database;
    await insert(db, 1);
    await sql`update final_newsletters set title = 'One', publish_date = '2026-11-19'`.execute(db);
    expect(await readIssueEdits(db)).toEqual(new Map());
  });

  test("nothing is known of an issue that is gone, nor of the next one under its id", async () => {
    const { db } = database;
    await insert(db, 1);
    await sql`update final_newsletters set title = 'Two'`.execute(db);
    await sql`delete from final_newsletters`.execute(db);
    expect(await readIssueEdits(db)).toEqual(new Map());
    await insert(db, 1);
    expect(await readIssueEdits(db)).toEqual(new Map());
  });
});

test("a source that never answers is given up", async () => {
  vi.useFakeTimers();
  const silent = { version: () => new Promise(() => {}) } as unknown as ArchiveSource;
  const heads = expect(archiveOn(silent).heads()).rejects.toThrow("in time");
  await vi.advanceTimersByTimeAsync(3_000);
  await heads;
  vi.useRealTimers();
});

test("what is asked after a change isn't answered with what was read before it", async () => {
  let ids = [2, 1];
  const first = Promise.withResolvers<void>();
  let looks = 0;
  const archive = archiveOn({
    async version() {
      const version = ids.join();
      looks += 1;
      if (looks === 1) await first.promise;
      return version;
    },
    heads: async () => ids.map((id) => ({ id, title: null, publishDate: null })),
  } as unknown as ArchiveSource);
  const before = archive.heads();
  ids = [1];
  const after = archive.heads();
  expect((await after).map(({ id }) => id)).toEqual([1]);
  first.resolve();
  await before;
  expect((await archive.heads()).map(({ id }) => id)).toEqual([1]);
});
