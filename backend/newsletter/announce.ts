import type { Kysely } from "kysely";
import type { WebhookEvent } from "#contracts/webhook-event.ts";
import type { Database } from "../database/tables.ts";
import { enqueue } from "../outbox/enqueue.ts";

/** Lets the operator's webhook know of an event, in the caller's transaction; nothing where there is no webhook. */
export async function announce(
  trx: Kysely<Database>,
  {
    type,
    email,
    now,
    newsletterWebhookUrl,
    requestId,
    erasedAt,
  }: {
    type: WebhookEvent["type"];
    email: string;
    now: Date;
    newsletterWebhookUrl: string | null;
    requestId?: string | null;
    erasedAt?: Date;
  },
): Promise<void> {
  if (newsletterWebhookUrl === null) return;
  const payload = { type, timestamp: now.toISOString(), data: { email } };
  await enqueue(trx, { kind: "newsletter-webhook", payload, now, requestId, erasedAt });
}
