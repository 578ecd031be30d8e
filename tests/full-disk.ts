import { sql } from "kysely";
import type { TestDatabase } from "./databases.ts";

const words = "the disk is full";

export const isFullDisk = new RegExp(words);

/** Lets a kind of statement fail, such as `insert on sends`, until what this returns is called. */
export async function failOn(
  { db, kind }: TestDatabase,
  statement:
    | "insert on sends"
    | "insert on outbox"
    | "update of begun_at on sends"
    | "update on desk_sessions",
): Promise<() => Promise<void>> {
  const before = sql.raw(`before ${statement}`);
  if (kind === "sqlite") {
    await sql`create trigger full_disk ${before}
      begin select raise(abort, ${sql.lit(words)}); end`.execute(db);
  } else {
    await sql`create or replace function full_disk() returns trigger language plpgsql
      as $$ begin raise exception 'the disk is full'; end $$`.execute(db);
    await sql`create trigger full_disk ${before}
      for each row execute function full_disk()`.execute(db);
  }
  return async () => {
    const table = kind === "sqlite" ? sql`` : sql.raw(`on ${statement.split(" ").at(-1)}`);
    await sql`drop trigger full_disk ${table}`.execute(db);
  };
}
