import { expect, test } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { prepareIssues } from "./prepared-issues.ts";

describeOnEachDatabase("prepared issues", (database) => {
  const prepared = async () => {
    const rows = await database.db.selectFrom("prepared_issues").selectAll().execute();
    return rows.map(({ issue_id, html }) => [issue_id, html]);
  };

  async function counts() {
    const runs = [await prepareIssues(database.db), await prepareIssues(database.db)];
    return runs.map(({ prepared }) => prepared);
  }

  test("an issue is prepared again if another program wrote it or an older release prepared it", async () => {
    const { db } = database;
    const body = database.kind === "postgres" ? "<p>ab</p>" : "<p>a\0b</p>";
    const values = { title: "Gazebo", content_markdown: body, publish_date: "2026-11-20" };
    await db.insertInto("final_newsletters").values(values).execute();
    expect(await counts()).toEqual([1, 0]);
    expect(await prepared()).toEqual([[1, "<p>ab</p>"]]);
    await db.updateTable("prepared_issues").set({ body_key: "of another release" }).execute();
    expect(await counts()).toEqual([1, 0]);
  });
});
