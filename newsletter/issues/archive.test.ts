import { sql } from "kysely";
import { expect, test } from "vitest";
import type { Db } from "#db/tables.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { createArchive } from "./archive.ts";

const insert = (db: Db, id: number, title = "One") =>
  sql`insert into final_newsletters (id, title, content_markdown, publish_date)
    values (${id}, ${title}, 'Words', '2026-11-20')`.execute(db);

describeOnEachDatabase("archive", (database) => {
  test("the archive lists issues newest first, numbered from the oldest, and returns the same list until a change", async () => {
    const { db } = database;
    const archive = createArchive(db);
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

  test("the archive returns an issue's body with its neighbours, and nothing for an id between two", async () => {
    const { db } = database;
    for (const id of [3, 7, 12]) await insert(db, id);
    const archive = createArchive(db);
    expect(await archive.issue(7)).toMatchObject({
      number: 2,
      html: "Words",
      plainText: "Words",
      older: { id: 3 },
      newer: { id: 12 },
    });
    expect(await archive.issue(12)).toMatchObject({ older: { id: 7 }, newer: null });
    expect(await archive.issue(5)).toBeNull();
  });

  test("the archive knows when a title or a body was changed, until the issue is gone", async () => {
    const { db } = database;
    const { edits } = createArchive(db);
    for (const id of [1, 2]) await insert(db, id);
    // Writing the same text again, or another date, is no edit.
    await sql`update final_newsletters set title = 'One', publish_date = '2026-11-19'`.execute(db);
    expect(await edits()).toEqual(new Map());
    await sql`update final_newsletters set title = 'Two' where id = 1`.execute(db);
    await sql`update final_newsletters set content_markdown = 'Others' where id = 2`.execute(db);
    for (const editedAt of (await edits()).values()) {
      expect(new Date(editedAt).toISOString()).toBe(editedAt);
      expect(Math.abs(Date.parse(editedAt) - Date.now())).toBeLessThan(60_000);
    }
    expect([...(await edits()).keys()].toSorted()).toEqual([1, 2]);
    await sql`delete from final_newsletters`.execute(db);
    await insert(db, 1);
    expect(await edits()).toEqual(new Map());
  });
});
