import { type Kysely, sql } from "kysely";
import { isPostgres } from "../is-postgres.ts";
import type { Database } from "../tables.ts";
import type { CopiedTable } from "./copied-tables.ts";

/** Sees to it that the target gives no id that the source has ever given. */
export async function carryIdsOver(
  source: Kysely<Database>,
  target: Kysely<Database>,
  tables: readonly CopiedTable[],
): Promise<void> {
  for (const { name } of tables.filter(({ givesIds }) => givesIds)) {
    const last = Math.max(await lastId(source, name), await lastId(target, name));
    if (last > 0) await setLastId(target, name, last);
  }
}

/** The last id that was given; 0 where none was. */
async function lastId(db: Kysely<Database>, table: string): Promise<number> {
  const largest = sql`coalesce((select max(id) from ${sql.table(table)}), 0)`;
  if (!isPostgres(db)) {
    const { rows } = await sql<{ last: number }>`select max(${largest},
      coalesce((select seq from sqlite_sequence where name = ${table}), 0)) as last`.execute(db);
    return rows[0]?.last ?? 0;
  }
  // Null until the first one is given.
  const { rows } = await sql<{ last: number }>`select greatest(${largest},
    coalesce(pg_sequence_last_value(pg_get_serial_sequence(${table}, 'id')::regclass), 0)) as last`.execute(
    db,
  );
  return rows[0]?.last ?? 0;
}

async function setLastId(db: Kysely<Database>, table: string, last: number): Promise<void> {
  if (isPostgres(db)) {
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${last})`.execute(db);
    return;
  }
  await sql`delete from sqlite_sequence where name = ${table}`.execute(db);
  await sql`insert into sqlite_sequence (name, seq) values (${table}, ${last})`.execute(db);
}
