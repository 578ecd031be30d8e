import { expect, test } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { prepareIssues } from "./prepared-issues.ts";

describeOnEachDatabase("prepared issues", (database) => {
  const prepared = async () => {
    const rows = await database.db.selectFrom("prepared_issues").selectAll().execute();
    return rows.map(({ issue_id, html }) => [issue_id, html]);
  };

  test("an issue is prepared again if another program wrote it or an older release prepared it", async () => {
    const { db } = database;
    const body = database.kind === "postgres" ? "<p>ab</p>" : "<p>a\0b</p>";
    const values = { title: "Gazebo", content_markdown: body, publish_date: "2026-11-20" };
    await db.insertInto("final_newsletters").values(values).execute();
    expect(await prepareIssues(db)).toEqual([]);
    expect(await prepared()).toEqual([[1, "<p>ab</p>"]]);
    const outdated = { body_key: "of another release", html: "<p>outdated</p>" };
    await db.updateTable("prepared_issues").set(outdated).execute();
    expect(await prepareIssues(db)).toEqual([]);
    expect(await prepared()).toEqual([[1, "<p>ab</p>"]]);
  });
});
