import { type Kysely, sql } from "kysely";
import { isPostgres } from "../database/is-postgres.ts";
import type { Database } from "../database/tables.ts";
import { type OutboxKind, outboxPayloadSchemas } from "../outbox/payloads.ts";

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
  return {
    messages: await rowsIn(db, "contact_messages_held", heldIn("contact_messages")),
    subscribers: await rowsIn(db, "subscribers_held", heldIn("subscribers")),
  };
}

function heldIn(table: "contact_messages" | "subscribers") {
  return { table, where: sql`held_at is not null` };
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

async function estimate(db: Kysely<Database>): Promise<StoredCounts> {
  const [readers, heldReaders, left, unconfirmed, messages, heldMessages] = await Promise.all([
    rowsIn(db, "subscribers", { table: "subscribers" }),
    rowsIn(db, "subscribers_held", heldIn("subscribers")),
    rowsIn(db, "subscribers_left", {
      table: "subscribers",
      where: sql`unsubscribed_at is not null and held_at is null`,
    }),
    rowsIn(db, "subscribers_unconfirmed", {
      table: "subscribers",
      where: sql`confirmed_at is null and unsubscribed_at is null and held_at is null`,
    }),
    rowsIn(db, "contact_messages", { table: "contact_messages" }),
    rowsIn(db, "contact_messages_held", heldIn("contact_messages")),
  ]);
  const outbox = byKind(() => ({ waiting: 0, failed: 0 }));
  for (const kind of kinds) {
    const open = sql`kind = ${kind} and delivered_at is null and failed_at`;
    outbox[kind].waiting = await rowsIn(db, null, { table: "outbox", where: sql`${open} is null` });
    outbox[kind].failed = await rowsIn(db, null, {
      table: "outbox",
      where: sql`${open} is not null`,
    });
  }
  const delivered = await rowsIn(db, "outbox_delivered", {
    table: "outbox",
    where: sql`delivered_at is not null`,
  });
  return {
    subscribers: {
      confirmed: Math.max(0, readers - heldReaders - left - unconfirmed),
      unconfirmed,
      unsubscribed: left,
      held: heldReaders,
    },
    messages: { received: Math.max(0, messages - heldMessages), held: heldMessages },
    outbox,
    delivered,
  };
}

/** Counts as far as `countedMaxRows`; beyond, what the table's or the index's statistics say. */
async function rowsIn(
  db: Kysely<Database>,
  relation: string | null,
  { table, where }: { table: keyof Database; where?: ReturnType<typeof sql> },
): Promise<number> {
  const filter = where ? sql`where ${where}` : sql``;
  const { rows } = await sql<{ counted: number; estimated: number }>`select
    (select count(*) from
      (select 1 from ${sql.table(table)} ${filter} limit ${countedMaxRows + 1}) as first_rows) as counted,
    (select reltuples::bigint from pg_class where oid = to_regclass(${relation})) as estimated`.execute(
    db,
  );
  const { counted = 0, estimated = 0 } = rows[0] ?? {};
  return counted > countedMaxRows ? Math.max(counted, estimated) : counted;
}
