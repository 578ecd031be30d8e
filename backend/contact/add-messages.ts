import { type Insertable, type Kysely, sql } from "kysely";
import { isPostgres } from "../database/is-postgres.ts";
import type { ContactMessagesTable, Database } from "../database/tables.ts";

export type NewMessage = Insertable<ContactMessagesTable> & { submission_key: string | null };

/**
 * Adds messages and answers the id of each in its place, null for a repeat. No two have one submission key. Several are
 * one statement on PostgreSQL, which gives the ids itself beforehand: what a skipped row leaves out can't be told by
 * counting.
 */
export async function addMessages(
  trx: Kysely<Database>,
  rows: readonly NewMessage[],
): Promise<(number | null)[]> {
  const [first] = rows;
  if (!first) return [];
  if (rows.length === 1 || !isPostgres(trx)) {
    const ids: (number | null)[] = [];
    for (const row of rows) ids.push(await addMessage(trx, row));
    return ids;
  }
  const columns = sql.join(Object.keys(first).map((name) => sql.ref(name)));
  const added = await sql<{ place: number; id: number }>`
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
  const idAt = new Map(added.rows.map(({ place, id }) => [place, id]));
  return rows.map((_, index) => idAt.get(index + 1) ?? null);
}

async function addMessage(trx: Kysely<Database>, row: NewMessage): Promise<number | null> {
  const added = await trx
    .insertInto("contact_messages")
    .values(row)
    .onConflict((conflict) => conflict.column("submission_key").doNothing())
    .returning("id")
    .executeTakeFirst();
  return added?.id ?? null;
}
