import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import { expect, inject, onTestFinished, test } from "vitest";
import { listCopiedTables } from "#db/copy/copied-tables.ts";
import { type Row, readRows } from "#db/copy/table-rows.ts";
import type { OpenDatabase } from "#db/database-handle.ts";
import { type DatabaseSettings, openDatabase } from "#db/open-database.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { makeMemoryFolder } from "#tests/memory-folder.ts";
import { runCommand } from "#tests/site-commands.ts";
import { bareEnvironment } from "#tests/site-server.ts";
import { seed } from "../../bench/growth/seed.ts";

const projectRoot = path.join(import.meta.dirname, "..", "..");
/** Several batches of every table that is killed in. */
const people = 2_500;
const lookEveryMs = 2;
const attemptsMax = 10;

async function makeTarget(kind: OpenDatabase["kind"]): Promise<DatabaseSettings> {
  if (kind === "sqlite") {
    const folder = await makeMemoryFolder("chalkline-copy-killed-");
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    return { dataDir: path.join(folder, "data"), databaseUrl: null };
  }
  const name = `test_copy_${randomUUID().replaceAll("-", "")}`;
  const client = new pg.Client(inject("postgresUrl"));
  await client.connect();
  await client.query(`create database ${name}`);
  onTestFinished(async () => {
    await client.query(`drop database if exists ${name} with (force)`);
    await client.end();
  });
  const url = new URL(inject("postgresUrl"));
  url.pathname = name;
  return { dataDir: "", databaseUrl: url.href };
}

describeOnEachDatabase("a copy that is killed, from", (database) => {
  const other = database.kind === "sqlite" ? "postgres" : "sqlite";
  const envOf = ({ dataDir, databaseUrl }: DatabaseSettings): Record<string, string> =>
    databaseUrl ? { DATABASE_URL: databaseUrl } : { DATA_DIR: dataDir };
  const copyTo = ({ dataDir, databaseUrl }: DatabaseSettings) => [
    ...["db", "copy", "--to"],
    databaseUrl ?? dataDir,
    "--json",
  ];

  async function rowsIn({ db }: OpenDatabase, table: string): Promise<number> {
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`
      .execute(db)
      .catch(() => ({ rows: [] }));
    return Number(rows[0]?.n ?? 0);
  }

  /** Begins a copy in a process of its own and kills it when the table is there. Whether it was there in part. */
  async function killWhileCopying(table: string, target: DatabaseSettings): Promise<boolean> {
    const all = await rowsIn(database.open, table);
    const child = spawn(process.execPath, ["cli/site.ts", ...copyTo(target)], {
      cwd: projectRoot,
      env: { ...bareEnvironment, ...envOf(database.settings) },
      stdio: "ignore",
    });
    const exited = once(child, "exit");
    const looking = await openDatabase(target);
    try {
      const before = await rowsIn(looking, table);
      while (child.exitCode === null && (await rowsIn(looking, table)) <= before) {
        await delay(lookEveryMs);
      }
      child.kill("SIGKILL");
      const [, signal] = await exited;
      return signal === "SIGKILL" && (await rowsIn(looking, table)) < all;
    } finally {
      await looking.close();
    }
  }

  /**
   * A copy that was killed in the middle of one table and, begun again, of a later one. A busy machine sees too late that
   * a table has begun, and takes another target.
   */
  async function copyKilledInTheMiddle(): Promise<DatabaseSettings> {
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      const target = await makeTarget(other);
      const isHit = await killWhileCopying("consent_events", target);
      // The site goes on meanwhile.
      await seed(database.open, { readers: 10, messages: 10 });
      await database.db
        .deleteFrom("contact_messages")
        .where("id", "in", ({ selectFrom }) =>
          selectFrom("contact_messages").select("id").orderBy("id").limit(10),
        )
        .execute();
      if (isHit && (await killWhileCopying("outbox", target))) return target;
    }
    throw new Error("No copy was killed in the middle of its tables.");
  }

  async function contents(open: OpenDatabase, sqlite: OpenDatabase) {
    const all: Record<string, Row[]> = {};
    for (const table of await listCopiedTables(sqlite.db)) {
      all[table.name] = await readRows(open.db, table, { after: null });
    }
    return all;
  }

  test("leaves the site's own as it was, and is finished by the next one: nothing lost, nothing doubled", async () => {
    await seed(database.open, { issues: 30, readers: people, messages: people });
    const target = await copyKilledInTheMiddle();
    const started = await runCommand(["issues", "list"], { env: envOf(target) });
    expect(started, "no site runs on a part").toMatchObject({ exitCode: 1 });

    const last = await runCommand([...copyTo(target), "--last"], {
      env: { ...envOf(database.settings), PORT: "9" },
    });
    expect(last).toMatchObject({ exitCode: 0 });
    const copy = await openDatabase(target);
    onTestFinished(() => copy.close());
    const sqlite = other === "sqlite" ? copy : database.open;
    const [here, there] = [await contents(database.open, sqlite), await contents(copy, sqlite)];
    expect(Object.keys(here).length).toBeGreaterThan(10);
    for (const [table, rows] of Object.entries(here)) {
      expect(there[table]?.length, table).toBe(rows.length);
      expect(JSON.stringify(there[table]) === JSON.stringify(rows), `the rows of ${table}`).toBe(
        true,
      );
    }
    expect(here.subscribers?.length).toBeGreaterThan(people);
    expect(here.contact_messages).toHaveLength(people);
  });
});
