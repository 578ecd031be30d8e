import { type Kysely, sql } from "kysely";
import type { OpenDatabase } from "#db/database-handle.ts";
import type { Database } from "#db/tables.ts";

const tables = ["subscribers", "consent_events", "outbox", "contact_messages"];
/** Enough to sort a million keys without files. */
const indexMemory = "512MB";

type Definition = { on: string; name: string; definition: string };

/**
 * Does work that adds millions of rows to PostgreSQL without the indexes and rules of their tables, which are made again
 * afterwards and look through all of the rows once. Each row would ask and write a dozen pages without an order
 * otherwise. The indexes are as after a REINDEX then, somewhat smaller than years of rows would leave them.
 */
export async function indexedAfterwards(
  open: OpenDatabase,
  work: (db: Kysely<Database>) => Promise<void>,
): Promise<void> {
  await open.withoutTimeouts(async (db) => {
    // The rules of others that refer to these tables too; what refers goes first and comes last.
    const rules = await definitions(
      db,
      sql`select conrelid::regclass::text as on, conname as name, pg_get_constraintdef(oid) as definition
        from pg_constraint where contype in ('f', 'u')
          and (conrelid::regclass::text = any(${tables}) or confrelid::regclass::text = any(${tables}))
        order by contype`,
    );
    for (const { on, name } of rules) {
      await sql`alter table ${sql.table(on)} drop constraint ${sql.ref(name)}`.execute(db);
    }
    const indexes = await definitions(
      db,
      sql`select tablename as on, indexname as name, indexdef as definition from pg_indexes
        where tablename = any(${tables}) and indexname not in (select conname from pg_constraint)`,
    );
    for (const { name } of indexes) await sql`drop index ${sql.ref(name)}`.execute(db);
    await work(db);
    await db.connection().execute(async (connection) => {
      await sql`set maintenance_work_mem = ${sql.lit(indexMemory)}`.execute(connection);
      for (const { definition } of indexes) await sql.raw(definition).execute(connection);
      for (const { on, name, definition } of rules.toReversed()) {
        await sql`alter table ${sql.table(on)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(
          connection,
        );
      }
    });
  });
}

async function definitions(db: Kysely<Database>, query: ReturnType<typeof sql>) {
  const { rows } = await query.execute(db);
  return rows as Definition[];
}
