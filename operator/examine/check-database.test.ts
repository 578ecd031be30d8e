import { expect, test } from "vitest";
import { prepareIssues } from "#newsletter/prepared-issues.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { writeIssuesOneUnpreparable } from "#tests/unpreparable-issue.ts";
import { checkDatabase } from "./check-database.ts";

describeOnEachDatabase("the doctor's look at the database", (database) => {
  test("an issue that can't be prepared is named at the start and by the doctor, and the others are prepared", async () => {
    const { db, settings } = database;
    await writeIssuesOneUnpreparable(db);
    expect((await prepareIssues(db)).map(String)).toEqual([
      "Error: Issue 2 can't be prepared, so search leaves it out.",
    ]);
    const prepared = await db.selectFrom("prepared_issues").select("issue_id").execute();
    expect(prepared.map(({ issue_id }) => issue_id).toSorted()).toEqual([1, 3]);
    const findings = await checkDatabase(settings, new Date());
    expect(findings).toContainEqual(
      expect.objectContaining({
        about: "Issues",
        message: 'search doesn\'t find 1 issue: 2 ("Cursed").',
      }),
    );
  });
});
