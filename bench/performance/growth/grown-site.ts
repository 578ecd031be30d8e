import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { sql } from "kysely";
import pg from "pg";
import { type SettingName, settingNames } from "#contracts/environment.ts";
import type { OpenDatabase } from "#db/database-handle.ts";
import { openDatabase } from "#db/open-database.ts";
import { type PostgresCluster, startPostgresCluster } from "#tests/databases/postgres-cluster.ts";
import { type BuiltServer, startBuiltServer } from "../../built-server.ts";
import { sampleTitle } from "../../growth/sample-issue.ts";
import { type Growth, seedDatabase } from "../../growth/seed.ts";
import { createMemoryGroup } from "../../memory-group.ts";

const projectRoot = path.join(import.meta.dirname, "..", "..", "..");
const groupBytes = 512 * 2 ** 20;
/** A first start may have a grown archive or list to go through. */
const startTimeoutMs = 120_000;
const commandTimeoutMs = 300_000;
const outputMaxBytes = 256 * 2 ** 20;

const run = promisify(execFile);

/** A site with a database that has grown, its server running or not. */
export type GrownSite = {
  /** By what means the server's memory is bounded. */
  how: string;
  seed(growth: Growth): Promise<void>;
  /** What the database takes on the disk, its indexes included, in bytes. */
  diskBytes(): Promise<number>;
  /**
   * Gives issues the titles that they were seeded with and more words, so that every page that shows them is another, and
   * one of them a new end of its body, which nobody has asked for yet.
   */
  revise(ids: { retitled: number[]; rewritten: number }, words: string): Promise<void>;
  /** How many issues wait for the server to prepare them. */
  countUnprepared(): Promise<number>;
  /** Starts the server, in a memory group of its own; `stop` of what comes back ends both. */
  start(settings?: Settings, entry?: string): Promise<BuiltServer>;
  /** Runs an operator's command beside it; what it printed, and milliseconds in all, the program's own start included. */
  command(...parameters: string[]): Promise<{ stdout: string; ms: number; failed: boolean }>;
  close(): Promise<void>;
};

type Settings = Partial<Record<SettingName, string>>;

export async function openGrownSite(kind: OpenDatabase["kind"]): Promise<GrownSite> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "chalkline-grown-"));
  const cluster = kind === "postgres" ? await startPostgresCluster() : null;
  const databaseUrl = cluster && (await createDatabase(cluster));
  const place: Settings = {
    DATA_DIR: dataDir,
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
  };
  const { how, remove } = createMemoryGroup(groupBytes);
  remove();
  const running = new Set<BuiltServer>();

  async function inDatabase<Found>(work: (db: OpenDatabase["db"]) => Promise<Found>) {
    const { db, close } = await openDatabase({ dataDir, databaseUrl });
    try {
      return await work(db);
    } finally {
      await close();
    }
  }

  return {
    how,
    seed: (growth) => seedDatabase({ dataDir, databaseUrl }, growth),
    diskBytes: () => (databaseUrl ? postgresBytes(databaseUrl) : folderBytes(dataDir)),
    revise: ({ retitled, rewritten }, words) =>
      inDatabase(async (db) => {
        for (const id of retitled) {
          const title = `${sampleTitle(id - 1)}, ${words}`;
          await db.updateTable("final_newsletters").set({ title }).where("id", "=", id).execute();
        }
        const more = sql<string>`content_markdown || cast(${`<p>${words}</p>`} as text)`;
        await db
          .updateTable("final_newsletters")
          .set({ content_markdown: more })
          .where("id", "=", rewritten)
          .execute();
      }),
    countUnprepared: () =>
      inDatabase(async (db) => {
        const rows = await db.selectFrom("issues_to_prepare").select("issue_id").execute();
        return rows.length;
      }),
    async start(settings = {}, entry) {
      const group = createMemoryGroup(groupBytes);
      const options = { ...group.surroundings, entry, dataDir, startTimeoutMs };
      const server = await startBuiltServer({ ...place, ...settings }, options);
      running.add(server);
      const stop = async () => {
        await server.stop();
        running.delete(server);
        group.remove();
      };
      return { ...server, stop };
    },
    async command(...parameters) {
      const startedAt = performance.now();
      const settings = { ...Object.fromEntries(settingNames.map((name) => [name, ""])), ...place };
      const options = {
        cwd: projectRoot,
        env: { PATH: process.env.PATH, NODE_ENV: "production", ...settings },
        timeout: commandTimeoutMs,
        maxBuffer: outputMaxBytes,
      };
      const ended = await run(process.execPath, ["cli/site.ts", ...parameters], options).then(
        ({ stdout }) => ({ stdout, failed: false }),
        (error: { stdout?: string }) => ({ stdout: error.stdout ?? "", failed: true }),
      );
      return { ...ended, ms: performance.now() - startedAt };
    },
    async close() {
      for (const server of running) await server.stop();
      await cluster?.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function createDatabase({ url }: PostgresCluster): Promise<string> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query("create database growth");
  await client.end();
  const databaseUrl = new URL(url);
  databaseUrl.pathname = "growth";
  return databaseUrl.href;
}

async function postgresBytes(databaseUrl: string): Promise<number> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const { rows } = await client.query("select pg_database_size(current_database()) as bytes");
  await client.end();
  return Number(rows[0]?.bytes);
}

async function folderBytes(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = files
    .filter((file) => file.isFile())
    .map(async ({ parentPath, name }) => (await stat(path.join(parentPath, name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
