import { setMark } from "#db/marks.ts";
import type { Db } from "#db/tables.ts";
import { enqueue, type OutboxKind } from "./outbox-jobs.ts";

const hourMs = 60 * 60_000;

/**
 * RFC 5321, section 4.5.3.2.6, asks for ten minutes: a client that gives up sooner sends an accepted mail again. Other
 * mail is retried under the same Message-ID anyway.
 */
export const newsletterAnswerTimeoutMs = 10 * 60_000;

/** `atOnce` mails within an hour at first, then one in each interval. */
export type MailPace = { name: string; atOnce: number; everyMs: number };

/** A small firm's mail account can send this many. Other kinds have no pace. */
export const defaultPaces: Partial<Record<OutboxKind, MailPace>> = {
  "contact-email": { name: "messages", atOnce: 300, everyMs: hourMs / 300 },
  "confirmation-email": { name: "confirmations", atOnce: 1_000, everyMs: hourMs / 1_000 },
};

/** How many more mails may go now, over all instances. */
export async function allowedByPace(
  db: Db,
  { kind, pace, now }: { kind: OutboxKind; pace: MailPace; now: Date },
): Promise<number> {
  const ago = (ms: number) => new Date(now.getTime() - ms).toISOString();
  const { delivered, latest } = await db
    .selectFrom("outbox")
    .select(({ fn }) => [
      fn.countAll<number>().as("delivered"),
      fn.max("delivered_at").as("latest"),
    ])
    .where("kind", "=", kind)
    .where("delivered_at", ">", ago(hourMs))
    .executeTakeFirstOrThrow();
  const left = pace.atOnce - delivered;
  if (left > 0) return left;
  return (latest ?? "") <= ago(pace.everyMs) ? 1 : 0;
}

/** The paces that delay mail now. */
export async function listBusyPaces(db: Db, now: Date, paces = defaultPaces) {
  const busy: string[] = [];
  for (const [kind, pace] of Object.entries(paces) as [OutboxKind, MailPace][]) {
    if ((await allowedByPace(db, { kind, pace, now })) === 0) busy.push(pace.name);
  }
  return busy;
}

/** Notifies the operator of a flood, once a day at most. */
export async function notePacedMail(db: Db, { name, everyMs }: MailPace, now: Date) {
  const aDayAgo = new Date(now.getTime() - 24 * hourMs);
  await db.transaction().execute(async (trx) => {
    const mark = { name: `mail-paced-${name}`, at: now, ifBefore: aDayAgo };
    if (!(await setMark(trx, mark))) return;
    const payload = { pace: name, since: now.toISOString(), mailsPerHour: hourMs / everyMs };
    await enqueue(trx, { kind: "paced-email", payload, now });
  });
}
