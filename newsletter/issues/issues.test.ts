import { expect, test } from "vitest";
import { runScript } from "#tests/databases/run-script.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { importIssues } from "./import-issues.ts";
import { deleteIssue, findIssue, type IssueWords, listIssues, makeIssue } from "./issues.ts";

const issue = (title: string): IssueWords => ({
  title,
  html: `<p>${title}</p>`,
  publishDate: "2026-11-20",
});

describeOnEachDatabase("the newsletter's issues", (database) => {
  const publish = (words: IssueWords) =>
    database.db.transaction().execute((trx) => makeIssue(trx, words));
  const remove = (id: number) => database.db.transaction().execute((trx) => deleteIssue(trx, id));
  const ids = async () => (await listIssues(database.db)).map(({ id }) => id);

  test("never gives the id of a removed newest issue again", async () => {
    const { db } = database;
    await publish(issue("One"));
    const newest = await publish(issue("Two"));
    expect(await findIssue(db, newest)).toMatchObject({ number: 2, html: "<p>Two</p>" });
    expect(await remove(newest)).toBe(true);
    expect([await remove(99), await findIssue(db, 99)]).toEqual([false, null]);
    expect(await publish(issue("Three"))).toBeGreaterThan(newest);
    await importIssues(db, [{ id: 10, ...issue("Ten") }]);
    await remove(10);
    await importIssues(db, [{ id: 5, ...issue("Five") }]);
    expect(await publish(issue("Next"))).toBe(11);
  });

  test("publishes from several processes while another imports, each under its own id", async () => {
    const publishing = `
      import { openDatabase } from "#db/open-database.ts";
      import { makeIssue } from "#newsletter/issues/issues.ts";
      const open = await openDatabase(input);
      for (let round = 0; round < 40; round += 1) {
        const words = { title: "p", html: "", publishDate: "2026-11-20" };
        await open.db.transaction().execute((trx) => makeIssue(trx, words));
      }
      await open.close();
    `;
    const imports = `
      import { openDatabase } from "#db/open-database.ts";
      import { importIssues } from "#newsletter/issues/import-issues.ts";
      const open = await openDatabase(input);
      for (let round = 1; round <= 20; round += 1) {
        const id = round * 1_000;
        await importIssues(open.db, [{ id, title: "i", html: "", publishDate: "2026-11-20" }]);
      }
      await open.close();
    `;
    await Promise.all(
      [publishing, publishing, imports].map((script) => runScript(script, database.settings)),
    );
    expect(new Set(await ids()).size).toBe(100);
    expect(await publish(issue("Last"))).toBeGreaterThan(20_000);
  });
});
