import { type Insertable, type Kysely, sql } from "kysely";
import { rowsInJson } from "#db/insert-rows.ts";
import { isPostgres } from "#db/is-postgres.ts";
import { byNameIn } from "#db/named-statements.ts";
import type { ContactMessagesTable, Database } from "#db/tables.ts";

export type NewMessage = Insertable<ContactMessagesTable> & { submission_key: string | null };

/**
 * Adds messages in one statement and answers the id of each in its place, null for a repeat. No two have one submission
 * key. The database gives the ids beforehand: what a skipped row leaves out can't be told by counting.
 */
export async function addMessages(
  trx: Kysely<Database>,
  rows: readonly NewMessage[],
): Promise<(number | null)[]> {
  const [first] = rows;
  if (!first) return [];
  const add = isPostgres(trx) ? addOnPostgres : addOnSqlite;
  const idAt = await add(trx, rows, Object.keys(first));
  return rows.map((_, index) => idAt.get(index) ?? null);
}

async function addOnPostgres(
  trx: Kysely<Database>,
  rows: readonly NewMessage[],
  names: string[],
): Promise<Map<number, number>> {
  const columns = sql.join(names.map((name) => sql.ref(name)));
  const added = await sql<{ place: number; id: number }>`${byNameIn(trx)}
    with given as materialized (
      select place, nextval(pg_get_serial_sequence('contact_messages', 'id')) as new_id, message_row.*
      from json_array_elements(${JSON.stringify(rows)}::json) with ordinality as each_row (value, place),
        json_populate_record(null::contact_messages, value) as message_row
    ), added as (
      insert into contact_messages (id, ${columns})
      select new_id, ${columns} from given order by submission_key
      on conflict (submission_key) do nothing returning id
    )
    select place, added.id from added join given on new_id = added.id`.execute(trx);
  return new Map(added.rows.map(({ place, id }) => [place - 1, id]));
}

/** Within a transaction, whose writer is the only one: nobody else gives ids meanwhile. */
async function addOnSqlite(
  trx: Kysely<Database>,
  rows: readonly NewMessage[],
  names: string[],
): Promise<Map<number, number>> {
  const given = await sql<{ last: number }>`
    select seq as last from sqlite_sequence where name = 'contact_messages'`.execute(trx);
  const firstId = (given.rows[0]?.last ?? 0) + 1;
  const { columns, values, json } = rowsInJson(names, rows);
  const added = await sql<{ id: number }>`
    insert into contact_messages (id, ${columns}) select ${firstId} + key, ${values} from json_each(${json})
    where true on conflict (submission_key) do nothing returning id`.execute(trx);
  return new Map(added.rows.map(({ id }) => [id - firstId, id]));
}
