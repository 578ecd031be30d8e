import { randomUUIDv7 } from "node:crypto";
import type { Insertable, Kysely } from "kysely";
import { insertRows } from "#db/insert-rows.ts";
import type { Database, OutboxTable } from "#db/tables.ts";
import { mailboxKey } from "../mailbox-key.ts";
import type { OutboxKind, OutboxPayloads } from "./payloads.ts";
import type { Priority } from "./priority.ts";

export type OutboxEntry<Kind extends OutboxKind> = {
  kind: Kind;
  payload: OutboxPayloads[Kind];
  now: Date;
  /** Given where the caller stores it too; otherwise a new one. */
  deliveryId?: string;
  /** The first attempt is not made sooner. */
  notBefore?: Date;
  /** The request that it follows from, for the log. */
  requestId?: string | null;
  /** Given where the address is being erased: the row goes with the delivery. */
  erasedAt?: Date;
  priority?: Priority;
};

/**
 * Writes down a delivery in the caller's transaction, so that it commits with the change it follows from. Answers the
 * delivery's id, which stays the same through every attempt.
 */
export async function enqueue<Kind extends OutboxKind>(
  trx: Kysely<Database>,
  entry: OutboxEntry<Kind>,
): Promise<string> {
  const { deliveryId = newDeliveryId() } = entry;
  await enqueueAll(trx, [{ ...entry, deliveryId }]);
  return deliveryId;
}

/** Several deliveries that follow from the transaction's changes, in one statement. */
export async function enqueueAll(
  trx: Kysely<Database>,
  entries: readonly OutboxEntry<OutboxKind>[],
): Promise<void> {
  await insertRows(trx, { table: "outbox", rows: outboxRows(entries) });
}

/** The same deliveries as rows, for a statement that adds others beside them. */
export function outboxRows(entries: readonly OutboxEntry<OutboxKind>[]): Insertable<OutboxTable>[] {
  return entries.map(outboxRow);
}

function outboxRow({
  kind,
  payload,
  now,
  deliveryId = newDeliveryId(),
  notBefore = now,
  requestId = null,
  erasedAt,
  priority = 0,
}: OutboxEntry<OutboxKind>) {
  return {
    delivery_id: deliveryId,
    kind,
    payload: JSON.stringify(payload),
    // What follows from an erasure has to go out, and is no longer the person's.
    mailbox_key: erasedAt ? null : mailboxOf(payload),
    created_at: now.toISOString(),
    next_attempt_at: notBefore.toISOString(),
    request_id: requestId,
    erased_at: erasedAt?.toISOString() ?? null,
    priority,
  };
}

/** Whose mailbox a delivery is about, in whatever kind of payload. */
function mailboxOf(payload: OutboxPayloads[OutboxKind]): string | null {
  if ("data" in payload) return mailboxKey(payload.data.email);
  return "email" in payload ? mailboxKey(payload.email) : null;
}

/**
 * Begins with the time, so that the latest stand together in their index, however many there are (RFC 9562, section 5.7).
 */
export function newDeliveryId(): string {
  return randomUUIDv7();
}
