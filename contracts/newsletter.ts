import * as v from "valibot";

/**
 * The body of `newsletter-signup`. The feature checks `email` itself and answers a bad address with `success: false` and
 * a message. `webhookUrl` is only compared with the operator's own; no other address is ever called.
 */
export const newsletterSignupSchema = v.object({
  email: v.string("email must be text."),
  webhookUrl: v.optional(v.nullable(v.string("webhookUrl must be text."))),
});

/** The webhook's payload, laid out as the Standard Webhooks specification says. */
export const webhookEventSchema = v.object({
  type: v.picklist(["newsletter.subscribed", "newsletter.confirmed", "newsletter.unsubscribed"]),
  timestamp: v.pipe(v.string(), v.isoTimestamp()),
  data: v.object({ email: v.string() }),
});

export type WebhookEvent = v.InferOutput<typeof webhookEventSchema>;
