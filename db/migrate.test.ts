import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import path from "node:path";
import { promisify } from "node:util";
import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { patienceMs } from "#tests/patience.ts";
import { describeCauses } from "./describe-causes.ts";
import { migrateToLatest } from "./migrate.ts";
import { openDatabase } from "./open-database.ts";

const firstMigration = "2026-11-29T00-00-00-first";

/** Returns what was applied. */
async function migrateInOwnProcess(settings: object): Promise<string[]> {
  const source = `
    import { migrateToLatest } from "#db/migrate.ts";
    import { openDatabase } from "#db/open-database.ts";
    const open = await openDatabase(${JSON.stringify(settings)});
    console.log(JSON.stringify(await migrateToLatest(open)));
    await open.close();`;
  const flags = ["--input-type=module-typescript", "--eval", source];
  const cwd = path.join(import.meta.dirname, "..");
  return JSON.parse((await promisify(execFile)(process.execPath, flags, { cwd })).stdout);
}

describeOnEachDatabase(
  "migrateToLatest on PostgreSQL",
  (database) => {
    test("beside a site that runs makes no visitor wait behind it for a lock that somebody holds, and goes on when it is free", async () => {
      await sql`create table final_newsletters (
        id bigint primary key, title text, content_markdown text, publish_date text
      )`.execute(database.db);
      const [holder, site] = [await database.connect(), await database.connect()];
      let migrating: Promise<string[]> | undefined;
      await holder.db.transaction().execute(async (trx) => {
        await sql`lock table final_newsletters in row exclusive mode`.execute(trx);
        migrating = migrateToLatest(database.open);
        await vi.waitFor(
          async () => {
            const { rows } = await sql`select 1 from pg_locks
              where not granted and relation = 'final_newsletters'::regclass`.execute(site.db);
            expect(rows).toHaveLength(1);
          },
          { timeout: patienceMs, interval: 5 },
        );
        // The site's own statement time-out ends what waits too long.
        await sql`insert into final_newsletters values (1, 'Written meanwhile')`.execute(site.db);
      });
      expect(await migrating).toContain(firstMigration);
      expect(await database.db.selectFrom("final_newsletters").select("id").execute()).toEqual([
        { id: 1 },
      ]);
    });

    test("by a role with few rights says what it may not, and what the database's owner can do", async () => {
      const role = `guest_${randomUUID().slice(0, 8)}`;
      await sql`create role ${sql.ref(role)} login password 'guest'`.execute(database.db);
      const url = new URL(database.settings.databaseUrl ?? "");
      Object.assign(url, { username: role, password: "guest" });
      const open = await openDatabase({ dataDir: "", databaseUrl: url.href });
      const error = await migrateToLatest(open).catch(describeCauses);
      await open.close();
      await sql`drop role ${sql.ref(role)}`.execute(database.db);
      expect(error).toMatch(/grant create on schema public.*permission denied for schema public/);
    });
  },
  { migrated: false, kinds: ["postgres"] },
);

describeOnEachDatabase(
  "migrateToLatest",
  (database) => {
    test("happens once when processes start at the same moment", async () => {
      const both = await Promise.all([1, 2].map(() => migrateInOwnProcess(database.settings)));
      const applied = both.filter((names) => names.length > 0);
      expect(applied).toHaveLength(1);
      expect(applied[0]).toContain(firstMigration);
      expect(await migrateToLatest(database.open)).toEqual([]);
    });

    test("leaves nothing half made when it fails, and works once the cause is gone", async () => {
      await sql`create table outbox (in_the_way text)`.execute(database.db);
      await expect(migrateToLatest(database.open)).rejects.toThrow(firstMigration);
      await expect(database.db.selectFrom("subscribers").selectAll().execute()).rejects.toThrow(
        "subscribers",
      );
      await sql`drop table outbox`.execute(database.db);
      expect(await migrateToLatest(database.open)).toContain(firstMigration);
    });

    test("takes an issues table that came from elsewhere as it stands", async () => {
      await sql`create table final_newsletters (
        id bigint primary key, title text, content_markdown text, publish_date text
      )`.execute(database.db);
      await sql`insert into final_newsletters values (41, 'Kept', '<p>Kept</p>', null)`.execute(
        database.db,
      );
      await migrateToLatest(database.open);
      const rows = await database.db.selectFrom("final_newsletters").select("title").execute();
      expect(rows).toEqual([{ title: "Kept" }]);
    });
  },
  { migrated: false },
);
