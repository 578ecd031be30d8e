import { Webhook } from "standardwebhooks";
import { readMailEvents, recordMailEvents } from "#newsletter/bounces/mail-events.ts";
import type { NewsletterDeps } from "#newsletter/subscribe.ts";

/**
 * `mail-events`: a mail service's signed bounces and complaints (Standard Webhooks specification) → `{ success,
 * recorded }`. Clocks may differ by five minutes, and a repeat changes nothing.
 */
export function mailEvents(
  { db, clock = () => new Date() }: Pick<NewsletterDeps, "db" | "clock">,
  secret: string,
) {
  const webhook = new Webhook(secret);
  return async (call: { body: Record<string, unknown>; text: string; headers: Headers }) => {
    const callId = genuineCallId(webhook, call);
    if (callId === null) {
      const error = "The signature is missing, wrong or too old.";
      return { ok: false, status: 401, error } as const;
    }
    const events = readMailEvents(call.body);
    if (events === null) {
      const error = "This is no bounce or complaint in a known form.";
      return { ok: false, status: 422, error } as const;
    }
    const recorded = await recordMailEvents(db, events, { callId, now: clock() });
    return { ok: true, body: { success: true, recorded } } as const;
  };
}

/** The id of a signed call; null where the signature is wrong. Resend uses Svix's header names. */
function genuineCallId(
  webhook: Webhook,
  { text, headers }: { text: string; headers: Headers },
): string | null {
  const prefix = headers.has("webhook-id") ? "webhook-" : "svix-";
  const header = (name: string) => headers.get(prefix + name) ?? "";
  try {
    webhook.verify(text, {
      "webhook-id": header("id"),
      "webhook-timestamp": header("timestamp"),
      "webhook-signature": header("signature"),
    });
    return header("id");
  } catch {
    return null;
  }
}
