import * as v from "valibot";

/**
 * What the operator's webhook receives, as the Standard Webhooks specification lays out a payload: a type, the time of
 * the event (ISO 8601) and its data.
 */
export const webhookEventSchema = v.object({
  type: v.picklist(["newsletter.subscribed", "newsletter.confirmed", "newsletter.unsubscribed"]),
  timestamp: v.pipe(v.string(), v.isoTimestamp()),
  data: v.object({ email: v.string() }),
});

export type WebhookEvent = v.InferOutput<typeof webhookEventSchema>;
