import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";

/** A send under way with the mail that every reader gets. */
export type OpenSend = {
  id: number;
  key: string;
  issueId: number;
  subject: string;
  html: string;
  text: string;
  begunAt: string;
};

/** The sends under way, oldest first. Of those that are known already the mail isn't read again. */
export async function openSends(
  db: Kysely<Database>,
  known: readonly OpenSend[],
): Promise<OpenSend[]> {
  const rows = await db
    .selectFrom("sends")
    .select("id")
    .where("ended_at", "is", null)
    .where("state", "=", "sending")
    .orderBy("id")
    .execute();
  const sends: OpenSend[] = [];
  for (const { id } of rows) {
    const send = known.find((one) => one.id === id) ?? (await readSend(db, id));
    if (send) sends.push(send);
  }
  return sends;
}

async function readSend(db: Kysely<Database>, id: number): Promise<OpenSend | undefined> {
  return await db
    .selectFrom("sends")
    .select([
      "id",
      "send_key as key",
      "issue_id as issueId",
      "subject",
      "html",
      "plain_text as text",
      (eb) => eb.fn.coalesce("begun_at", "begins_at").as("begunAt"),
    ])
    .where("id", "=", id)
    .executeTakeFirst();
}
