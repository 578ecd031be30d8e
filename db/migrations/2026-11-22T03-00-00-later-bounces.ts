import { type Kysely, sql } from "kysely";

/** What is reported after a mail was taken is kept once, however often and by whichever way it's reported. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table bounces add column report_key text`.execute(db);
  await sql`create unique index bounces_report on bounces (mailbox_key, report_key)`.execute(db);
}
