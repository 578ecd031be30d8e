import { randomUUID } from "node:crypto";
import * as v from "valibot";
import { readMark, setMark } from "#db/marks.ts";
import type { Db } from "#db/tables.ts";
import { mailboxKey } from "./mailbox-key.ts";

/** As the Standard Webhooks specification lays an event out. */
const webhookEventSchema = v.object({
  type: v.picklist(["newsletter.subscribed", "newsletter.confirmed", "newsletter.unsubscribed"]),
  timestamp: v.pipe(v.string(), v.isoTimestamp()),
  data: v.object({ email: v.string() }),
});

export type WebhookEvent = v.InferOutput<typeof webhookEventSchema>;

/** Payloads as of the commit. Jobs outlive a release, so new fields must be optional. */
const outboxPayloadSchemas = {
  "contact-email": v.object({
    messageId: v.number(),
    firstName: v.string(),
    lastName: v.string(),
    email: v.string(),
    company: v.string(),
    phone: v.string(),
    subject: v.string(),
    message: v.string(),
    receivedAt: v.string(),
    isQuick: v.optional(v.boolean()),
  }),
  "confirmation-email": v.object({
    email: v.string(),
    token: v.string(),
    confirmToken: v.optional(v.nullable(v.string())),
  }),
  "held-email": v.object({ heldAt: v.string(), dueAt: v.string() }),
  "paced-email": v.object({ pace: v.string(), since: v.string(), mailsPerHour: v.number() }),
  "paused-email": v.object({ sendId: v.number(), title: v.string(), reason: v.string() }),
  "unpublished-email": v.object({
    draftId: v.number(),
    title: v.string(),
    dueAt: v.string(),
    reason: v.string(),
  }),
  "newsletter-webhook": webhookEventSchema,
};

export type OutboxKind = keyof typeof outboxPayloadSchemas;

export const outboxKinds = Object.keys(outboxPayloadSchemas) as OutboxKind[];

export type OutboxPayloads = {
  [Kind in OutboxKind]: v.InferOutput<(typeof outboxPayloadSchemas)[Kind]>;
};

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
  { kind, payload, now, deliveryId = newDeliveryId(), ...job }: OutboxJob<Kind>,
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

export function newDeliveryId(): string {
  return randomUUID();
}

export type Delivery<Payload> = {
  /** Stable, so that receivers can drop repeats. */
  deliveryId: string;
  payload: Payload;
  createdAt: string;
  signal: AbortSignal;
};

/** Resolves once accepted, with an optional note for the log. */
export type Deliverer<Payload> = (delivery: Delivery<Payload>) => Promise<string | undefined>;

export type Deliverers = { [Kind in OutboxKind]: Deliverer<OutboxPayloads[Kind]> };

export class PermanentDeliveryError extends Error {
  override name = "PermanentDeliveryError";
}

/** Retried a few times, far apart. */
export class RefusedDeliveryError extends Error {
  override name = "RefusedDeliveryError";
}

export function readPayload(kind: OutboxKind, text: string): unknown {
  const schema: v.GenericSchema = outboxPayloadSchemas[kind];
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(undefined, "Not JSON"), schema), text);
  if (read.success) return read.output;
  const cause = new Error(v.summarize(read.issues));
  throw new PermanentDeliveryError(`The payload is not that of a ${kind}`, { cause });
}

const dayMs = 24 * 60 * 60 * 1000;

/** Notifies the operator at once, or a day after the previous note. */
export async function noteQuarantined(trx: Db, now: Date): Promise<void> {
  const name = "held-note";
  const latest = await readMark(trx, name);
  if (latest && latest >= now.toISOString()) return;
  const due = new Date(Math.max(now.getTime(), Date.parse(latest ?? "1970") + dayMs));
  if (!(await setMark(trx, { name, at: due, ifBefore: now }))) return;
  const payload = { heldAt: now.toISOString(), dueAt: due.toISOString() };
  await enqueue(trx, { kind: "held-email", payload, now, notBefore: due });
}
