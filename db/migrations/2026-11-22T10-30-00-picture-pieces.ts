import { type Kysely, PostgresAdapter, sql } from "kysely";

/** Bytes in one row: what showing a picture has in memory. Divisible by 3, so that each is base64 by itself. */
const pieceBytes = 96 * 1024;
const pieceLetters = (pieceBytes / 3) * 4;

/** A picture's bytes in rows of their own, a part in each: shown part by part, however large it is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const onPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  await sql`create table picture_pieces (
    hash text not null,
    place integer not null,
    base64 text not null,
    primary key (hash, place)
  ) ${onPostgres ? sql`` : sql`strict`}`.execute(db);
  await sql`alter table pictures add column size_bytes integer not null default 0`.execute(db);
  await sql`update pictures set size_bytes =
    length(base64) / 4 * 3 - (length(base64) - length(rtrim(base64, '=')))`.execute(db);
  const letters = sql.lit(pieceLetters);
  await sql`insert into picture_pieces (hash, place, base64)
    with recursive places (place) as (
      select 0 union all
      select place + 1 from places
        where (place + 1) * ${letters} < (select max(length(base64)) from pictures)
    )
    select hash, place, substr(base64, place * ${letters} + 1, ${letters})
    from pictures join places on place * ${letters} < length(base64)`.execute(db);
  await sql`alter table pictures drop column base64`.execute(db);
}
