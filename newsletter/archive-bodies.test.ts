import { expect, test } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { readBodyKeys, readPreparedBody } from "./archive.ts";

describeOnEachDatabase("prepared issues", (database) => {
  test("an issue is prepared again if another program wrote it or an older release prepared it", async () => {
    const { db } = database;
    const body = database.kind === "postgres" ? "<p>ab</p>" : "<p>a\0b</p>";
    const values = { title: "Gazebo", content_markdown: body, publish_date: "2026-11-20" };
    await db.insertInto("final_newsletters").values(values).execute();
    const outdated = { body_key: "of another release", html: "<p>outdated</p>", plain_text: "old" };
    for (const written of [null, outdated]) {
      if (written) await db.updateTable("prepared_issues").set(written).execute();
      expect(await readBodyKeys(db)).toEqual(new Map());
      expect(await readPreparedBody(db, 1)).toMatchObject({ html: "<p>ab</p>", plainText: "ab" });
      expect([...(await readBodyKeys(db)).keys()]).toEqual([1]);
    }
    expect(await readPreparedBody(db, 2)).toBeNull();
  });
});
