import { expect, test } from "vitest";
import { runScript } from "#tests/databases/run-script.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { deleteIssue, listIssues, seedStarterIssues } from "./issues.ts";

const now = new Date("2026-11-21T12:00:00.000Z");
const starterIssues = ["First", "Second", "Third"].map((title) => ({
  title,
  publishDate: "2026-11-01",
  html: "",
}));

describeOnEachDatabase("starter issues", (database) => {
  const remove = (id: number) => database.db.transaction().execute((trx) => deleteIssue(trx, id));
  const titles = async () => (await listIssues(database.db)).map(({ title }) => title);

  test("come into a new database in order, once, and removed ones stay away", async () => {
    const { db } = database;
    const other = await database.connect();
    const results = await Promise.all([
      seedStarterIssues(db, starterIssues, now),
      seedStarterIssues(other.db, starterIssues, now),
    ]);
    expect(results).toContainEqual({ ok: true, inserted: 3 });
    expect(results).toContainEqual({ ok: false, reason: "already_seeded" });
    expect(await titles()).toEqual(["Third", "Second", "First"]);
    for (const { id } of await listIssues(db)) await remove(id);
    expect(await seedStarterIssues(db, starterIssues, now)).toMatchObject({ ok: false });
    expect(await titles()).toEqual([]);
  });

  test("come at the next start when the process was killed half way", async () => {
    // Reading the title ends the process, after the mark has been written and before the issues are.
    const killedHalfWay = `
      import { openDatabase } from "#db/open-database.ts";
      import { seedStarterIssues } from "#newsletter/issues/issues.ts";
      const open = await openDatabase(input);
      const deadly = { html: "", publishDate: "2026-11-01", get title() {
        process.kill(process.pid, "SIGKILL");
        return "";
      } };
      await seedStarterIssues(open.db, [deadly], new Date());
    `;
    await expect(runScript(killedHalfWay, database.settings)).rejects.toThrow("SIGKILL");
    const seeded = await seedStarterIssues(database.db, starterIssues, now);
    expect(seeded).toEqual({ ok: true, inserted: 3 });
  });
});
