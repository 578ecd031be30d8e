import { expect, test } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { writeIssuesOneUnpreparable } from "#tests/unpreparable-issue.ts";
import { checkDatabase } from "./examine/check-database.ts";
import { openStore } from "./open-store.ts";

describeOnEachDatabase("opening the store", (database) => {
  test("the store opens without an issue that can't be prepared, and doctor names it too", async () => {
    const { db, settings } = database;
    await writeIssuesOneUnpreparable(db);
    const store = await openStore(settings);
    try {
      expect(store.unprepared.map(String)).toEqual([
        "Error: Issue 2 can't be prepared, so search leaves it out.",
      ]);
      const prepared = await db.selectFrom("prepared_issues").select("issue_id").execute();
      expect(prepared.map(({ issue_id }) => issue_id).toSorted()).toEqual(
        expect.arrayContaining([1, 3]),
      );
      const findings = await checkDatabase(settings, new Date());
      expect(findings).toContainEqual(
        expect.objectContaining({
          about: "Issues",
          message: 'search doesn\'t find 1 issue: 2 ("Cursed").',
        }),
      );
    } finally {
      await store.close();
    }
  });
});
