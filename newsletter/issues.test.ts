import { expect, test } from "vitest";
import { runScript } from "#tests/databases/run-script.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import {
  findIssue,
  type IssueWords,
  importIssues,
  listIssues,
  publishIssue,
  removeIssue,
} from "./issues.ts";

const issue = (title: string): IssueWords => ({
  title,
  html: `<p>${title}</p>`,
  publishDate: "2026-11-20",
});

describeOnEachDatabase("the newsletter's issues", (database) => {
  const ids = async () => (await listIssues(database.db)).map(({ id }) => id);

  test("never gives the id of a removed newest issue again", async () => {
    const { db } = database;
    await publishIssue(db, issue("One"));
    const newest = await publishIssue(db, issue("Two"));
    expect(await findIssue(db, newest.id)).toMatchObject({ number: 2, html: "<p>Two</p>" });
    expect(await removeIssue(db, newest.id)).toBe(true);
    expect([await removeIssue(db, 99), await findIssue(db, 99)]).toEqual([false, null]);
    expect((await publishIssue(db, issue("Three"))).id).toBeGreaterThan(newest.id);
    await importIssues(db, [{ id: 10, ...issue("Ten") }]);
    await removeIssue(db, 10);
    await importIssues(db, [{ id: 5, ...issue("Five") }]);
    expect((await publishIssue(db, issue("Next"))).id).toBe(11);
  });

  test("publishes from several processes while another imports, each under its own id", async () => {
    const publish = `
      import { openDatabase } from "#db/open-database.ts";
      import { publishIssue } from "#newsletter/issues.ts";
      const open = await openDatabase(input);
      for (let round = 0; round < 40; round += 1) {
        await publishIssue(open.db, { title: "p", html: "", publishDate: "2026-11-20" });
      }
      await open.close();
    `;
    const imports = `
      import { openDatabase } from "#db/open-database.ts";
      import { importIssues } from "#newsletter/issues.ts";
      const open = await openDatabase(input);
      for (let round = 1; round <= 20; round += 1) {
        const id = round * 1_000;
        await importIssues(open.db, [{ id, title: "i", html: "", publishDate: "2026-11-20" }]);
      }
      await open.close();
    `;
    await Promise.all(
      [publish, publish, imports].map((script) => runScript(script, database.settings)),
    );
    expect(new Set(await ids()).size).toBe(100);
    expect((await publishIssue(database.db, issue("Last"))).id).toBeGreaterThan(20_000);
  });
});
