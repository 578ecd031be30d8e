import { sql } from "kysely";
import { expect, test } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { readArchiveVersion } from "./archive-version.ts";

describeOnEachDatabase("readArchiveVersion", (database) => {
  test("gives another word after each change to an issue, however it is made, and the same in between", async () => {
    const versions = [await readArchiveVersion(database.db)];
    for (const change of [
      sql`insert into final_newsletters (title, content_markdown, publish_date) values ('One', 'Words', '2026-11-21')`,
      sql`update final_newsletters set content_markdown = 'Other words'`,
      sql`delete from final_newsletters`,
    ]) {
      await change.execute(database.db);
      versions.push(await readArchiveVersion(database.db));
      expect(await readArchiveVersion(database.db)).toBe(versions.at(-1));
    }
    expect(new Set(versions).size).toBe(4);
  });
});
