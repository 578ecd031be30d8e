import { expect, test } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { migrateToLatest } from "./migrate.ts";

describeOnEachDatabase(
  "migrateToLatest",
  (database) => {
    test("makes every table, and finds nothing to do the second time", async () => {
      expect(await migrateToLatest(database.open)).toContain("2026-11-21T00-00-00-first-tables");
      for (const table of ["final_newsletters", "subscribers", "outbox", "marks"] as const) {
        expect(await database.db.selectFrom(table).selectAll().execute()).toEqual([]);
      }
      expect(await migrateToLatest(database.open)).toEqual([]);
    });
  },
  { migrated: false },
);
