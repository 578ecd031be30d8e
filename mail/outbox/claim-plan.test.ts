import { type CompiledQuery, type Kysely, sql } from "kysely";
import { expect, test } from "vitest";
import type { Database } from "#db/tables.ts";
import { describeOnEachDatabase, type TestDatabase } from "#tests/databases.ts";
import { claimDeliveries } from "./claim.ts";
import { enqueue } from "./enqueue.ts";
import { markDelivered } from "./settle.ts";

const deliveredRows = 20_000;
const now = new Date("2026-11-21T14:00:00.000Z");

/** Deliveries of years, of which none waits any more. */
async function fill({ db, kind }: TestDatabase) {
  const numbers =
    kind === "postgres"
      ? sql`select n from generate_series(1, ${sql.lit(deliveredRows)}) as series(n)`
      : sql`with recursive series(n) as
          (select 1 union all select n + 1 from series where n < ${sql.lit(deliveredRows)}) select n from series`;
  await sql`insert into outbox (delivery_id, kind, payload, created_at, next_attempt_at, delivered_at)
    select 'old-' || n, 'confirmation-email', '{}', '2025', '2025', '2025' from (${numbers}) as numbers`.execute(
    db,
  );
  await sql`analyze outbox`.execute(db);
}

/** What the database says that it would do for each statement that `work` asks of it. */
async function plansOf(
  { db, kind }: TestDatabase,
  work: (recording: Kysely<Database>) => Promise<unknown>,
): Promise<string[]> {
  const asked: CompiledQuery[] = [];
  const recording = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => result,
  });
  const executor = recording.getExecutor();
  const compile = executor.compileQuery.bind(executor);
  executor.compileQuery = (...query: Parameters<typeof compile>) => {
    const compiled = compile(...query);
    asked.push(compiled);
    return compiled;
  };
  await work(recording);
  const explain = kind === "postgres" ? "explain " : "explain query plan ";
  const plans: string[] = [];
  for (const query of asked) {
    const { rows } = await db.executeQuery({ ...query, sql: explain + query.sql });
    plans.push(JSON.stringify(rows));
  }
  return plans;
}

describeOnEachDatabase("the outbox after years", (database) => {
  test("claims and settles by index, whatever has been delivered", async () => {
    await fill(database);
    const kind = "confirmation-email";
    await enqueue(database.db, { kind, payload: { email: "a@example.com", token: "t" }, now });
    const claim = { kind, limit: 4, claimant: "w/1", now, leaseMs: 1_000 } as const;
    let claimed = 0;
    const plans = await plansOf(database, async (db) => {
      const { rows } = await claimDeliveries(db, claim);
      await markDelivered(db, rows, now);
      claimed = rows.length;
    });
    expect(claimed).toBe(1);
    expect(plans.length).toBeGreaterThanOrEqual(3);
    for (const plan of plans) {
      expect(plan).not.toMatch(/Seq Scan on outbox|SCAN outbox/);
      expect(plan).toMatch(/outbox_waiting|outbox_pkey|INTEGER PRIMARY KEY/);
    }
  });
});
