import { type Kysely, PostgresAdapter, type RawBuilder, sql } from "kysely";

/**
 * What is deleted by age is found by an index on that age, and how much there is of each state is known without counting:
 * on SQLite, which has one writer, triggers keep the figures; PostgreSQL's statistics of the same indexes estimate them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index subscribers_left on subscribers (unsubscribed_at, id)
    where unsubscribed_at is not null`.execute(db);
  await sql`create index subscribers_unconfirmed on subscribers (subscribed_at, id)
    where confirmed_at is null and unsubscribed_at is null`.execute(db);
  await sql`create index contact_messages_received on contact_messages (received_at, id)`.execute(
    db,
  );
  await sql`create index contact_messages_addressed on contact_messages (received_at, id)
    where sender_address is not null`.execute(db);
  await sql`create index outbox_created on outbox (created_at, id)`.execute(db);
  await sql`create index outbox_delivered on outbox (delivered_at, id)
    where delivered_at is not null`.execute(db);
  await sql`create index outbox_erased on outbox (erased_at, id)
    where erased_at is not null`.execute(db);
  await sql`create index outbox_failed on outbox (kind, id)
    where failed_at is not null and delivered_at is null`.execute(db);

  if (db.getExecutor().adapter instanceof PostgresAdapter) return;
  await sql`create table row_counts (
    name text not null,
    state text not null,
    rows integer not null,
    primary key (name, state)
  ) strict, without rowid`.execute(db);
  await keepCounts(db, "subscribers", {
    columns: ["held_at", "unsubscribed_at", "confirmed_at"],
    state: (row) => sql`case when ${row}.held_at is not null then 'held'
      when ${row}.unsubscribed_at is not null then 'unsubscribed'
      when ${row}.confirmed_at is not null then 'confirmed' else 'unconfirmed' end`,
  });
  await keepCounts(db, "contact_messages", {
    columns: ["held_at"],
    state: (row) => sql`case when ${row}.held_at is not null then 'held' else 'received' end`,
  });
  await keepCounts(db, "outbox", {
    columns: ["kind", "delivered_at", "failed_at"],
    state: (row) => sql`case when ${row}.delivered_at is not null then 'delivered '
      when ${row}.failed_at is not null then 'failed ' else 'waiting ' end || ${row}.kind`,
  });
}

type Counted = {
  /** Those that the state hangs on. */
  columns: string[];
  state: (row: RawBuilder<unknown>) => RawBuilder<unknown>;
};

async function keepCounts(
  db: Kysely<unknown>,
  table: string,
  { columns, state }: Counted,
): Promise<void> {
  const name = sql.lit(table);
  const trigger = (suffix: string) => sql.ref(`${table}_${suffix}`);
  await sql`insert into row_counts (name, state, rows)
    select ${name}, ${state(sql.table(table))}, count(*) from ${sql.table(table)} group by 2`.execute(
    db,
  );
  const comes = sql`insert into row_counts (name, state, rows)
    values (${name}, ${state(sql`new`)}, 1)
    on conflict (name, state) do update set rows = rows + 1;`;
  const goes = sql`update row_counts set rows = rows - 1
    where name = ${name} and state = ${state(sql`old`)};`;
  await sql`create trigger ${trigger("come")} after insert on ${sql.table(table)}
    begin ${comes} end`.execute(db);
  await sql`create trigger ${trigger("go")} after delete on ${sql.table(table)}
    begin ${goes} end`.execute(db);
  await sql`create trigger ${trigger("change")}
    after update of ${sql.join(columns.map((column) => sql.ref(column)))} on ${sql.table(table)}
    begin ${goes} ${comes} end`.execute(db);
}
