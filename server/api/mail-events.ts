import { createHmac, timingSafeEqual } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { readMailEvents, recordMailEvents } from "#newsletter/bounces/mail-events.ts";
import type { NewsletterDeps } from "#newsletter/subscribers/subscribe.ts";

/** Events of Resend (signed) or Postmark (with the secret as password) → `{ success, recorded }`. Idempotent. */
export function mailEvents(
  { db, clock = () => new Date() }: Pick<NewsletterDeps, "db" | "clock">,
  secret: string,
) {
  const webhook = new Webhook(secret);
  return async (call: { body: Record<string, unknown>; text: string; headers: Headers }) => {
    if (!hasPassword(call.headers, secret) && !isSigned(call, webhook)) {
      const error = "The password or the signature is missing, wrong or too old.";
      return { ok: false, status: 401, error } as const;
    }
    const events = readMailEvents(call.body);
    if (events === null) {
      const error = "This is no bounce or complaint in a known form.";
      return { ok: false, status: 422, error } as const;
    }
    const recorded = await recordMailEvents(db, events, clock());
    return { ok: true, body: { success: true, recorded } } as const;
  };
}

/** Postmark signs nothing and sends a password (RFC 7617). */
function hasPassword(headers: Headers, secret: string): boolean {
  const [, encoded = ""] = /^Basic (\S+)$/i.exec(headers.get("authorization") ?? "") ?? [];
  const given = Buffer.from(encoded, "base64")
    .toString()
    .replace(/^[^:]*:/, "");
  const digestOf = (text: string) => createHmac("sha256", secret).update(text).digest();
  return timingSafeEqual(digestOf(given), digestOf(secret));
}

/** Svix's scheme is Standard Webhooks under other names. Clocks may differ by five minutes. */
function isSigned({ text, headers }: { text: string; headers: Headers }, webhook: Webhook) {
  const header = (name: string) => headers.get(`svix-${name}`) ?? "";
  try {
    webhook.verify(text, {
      "webhook-id": header("id"),
      "webhook-timestamp": header("timestamp"),
      "webhook-signature": header("signature"),
    });
    return true;
  } catch {
    return false;
  }
}
