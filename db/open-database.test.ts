import { sql } from "kysely";
import pg from "pg";
import { expect, test, vi } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { openDatabase } from "./open-database.ts";

describeOnEachDatabase(
  "openDatabase",
  (database) => {
    test("gives times as PostgREST does, and leaves pg's own parsers alone", async () => {
      const rows = await database.db.connection().execute(async (connection) => {
        await sql`set timezone = 'America/Toronto'`.execute(connection);
        const result = await sql`select '2026-11-21T14:05:09.5Z'::timestamptz as zoned,
        '2026-11-21 14:05:09'::timestamp as plain, date '2026-11-21' as day,
        9007199254740991::bigint as big`.execute(connection);
        return result.rows;
      });
      expect(rows).toEqual([
        {
          zoned: "2026-11-21T09:05:09.5-05:00",
          plain: "2026-11-21T14:05:09",
          day: "2026-11-21",
          big: Number.MAX_SAFE_INTEGER,
        },
      ]);
      expect(pg.types.getTypeParser(pg.types.builtins.INT8)("5")).toBe("5");
    });

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

test("refuses an address that is not PostgreSQL's, without repeating it", async () => {
  const opening = async () =>
    await openDatabase({ dataDir: "", databaseUrl: "mysql://root:hunter2@host/name" });
  const error = await opening().catch((reason: unknown) => reason);
  expect(String(error)).toContain("postgres://user:password@host:port/name");
  expect(String(error)).not.toContain("hunter2");
});
