import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import type { OpenDatabase } from "#db/database-handle.ts";
import type { Database } from "#db/tables.ts";
import { beginDueSends } from "#newsletter/sends/begin-sends.ts";
import { type HandedOver, handOver, settleRow } from "#newsletter/sends/hand-over.ts";
import { queueTestSend } from "../../sends/queue-test-send.ts";

const leaseMs = 5 * 60_000;

/** Fixes an issue's audience at that moment, and gives the send's id. */
export async function beginIssue(
  db: Kysely<Database>,
  { issueId, now }: { issueId: number; now: Date },
): Promise<number> {
  const id = await queueTestSend(db, { issueId, beginsAt: now });
  const open: Pick<OpenDatabase, "db" | "withoutTimeouts"> = {
    db,
    withoutTimeouts: (work) => work(db),
  };
  await beginDueSends(open, now);
  return id;
}

/** Everything that the send hands over at that moment, as the mail server would get it. */
export async function handOverIssue(
  db: Kysely<Database>,
  { sendId, now }: { sendId: number; now: Date },
): Promise<HandedOver[]> {
  const mails: HandedOver[] = [];
  const claimant = randomUUID();
  for (;;) {
    const mail = await handOver(db, { sendId, claimant, now, leaseMs });
    if (!mail) return mails;
    mails.push(mail);
  }
}

/** The mail server accepts them all. */
export async function acceptIssue(
  db: Kysely<Database>,
  { mails, now }: { mails: readonly HandedOver[]; now: Date },
): Promise<void> {
  for (const mail of mails) await settleRow(db, mail, { event: "accept" }, now);
}
