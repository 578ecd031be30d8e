import { setTimeout as delay } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { createIssueIds } from "./issue-ids.ts";

describeOnEachDatabase("createIssueIds", (database) => {
  test("knows which issues there are, looks once a second, and again only at what has changed", async () => {
    const { db } = database;
    const row = { title: "One", content_markdown: "Words", publish_date: "2026-11-21" };
    await db
      .insertInto("final_newsletters")
      .values({ id: 7, ...row })
      .execute();
    let time = 0;
    let statements = 0;
    const counted = db.withPlugin({
      transformQuery({ node }) {
        statements += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const { has: hasIssue, lookAgain } = createIssueIds(counted, { now: () => time });
    expect([await hasIssue(7), await hasIssue(8)]).toEqual([true, false]);
    await db
      .insertInto("final_newsletters")
      .values({ id: 8, ...row })
      .execute();
    statements = 0;
    await Promise.all(Array.from({ length: 100 }, (_, id) => hasIssue(1_000 + id)));
    expect(statements).toBe(0);
    time = 1_001;
    expect([await hasIssue(7), await hasIssue(8)]).toEqual([true, true]);
    expect(statements).toBe(2);
    time = 2_002;
    expect(await hasIssue(8)).toBe(true);
    expect(statements).toBe(3);
    lookAgain();
    expect(await hasIssue(8)).toBe(true);
    expect(statements).toBe(4);
  });

  test("knows what it has heard of while it looked, and outlives a database that fails then", async () => {
    const { db } = database;
    const { has: hasIssue, lookAgain } = createIssueIds(db);
    const before = hasIssue(9);
    await db
      .insertInto("final_newsletters")
      .values({ id: 9, title: "Nine", content_markdown: "Words", publish_date: "2026-11-23" })
      .execute();
    lookAgain();
    expect(await hasIssue(9)).toBe(true);
    await before;
    lookAgain();
    const after = hasIssue(9);
    lookAgain();
    const asked = vi.spyOn(db, "selectFrom").mockImplementation(() => {
      throw new Error("The database is away.");
    });
    expect(await after).toBe(true);
    // A rejection that nobody waits for ends the process, and this test.
    await delay(20);
    asked.mockRestore();
    expect(await hasIssue(9)).toBe(true);
  });
});
