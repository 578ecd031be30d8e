import { type Kysely, sql } from "kysely";
import { expect, test } from "vitest";
import type { Database } from "#db/tables.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { readIssueEdits } from "./issue-edits.ts";

const insert = (db: Kysely<Database>, id: number) =>
  sql`insert into final_newsletters (id, title, content_markdown, publish_date)
    values (${id}, 'One', 'Words', '2026-11-20')`.execute(db);

describeOnEachDatabase("edits of issues", (database) => {
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
