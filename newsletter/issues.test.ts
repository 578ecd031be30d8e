import { expect, test } from "vitest";
import { runScript } from "#tests/databases/run-script.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { findIssue, listIssues } from "./find-issues.ts";
import { type IssueWords, importIssues, publishIssue, removeIssue } from "./issues.ts";

const issue = (title: string): IssueWords => ({
  title,
  html: `<p>${title}</p>`,
  publishDate: "2026-11-20",
});

describeOnEachDatabase("the newsletter's issues", (database) => {
  const ids = async () => (await listIssues(database.db)).map(({ id }) => id);

  test("lists published issues newest first, numbered from the oldest", async () => {
    await publishIssue(database.db, issue("One"));
    const two = await publishIssue(database.db, issue("Two"));
    await publishIssue(database.db, issue("Three"));
    await removeIssue(database.db, two.id);
    expect(await listIssues(database.db)).toEqual([
      { id: 3, number: 2, title: "Three", publishDate: "2026-11-20" },
      { id: 1, number: 1, title: "One", publishDate: "2026-11-20" },
    ]);
  });

  test("finds an issue with its body and number", async () => {
    await publishIssue(database.db, issue("One"));
    const { id } = await publishIssue(database.db, issue("Two"));
    expect(await findIssue(database.db, id)).toEqual({
      ok: true,
      issue: { id: 2, number: 2, title: "Two", html: "<p>Two</p>", publishDate: "2026-11-20" },
    });
    for (const missing of [99, -1, 1.5, 1e300, Number.NaN]) {
      expect(await findIssue(database.db, missing)).toEqual({ ok: false, reason: "not_found" });
      expect(await removeIssue(database.db, missing)).toEqual({ ok: false, reason: "not_found" });
    }
  });

  test("never gives the id of a removed newest issue again", async () => {
    await publishIssue(database.db, issue("One"));
    const newest = await publishIssue(database.db, issue("Two"));
    expect(await removeIssue(database.db, newest.id)).toEqual({ ok: true, title: "Two" });
    expect((await publishIssue(database.db, issue("Three"))).id).toBeGreaterThan(newest.id);
    expect(await importIssues(database.db, [{ id: 10, ...issue("Ten") }])).toMatchObject({
      ok: true,
    });
    await removeIssue(database.db, 10);
    await importIssues(database.db, [{ id: 5, ...issue("Five") }]);
    expect((await publishIssue(database.db, issue("Next"))).id).toBe(11);
  });

  test("refuses a day that does not exist", async () => {
    const wrong = { ...issue("Wrong"), publishDate: "2026-02-30" };
    await expect(publishIssue(database.db, wrong)).rejects.toThrow(RangeError);
    await expect(importIssues(database.db, [issue("Right"), wrong])).rejects.toThrow(RangeError);
    expect(await ids()).toEqual([]);
  });

  test("imports with the ids given, and the rest after them in order", async () => {
    const result = await importIssues(database.db, [
      issue("First without"),
      { id: 7, ...issue("Seven") },
      { id: 3, ...issue("Three") },
      issue("Second without"),
    ]);
    expect(result).toEqual({ ok: true, imported: 4 });
    expect((await listIssues(database.db)).map(({ id, title }) => [id, title])).toEqual([
      [9, "Second without"],
      [8, "First without"],
      [7, "Seven"],
      [3, "Three"],
    ]);
  });

  test("imports nothing at all where one id is taken", async () => {
    const { id } = await publishIssue(database.db, issue("One"));
    const taken = await importIssues(database.db, [
      { id: 50, ...issue("Fifty") },
      { id, ...issue("Other") },
    ]);
    expect(taken).toEqual({ ok: false, reason: "id_taken", id });
    const twice = await importIssues(database.db, [
      { id: 60, ...issue("Sixty") },
      { id: 60, ...issue("Sixty again") },
    ]);
    expect(twice).toEqual({ ok: false, reason: "id_taken", id: 60 });
    expect(await ids()).toEqual([id]);
  });

  test("refuses ids that the table should not hold", async () => {
    for (const id of [0, -3, 1.5, 2 ** 53]) {
      await expect(importIssues(database.db, [{ id, ...issue("X") }])).rejects.toThrow(RangeError);
    }
  });

  test("imports many in batches, says how far it is, and takes an empty list", async () => {
    const progress: number[] = [];
    const many = Array.from({ length: 250 }, (_, index) => issue(`Issue ${index + 1}`));
    expect(await importIssues(database.db, many, (done) => progress.push(done))).toEqual({
      ok: true,
      imported: 250,
    });
    expect(progress).toEqual([100, 200, 250]);
    expect((await listIssues(database.db))[0]).toMatchObject({ id: 250, title: "Issue 250" });
    expect(await importIssues(database.db, [])).toEqual({ ok: true, imported: 0 });
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
