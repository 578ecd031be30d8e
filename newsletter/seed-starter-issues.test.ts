import { sql } from "kysely";
import { expect, test } from "vitest";
import { runScript } from "#tests/databases/run-script.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { listIssues, publishIssue, removeIssue, seedStarterIssues } from "./issues.ts";

const now = new Date("2026-11-21T12:00:00.000Z");
const starterIssues = ["First", "Second", "Third"].map((title, index) => ({
  title,
  publishDate: `2026-11-0${index + 1}`,
  html: `<p>${title}</p>`,
}));

describeOnEachDatabase("seedStarterIssues", (database) => {
  const titles = async () => (await listIssues(database.db)).map(({ title }) => title);

  test("gives a new database its issues in order, and marks that it has", async () => {
    expect(await seedStarterIssues(database.db, starterIssues, now)).toEqual({
      ok: true,
      inserted: 3,
    });
    expect(await titles()).toEqual(["Third", "Second", "First"]);
    expect(await database.db.selectFrom("marks").selectAll().execute()).toEqual([
      { name: "starter-issues", set_at: "2026-11-21T12:00:00.000Z" },
    ]);
  });

  test("does not bring removed issues back", async () => {
    await seedStarterIssues(database.db, starterIssues, now);
    for (const { id } of await listIssues(database.db)) {
      await removeIssue(database.db, id);
    }
    const again = await database.connect();
    expect(await seedStarterIssues(again.db, starterIssues, now)).toEqual({
      ok: false,
      reason: "already_seeded",
    });
    expect(await titles()).toEqual([]);
  });

  test("leaves a table with issues alone, then and later", async () => {
    const { id } = await publishIssue(database.db, {
      title: "Ours",
      html: "",
      publishDate: "2026-11-20",
    });
    expect(await seedStarterIssues(database.db, starterIssues, now)).toEqual({
      ok: true,
      inserted: 0,
    });
    await removeIssue(database.db, id);
    expect(await seedStarterIssues(database.db, starterIssues, now)).toMatchObject({ ok: false });
    expect(await titles()).toEqual([]);
  });

  test("happens at the next start when it failed half way", async () => {
    // The mark is already written when the last row is refused.
    await sql`create unique index one_body on final_newsletters (content_markdown)`.execute(
      database.db,
    );
    const failing = [
      ...starterIssues,
      { title: "Fourth", publishDate: "2026-11-04", html: "<p>First</p>" },
    ];
    await expect(seedStarterIssues(database.db, failing, now)).rejects.toThrow();
    expect(await titles()).toEqual([]);
    expect(await database.db.selectFrom("marks").selectAll().execute()).toEqual([]);
    expect(await seedStarterIssues(database.db, starterIssues, now)).toMatchObject({ inserted: 3 });
  });

  test("happens at the next start when the process was killed half way", async () => {
    // Reading the title ends the process, after the mark has been written and before the issues are.
    const killedHalfWay = `
      import { openDatabase } from "#db/open-database.ts";
      import { seedStarterIssues } from "#newsletter/issues.ts";
      const open = await openDatabase(input);
      const deadly = { html: "", publishDate: "2026-11-01", get title() {
        process.kill(process.pid, "SIGKILL");
        return "";
      } };
      await seedStarterIssues(open.db, [deadly], new Date());
    `;
    await expect(runScript(killedHalfWay, database.settings)).rejects.toThrow("SIGKILL");
    expect(await seedStarterIssues(database.db, starterIssues, now)).toEqual({
      ok: true,
      inserted: 3,
    });
  });

  test("happens once when two servers start together", async () => {
    const other = await database.connect();
    const results = await Promise.all([
      seedStarterIssues(database.db, starterIssues, now),
      seedStarterIssues(other.db, starterIssues, now),
    ]);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await titles()).toHaveLength(3);
  });
});
