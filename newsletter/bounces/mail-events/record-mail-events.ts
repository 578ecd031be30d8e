import { hash } from "node:crypto";
import type { Kysely } from "kysely";
import { commitTogether } from "#db/commit-together.ts";
import type { Database } from "#db/tables.ts";
import { findMailbox } from "#mail/mailbox-key.ts";
import { recordBounce } from "../../record-bounce.ts";
import { reportWords } from "../report-words.ts";
import type { MailEvent, ReadPayload } from "./mail-event.ts";
import { readOwnEvent } from "./own-event.ts";
import { readMailgun, readPostmark, readResend, readSes } from "./service-events.ts";

const payloads: ReadPayload[] = [readOwnEvent, readPostmark, readSes, readMailgun, readResend];

/** Null where the payload is nobody's that is known. */
export function readMailEvents(body: Record<string, unknown>): MailEvent[] | null {
  for (const read of payloads) {
    const events = read(body);
    if (events !== null) return events;
  }
  return null;
}

/**
 * Takes events to the records of their addresses, all or none; each once, however often it's told. Answers how many were
 * news of somebody on the list.
 */
export async function recordMailEvents(
  db: Kysely<Database>,
  events: readonly MailEvent[],
  { callId, now }: { callId: string; now: Date },
): Promise<number> {
  return await commitTogether(db, async (trx) => {
    let recorded = 0;
    // In one order, so that two calls about the same mailboxes wait for one another and never in a circle.
    for (const { mailbox, kind, words, id } of inOrder(events)) {
      const key = hash("sha256", id ?? callId, "hex").slice(0, 32);
      const reportKey = `${key} ${kind === "complaint" ? kind : "failure"}`;
      const refusal = { kind, answer: reportWords(words) };
      const result = await recordBounce(trx, { mailbox, refusal, now, reportKey });
      if (result === "recorded") recorded += 1;
    }
    return recorded;
  });
}

function inOrder(events: readonly MailEvent[]) {
  return events
    .flatMap((event) => {
      const mailbox = findMailbox(event.email);
      return mailbox === null ? [] : [{ ...event, mailbox }];
    })
    .toSorted((a, b) => (a.mailbox < b.mailbox ? -1 : 1));
}
