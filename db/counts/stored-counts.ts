import { type Kysely, type RawBuilder, sql } from "kysely";
import { type OutboxKind, outboxPayloadSchemas } from "#mail/outbox/payloads.ts";
import { isPostgres } from "../is-postgres.ts";
import type { Database } from "../tables.ts";
import { withoutPlans } from "../without-plans.ts";

/** How much is stored, by its state. */
export type StoredCounts = {
  subscribers: { confirmed: number; unconfirmed: number; unsubscribed: number; held: number };
  messages: { received: number; held: number };
  outbox: Record<OutboxKind, { waiting: number; failed: number }>;
  delivered: number;
};

const kinds = Object.keys(outboxPayloadSchemas) as OutboxKind[];

/** Up to here PostgreSQL counts; of what is more it gives its estimate, where it has one. */
export const countedMaxRows = 10_000;

/**
 * How much is stored, at a cost that doesn't grow with it. Exact on SQLite, where triggers keep the counts; on
 * PostgreSQL, where one row of counts would make all writers wait for one another, exact up to 10,000 of a kind and
 * beyond that as its statistics have it.
 */
export async function readStoredCounts(db: Kysely<Database>): Promise<StoredCounts> {
  return isPostgres(db) ? await estimate(db) : await readKept(db);
}

/** What is held, alone. */
export async function readHeldCounts(
  db: Kysely<Database>,
): Promise<{ messages: number; subscribers: number }> {
  if (!isPostgres(db)) {
    const { messages, subscribers } = await readKept(db);
    return { messages: messages.held, subscribers: subscribers.held };
  }
  return await countRows(db, {
    messages: heldIn("contact_messages"),
    subscribers: heldIn("subscribers"),
  });
}

function heldIn(table: "contact_messages" | "subscribers"): Rows {
  return { table, index: `${table}_held`, where: sql`held_at is not null` };
}

async function readKept(db: Kysely<Database>): Promise<StoredCounts> {
  const kept = await db.selectFrom("row_counts").select(["name", "state", "rows"]).execute();
  const rows = (name: string, state: string) =>
    kept.find((row) => row.name === name && row.state === state)?.rows ?? 0;
  const subscribers = (state: string) => rows("subscribers", state);
  return {
    subscribers: {
      confirmed: subscribers("confirmed"),
      unconfirmed: subscribers("unconfirmed"),
      unsubscribed: subscribers("unsubscribed"),
      held: subscribers("held"),
    },
    messages: {
      received: rows("contact_messages", "received"),
      held: rows("contact_messages", "held"),
    },
    outbox: byKind((kind) => ({
      waiting: rows("outbox", `waiting ${kind}`),
      failed: rows("outbox", `failed ${kind}`),
    })),
    delivered: kept
      .filter((row) => row.name === "outbox" && row.state.startsWith("delivered "))
      .reduce((sum, row) => sum + row.rows, 0),
  };
}

function byKind<Value>(read: (kind: OutboxKind) => Value): Record<OutboxKind, Value> {
  return Object.fromEntries(kinds.map((kind) => [kind, read(kind)])) as Record<OutboxKind, Value>;
}

/** Rows that are counted: all of a table, or those of an index. */
type Rows = {
  table: "subscribers" | "contact_messages" | "outbox";
  /** Whose statistics say how many there are, where that is all that it holds. */
  index?: string;
  where?: RawBuilder<unknown>;
};

async function estimate(db: Kysely<Database>): Promise<StoredCounts> {
  const open = (kind: OutboxKind) => sql`kind = ${kind} and delivered_at is null and failed_at`;
  const ofKinds = kinds.flatMap((kind): [string, Rows][] => [
    [`waiting ${kind}`, { table: "outbox", where: sql`${open(kind)} is null` }],
    [`failed ${kind}`, { table: "outbox", where: sql`${open(kind)} is not null` }],
  ]);
  const counts = await countRows(db, {
    readers: { table: "subscribers" },
    heldReaders: heldIn("subscribers"),
    left: {
      table: "subscribers",
      index: "subscribers_left",
      where: sql`unsubscribed_at is not null and held_at is null`,
    },
    unconfirmed: {
      table: "subscribers",
      index: "subscribers_unconfirmed",
      where: sql`confirmed_at is null and unsubscribed_at is null and held_at is null`,
    },
    messages: { table: "contact_messages" },
    heldMessages: heldIn("contact_messages"),
    delivered: {
      table: "outbox",
      index: "outbox_delivered",
      where: sql`delivered_at is not null`,
    },
    ...(Object.fromEntries(ofKinds) as Record<`${"waiting" | "failed"} ${OutboxKind}`, Rows>),
  });
  return {
    subscribers: {
      confirmed: Math.max(
        0,
        counts.readers - counts.heldReaders - counts.left - counts.unconfirmed,
      ),
      unconfirmed: counts.unconfirmed,
      unsubscribed: counts.left,
      held: counts.heldReaders,
    },
    messages: {
      received: Math.max(0, counts.messages - counts.heldMessages),
      held: counts.heldMessages,
    },
    outbox: byKind((kind) => ({
      waiting: counts[`waiting ${kind}`],
      failed: counts[`failed ${kind}`],
    })),
    delivered: counts.delivered,
  };
}

/**
 * Counts as far as `countedMaxRows`; beyond, what the table's or the index's statistics say. Where they say that it is far
 * beyond, nothing is counted: ten thousand rows lie in as many places of a large table. In one statement, and by index:
 * where PostgreSQL has no statistics yet, as after a move from another database, it would read whole tables and whole
 * indexes for a few rows.
 */
async function countRows<Name extends string>(
  db: Kysely<Database>,
  asked: Record<Name, Rows>,
): Promise<Record<Name, number>> {
  const entries = Object.entries<Rows>(asked);
  const counted = entries.map(([name, { table, index, where }]) => {
    const chosen = where ? sql`where ${where}` : sql``;
    const relation = where ? (index ?? null) : table;
    return sql`select ${name}::text as name, estimated,
      case when estimated > ${sql.lit(2 * countedMaxRows)} then ${sql.lit(countedMaxRows + 1)} else
        (select count(*)::int from
          (select 1 from ${sql.table(table)} ${chosen} limit ${sql.lit(countedMaxRows + 1)}) as first_rows)
        end as counted
      from (select (select reltuples::bigint from pg_class where oid = to_regclass(${relation}::text)) as estimated)
        as known`;
  });
  const counting = sql<{
    name: Name;
    counted: number;
    estimated: number | string | null;
  }>`${sql.join(counted, sql` union all `)}`;
  const { rows } = await withoutPlans(db, ["seqscan", "bitmapscan"], (trx) =>
    counting.execute(trx),
  );
  return Object.fromEntries(
    rows.map((row) => [
      row.name,
      row.counted > countedMaxRows ? Math.max(row.counted, Number(row.estimated)) : row.counted,
    ]),
  ) as Record<Name, number>;
}
