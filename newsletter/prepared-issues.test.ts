import { expect, test } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { importIssues, publishIssue, removeIssue, reviseIssue } from "./issues.ts";
import { createPreparedBodies, prepareIssues } from "./prepared-issues.ts";

const issue = { title: "Gazebo", html: "<p>Before.</p>", publishDate: "2026-11-20" };

describeOnEachDatabase("prepared issues", (database) => {
  const prepared = async () => {
    const rows = await database.db.selectFrom("prepared_issues").selectAll().execute();
    return rows.map(({ issue_id, html }) => [issue_id, html]);
  };
  test("are stored with what is published, imported and revised, and go with the issue", async () => {
    const { db } = database;
    const { id } = await publishIssue(db, { ...issue, html: "<p>One</p><script>1</script>" });
    await importIssues(db, [{ ...issue, html: "<p>Two</p>" }]);
    expect(await prepared()).toEqual([
      [id, "<p>One</p>"],
      [id + 1, "<p>Two</p>"],
    ]);
    const change = { id: id + 1, from: "<p>Two</p>", to: "<p>New</p>", pictures: [] };
    await reviseIssue(db, { ...change, now: new Date() });
    await removeIssue(db, id);
    expect(await prepared()).toEqual([[id + 1, "<p>New</p>"]]);
  });

  test("are made anew where another program wrote the issue or an older release prepared it", async () => {
    const { db } = database;
    const body = database.kind === "postgres" ? "<p>ab</p>" : "<p>a\0b</p>";
    const values = { title: "Gazebo", content_markdown: body, publish_date: "2026-11-20" };
    await db.insertInto("final_newsletters").values(values).execute();
    expect([await prepareIssues(db), await prepareIssues(db)]).toEqual([1, 0]);
    expect(await prepared()).toEqual([[1, "<p>ab</p>"]]);
    await db.updateTable("prepared_issues").set({ body_key: "of another release" }).execute();
    expect([await prepareIssues(db), await prepareIssues(db)]).toEqual([1, 0]);
  });

  test("are read where the body is still theirs, and made for the reader where it isn't", async () => {
    const { id } = await publishIssue(database.db, issue);
    const bodyOf = createPreparedBodies(database.db);
    for (const content_markdown of [issue.html, "<p>After.</p>"]) {
      expect(await bodyOf({ id, title: "", content_markdown })).toMatchObject({
        html: content_markdown,
      });
    }
    expect(await prepared()).toEqual([[id, issue.html]]);
  });
});
