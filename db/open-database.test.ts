import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { openDatabase } from "./open-database.ts";

describeOnEachDatabase(
  "openDatabase",
  (database) => {
    test("outlives the loss of an unused connection", async () => {
      const onConnectionLost = vi.fn();
      const open = await openDatabase(database.settings, { onConnectionLost });
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(open.db);
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(database.db);
      await expect.poll(() => onConnectionLost).toHaveBeenCalled();
      expect((await sql`select 1 as one`.execute(open.db)).rows).toEqual([{ one: 1 }]);
      await open.close();
    });

    test("never shows the password", () => {
      const { host, pathname, password } = new URL(database.settings.databaseUrl ?? "");
      expect(password).not.toBe("");
      expect(database.open.location).toBe(`postgres://postgres@${host}${pathname}`);
    });
  },
  { kinds: ["postgres"] },
);
