import * as v from "valibot";
import { webhookEventSchema } from "#contracts/webhook-event.ts";

/**
 * What an outbox row carries, by kind: everything that its delivery needs, as it was at the moment of the commit. Rows
 * outlive a release, so a field added later has to be optional.
 */
export const outboxPayloadSchemas = {
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
    /** In the link that takes the address off the list. */
    token: v.string(),
    /** In the link that confirms; null where there is nothing to confirm, and missing where `token` does both. */
    confirmToken: v.optional(v.nullable(v.string())),
  }),
  /** Asks the owner of a reader's new address; the token is that of the wish. */
  "address-change-email": v.object({ email: v.string(), confirmToken: v.string() }),
  "held-email": v.object({ heldAt: v.string(), dueAt: v.string() }),
  "paced-email": v.object({ pace: v.string(), since: v.string(), mailsPerHour: v.number() }),
  "newsletter-webhook": webhookEventSchema,
};

export type OutboxKind = keyof typeof outboxPayloadSchemas;

export type OutboxPayloads = {
  [Kind in OutboxKind]: v.InferOutput<(typeof outboxPayloadSchemas)[Kind]>;
};
