import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { sql } from "kysely";
import pg from "pg";
import { expect, test, vi } from "vitest";
import { findUnprivilegedUser } from "#tests/databases/postgres-cluster.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { newFolder } from "#tests/test-folder.ts";
import { openDatabase } from "./open-database.ts";
import { addressForLibpq } from "./open-postgres.ts";

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

test("opens a data file of another user that may be written, and warns", async (context) => {
  const nobody = findUnprivilegedUser();
  if (!nobody) context.skip();
  const folder = newFolder();
  chmodSync(folder, 0o777);
  writeFileSync(path.join(folder, "chalkline.sqlite"), "");
  chmodSync(path.join(folder, "chalkline.sqlite"), 0o666);
  const module = pathToFileURL(path.join(import.meta.dirname, "open-database.ts"));
  const script = `import { openDatabase } from ${JSON.stringify(module)};
    const open = await openDatabase({ dataDir: ${JSON.stringify(folder)}, databaseUrl: null });
    await open.ping();
    await open.close();`;
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--input-type=module-typescript", "--eval", script],
    { ...nobody, encoding: "utf8", env: {} },
  );
  expect(stderr).toContain("belongs to another user");
  expect(status).toBe(0);
});

test("refuses an address that is not PostgreSQL's, without repeating it", async () => {
  const opening = async () =>
    await openDatabase({ dataDir: "", databaseUrl: "mysql://root:hunter2@host/name" });
  const error = await opening().catch((reason: unknown) => reason);
  expect(String(error)).toContain("postgres://user:password@host:port/name");
  expect(String(error)).not.toContain("hunter2");
});

test.each([
  ["db:5432/site", "db:5432/site"],
  ["db/site?pgbouncer=true&sslmode=no-verify", "db/site?sslmode=require"],
  ["db/site?ssl=true", "db/site?sslmode=require"],
  ["one:1,two:2/site", "one:1,two:2/site?target_session_attrs=read-write"],
  ["db/site?options=-c%20search_path%3Da", "db/site?options=-c%20search_path%3Da"],
  [
    "db/site?sslmode=verify-full&sslrootcert=system",
    "db/site?sslmode=verify-full&sslrootcert=%2Fetc%2Fssl%2Fcerts%2Fca-certificates.crt",
  ],
])("gives PostgreSQL's own programs %s as %s, and the password apart", (given, place) => {
  const address = `postgres://me@${place}`;
  expect(addressForLibpq(`postgres://me:p%40ss@${given}`)).toEqual({ address, password: "p@ss" });
});
