import { randomInt } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { migrateToLatest } from "#db/migrate.ts";
import { type DatabaseSettings, openDatabase } from "#db/open-database.ts";
import { startPostgresCluster } from "#tests/databases/postgres-cluster.ts";
import { runSequences } from "#tests/reliability/readers/run-sequences.ts";
import type { Measurement } from "../measurement.ts";

const sequences = { sqlite: 10_000, postgres: 1_000 };
const largestSeed = 2 ** 31 - 1;

/** Random sequences of what visitors, programs and the operator can do to a reader, held to what readers are promised. */
export const readersModel: Measurement = {
  name: "readers-model",
  async run({ say }) {
    const seed = randomInt(largestSeed);
    say(`SQLite: ${sequences.sqlite} sequences, seed ${seed}`);
    const folder = await mkdtemp(path.join(tmpdir(), "chalkline-readers-"));
    const onSqlite = await run({ dataDir: folder, databaseUrl: null }, sequences.sqlite, seed);
    await rm(folder, { recursive: true, force: true });

    say(`PostgreSQL: ${sequences.postgres} sequences, seed ${seed}`);
    const cluster = await startPostgresCluster();
    const settings = { dataDir: "", databaseUrl: cluster.url };
    const onPostgres = await run(settings, sequences.postgres, seed).finally(cluster.stop);
    const row = (name: string, count: number, steps: number) => [
      name,
      count.toLocaleString("en-CA"),
      steps.toLocaleString("en-CA"),
      "0",
    ];
    return [
      {
        title: "Readers under random sequences",
        note: `Seed ${seed}. Sign-ups by people and programs in twelve spellings of two mailboxes, links of old and new mails, the operator's commands, imports, removals and erasures, bounces and complaints, moves to another address, some at the same instant; issues that go out meanwhile; mail that arrives, fails or is given up; time that passes. A promise that is broken ends the run with the shortest sequence that breaks it.`,
        columns: ["database", "sequences", "steps", "promises broken"],
        rows: [
          row("SQLite", sequences.sqlite, onSqlite),
          row("PostgreSQL", sequences.postgres, onPostgres),
        ],
      },
    ];
  },
};

async function run(settings: DatabaseSettings, count: number, seed: number): Promise<number> {
  const open = await openDatabase(settings);
  try {
    await migrateToLatest(open);
    return (await runSequences(open.db, { sequences: count, seed })).steps;
  } finally {
    await open.close();
  }
}
