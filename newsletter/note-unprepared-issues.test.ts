import { sql } from "kysely";
import { expect, test } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { until } from "#tests/until.ts";
import { noteUnpreparedIssues } from "./note-unprepared-issues.ts";

describeOnEachDatabase("issues that are not prepared yet", (database) => {
  const noted = async () => {
    const rows = await database.db.selectFrom("issues_to_prepare").select("issue_id").execute();
    return rows.map(({ issue_id }) => issue_id).toSorted();
  };
  const publish = async (...ids: number[]) => {
    const rows = ids.map((id) => ({
      id,
      title: `Issue ${id}`,
      content_markdown: "Words",
      publish_date: "2026-11-21",
    }));
    await database.db.insertInto("final_newsletters").values(rows).execute();
    await database.db.deleteFrom("issues_to_prepare").execute();
  };

  test("are noted", async () => {
    await publish(1, 2);
    await noteUnpreparedIssues(database.db);
    expect(await noted()).toEqual([1, 2]);
  });

  if (database.kind === "postgres") {
    test("are not noted where they are removed in the same moment: their notes would stay for good", async () => {
      await publish(1, 2);
      const { db } = await database.connect();
      const other = await database.connect();
      let noting: Promise<void> | undefined;
      await other.db.transaction().execute(async (trx) => {
        await trx.deleteFrom("final_newsletters").where("id", "=", 1).execute();
        noting = noteUnpreparedIssues(db);
        await until(async () => {
          const { rows } = await sql`select 1 from pg_locks where not granted`.execute(database.db);
          return rows.length > 0;
        });
      });
      await noting;
      expect(await noted()).toEqual([2]);
    });
  }
});
