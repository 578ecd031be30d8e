import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";
import { enqueue } from "./enqueue.ts";
import type { MailPace } from "./mail-paces.ts";

/** The operator hears of one flood once, and of one that goes on once a day. */
const notePauseMs = 24 * 60 * 60 * 1000;

/** Lets the operator know by mail that mail waits for its pace, in the transaction that holds it back. */
export async function notePacedMail(
  trx: Kysely<Database>,
  { name, everyMs }: MailPace,
  now: Date,
): Promise<void> {
  const told = await trx
    .insertInto("marks")
    .values({ name: `mail-paced-${name}`, set_at: now.toISOString() })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet({ set_at: now.toISOString() })
        .where("marks.set_at", "<", new Date(now.getTime() - notePauseMs).toISOString()),
    )
    .returning("name")
    .executeTakeFirst();
  if (!told) return;
  const payload = { pace: name, since: now.toISOString(), mailsPerHour: hourMs / everyMs };
  await enqueue(trx, { kind: "paced-email", payload, now });
}

const hourMs = 60 * 60 * 1000;
