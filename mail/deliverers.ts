import { Webhook } from "standardwebhooks";
import type { WebhookEvent } from "#contracts/newsletter.ts";
import type { SiteIdentity } from "#contracts/site-settings.ts";
import type { Mailer } from "./create-mailer.ts";
import { contactEmail, heldEmail, pacedEmail, pausedEmail } from "./operator-letters.ts";
import { type Deliverers, PermanentDeliveryError, RefusedDeliveryError } from "./outbox-jobs.ts";
import { confirmationEmail } from "./subscriber-letters.ts";

type DeliverersOptions = {
  mailer: Mailer;
  /** One address, or several separated by commas. */
  contactTo: string;
  site: SiteIdentity;
  /** `secret` has the form `whsec_…` (Standard Webhooks specification); null: unsigned. */
  webhook: { url: string; secret: string | null } | null;
};

export function createDeliverers({
  mailer,
  contactTo,
  site,
  webhook,
}: DeliverersOptions): Deliverers {
  return {
    "contact-email": async ({ payload, signal, ...delivery }) => {
      const letter = { ...delivery, payload, site, contactTo };
      try {
        return await mailer.send(contactEmail(letter), signal);
      } catch (error) {
        // A server without SMTPUTF8 (RFC 6531) refuses such an address in Reply-To, each in its own words.
        if (!(error instanceof RefusedDeliveryError) || isAscii(localPart(payload.email))) {
          throw error;
        }
        return await mailer.send(contactEmail({ ...letter, canReply: false }), signal);
      }
    },
    "confirmation-email": async ({ payload, signal, ...delivery }) =>
      await mailer.send(confirmationEmail({ ...delivery, payload, site }), signal),
    "held-email": async ({ payload, signal, ...delivery }) =>
      await mailer.send(heldEmail({ ...delivery, payload, site, contactTo }), signal),
    "paced-email": async ({ payload, signal, ...delivery }) =>
      await mailer.send(pacedEmail({ ...delivery, payload, site, contactTo }), signal),
    "paused-email": async ({ payload, signal, ...delivery }) =>
      await mailer.send(pausedEmail({ ...delivery, payload, site, contactTo }), signal),
    "newsletter-webhook": async ({ payload, deliveryId, signal }) => {
      if (!webhook) throw new PermanentDeliveryError("NEWSLETTER_WEBHOOK_URL is no longer set");
      await deliverWebhook({ ...webhook, deliveryId, event: payload, signal });
      return undefined;
    },
  };
}

function localPart(email: string): string {
  return email.slice(0, email.lastIndexOf("@"));
}

function isAscii(text: string): boolean {
  return !/[^\u0000-\u007f]/.test(text);
}

const defaultTimeoutMs = 15_000;
const answerMaxBytes = 4096;
const excerptMaxLength = 200;

type WebhookDelivery = {
  url: string;
  secret: string | null;
  deliveryId: string;
  event: WebhookEvent;
  signal?: AbortSignal;
  timeoutMs?: number;
};

/** Posts an event by the Standard Webhooks specification. A redirect or a 4xx is a refusal; 410 Gone is final. */
export async function deliverWebhook({
  url,
  secret,
  deliveryId,
  event,
  signal,
  timeoutMs = defaultTimeoutMs,
}: WebhookDelivery): Promise<void> {
  const body = JSON.stringify(event);
  const sentAt = new Date();
  const timeout = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "webhook-id": deliveryId,
      "webhook-timestamp": String(Math.floor(sentAt.getTime() / 1000)),
      ...(secret && { "webhook-signature": new Webhook(secret).sign(deliveryId, sentAt, body) }),
    },
    body,
    redirect: "manual",
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  });
  const excerpt = await readExcerpt(response);
  if (response.ok) return;
  const refusal = `The webhook answered ${response.status}${excerpt ? `: ${excerpt}` : ""}`;
  // `foreignWords` keeps the words, which may repeat what was sent, out of the log.
  throw Object.assign(errorOf(response.status, refusal), {
    statusCode: response.status,
    foreignWords: true,
  });
}

/** These may succeed a little later. */
const laterStatuses = new Set([408, 425, 429]);

function errorOf(status: number, refusal: string): Error {
  if (status === 410) return new PermanentDeliveryError(refusal);
  if (status >= 500 || laterStatuses.has(status)) return new Error(refusal);
  return new RefusedDeliveryError(refusal);
}

/** The status counts even if the body breaks off or never ends. */
async function readExcerpt(response: Response): Promise<string> {
  if (!response.body) return "";
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  let text = "";
  let bytes = 0;
  try {
    while (bytes < answerMaxBytes) {
      const { done, value } = await reader.read();
      if (done) break;
      bytes += value.byteLength;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    return text.slice(0, excerptMaxLength);
  } finally {
    reader.cancel().catch(() => {});
  }
  return text.slice(0, excerptMaxLength).trim();
}
