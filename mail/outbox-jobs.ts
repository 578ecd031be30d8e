import { randomUUID } from "node:crypto";
import type { ContactField } from "#content/contact-message.ts";
import { longTorontoTime } from "#content/toronto-time.ts";
import { readMark, setMark } from "#db/marks.ts";
import type { Db } from "#db/tables.ts";
import { mailboxKey } from "./mailbox-key.ts";

/** As the Standard Webhooks specification lays an event out. */
export type WebhookEvent = {
  type: `newsletter.${"subscribed" | "confirmed" | "unsubscribed"}`;
  timestamp: string;
  data: { email: string };
};

/** Payloads as of the commit. Jobs outlive a release, so new fields must be optional. */
export type OutboxPayloads = {
  "contact-email": Record<ContactField, string> & {
    messageId: number;
    receivedAt: string;
    isQuick?: boolean;
  };
  "confirmation-email": {
    email: string;
    token: string;
    confirmToken?: string | null;
    /** The owner's list has the address; nobody signed up with it here. */
    isAsked?: boolean;
  };
  /** To the owner. The last paragraph says why the mail comes; `date` is when, if not at once. */
  "owner-email": { subject: string; paragraphs: string[]; date?: string };
  "newsletter-webhook": WebhookEvent;
};

export type OutboxKind = keyof OutboxPayloads;

type OutboxJob<Kind extends OutboxKind> = {
  kind: Kind;
  payload: OutboxPayloads[Kind];
  now: Date;
  deliveryId?: string;
  notBefore?: Date;
  requestId?: string | null;
  /** The row is deleted on delivery. */
  erasedAt?: Date;
};

/** Returns the delivery id. */
export async function enqueue<Kind extends OutboxKind>(
  trx: Db,
  { kind, payload, now, deliveryId = randomUUID(), ...job }: OutboxJob<Kind>,
): Promise<string> {
  const row = {
    delivery_id: deliveryId,
    kind,
    payload: JSON.stringify(payload),
    mailbox_key: job.erasedAt ? null : mailboxOf(payload),
    created_at: now.toISOString(),
    next_attempt_at: (job.notBefore ?? now).toISOString(),
    request_id: job.requestId ?? null,
    erased_at: job.erasedAt?.toISOString() ?? null,
  };
  await trx.insertInto("outbox").values(row).execute();
  return deliveryId;
}

function mailboxOf(payload: OutboxPayloads[OutboxKind]): string | null {
  if ("data" in payload) return mailboxKey(payload.data.email);
  return "email" in payload ? mailboxKey(payload.email) : null;
}

export type Delivery<Payload> = {
  /** Stable, so that receivers can drop repeats. */
  deliveryId: string;
  payload: Payload;
  createdAt: string;
  signal: AbortSignal;
};

/** Resolves once accepted. */
export type Deliverer<Payload> = (delivery: Delivery<Payload>) => Promise<void>;

export type Deliverers = { [Kind in OutboxKind]: Deliverer<OutboxPayloads[Kind]> };

export class PermanentDeliveryError extends Error {
  override name = "PermanentDeliveryError";
}

/** Retried a few times, far apart. */
export class RefusedDeliveryError extends Error {
  override name = "RefusedDeliveryError";
}

/** Tells the owner at once, or a day after the last time. Quotes nothing of what is quarantined. */
export async function noteQuarantined(trx: Db, now: Date): Promise<void> {
  const name = "held-note";
  const latest = await readMark(trx, name);
  if (latest && latest >= now.toISOString()) return;
  const due = new Date(Math.max(now.getTime(), Date.parse(latest ?? "1970") + 86_400_000));
  if (!(await setMark(trx, { name, at: due, ifBefore: now }))) return;
  const payload = {
    subject: "Held as suspected spam: something sent through the site",
    paragraphs: [
      `Something sent through a form of the site on ${longTorontoTime(now.toISOString())} looks like spam. It is on hold: kept in full but not mailed to you, and the sender got the usual answer. There may be more by now.`,
      "A person can look like a program, so please check what is held: at the desk, under Messages and under Subscribers.",
      "You get this email at most once a day, and only when something has been held.",
    ],
    date: due.toISOString(),
  };
  await enqueue(trx, { kind: "owner-email", payload, now, notBefore: due });
}
