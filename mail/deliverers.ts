import { Webhook } from "standardwebhooks";
import type { SiteIdentity } from "#content/site-settings.ts";
import type { Mailer } from "./create-mailer.ts";
import { contactEmail, ownerEmail } from "./operator-letters.ts";
import {
  type Deliverers,
  PermanentDeliveryError,
  RefusedDeliveryError,
  type WebhookEvent,
} from "./outbox-jobs.ts";
import { confirmationEmail } from "./subscriber-letters.ts";

type DeliverersOptions = {
  mailer: Mailer;
  contactTo: string;
  site: SiteIdentity;
  /** `secret`: `whsec_…` (Standard Webhooks specification); null: unsigned. */
  webhook: { url: string; secret: string | null } | null;
};

export function createDeliverers(options: DeliverersOptions): Deliverers {
  const { mailer, contactTo, site, webhook } = options;
  return {
    "contact-email": async ({ signal, ...delivery }) => {
      const letter = { ...delivery, site, contactTo };
      try {
        await mailer.send(contactEmail(letter), signal);
      } catch (error) {
        // A server without SMTPUTF8 (RFC 6531) refuses such a Reply-To.
        const isPlain = /^[\x00-\x7f]*@/.test(delivery.payload.email);
        if (isPlain || !(error instanceof RefusedDeliveryError)) throw error;
        await mailer.send(contactEmail({ ...letter, canReply: false }), signal);
      }
    },
    "confirmation-email": async ({ payload, signal, ...delivery }) =>
      await mailer.send(confirmationEmail({ ...delivery, payload, site }), signal),
    "owner-email": async ({ signal, ...delivery }) =>
      await mailer.send(ownerEmail({ ...delivery, site, contactTo }), signal),
    "newsletter-webhook": async ({ payload, deliveryId, signal }) => {
      if (!webhook) throw new PermanentDeliveryError("NEWSLETTER_WEBHOOK_URL is no longer set");
      await deliverWebhook({ ...webhook, deliveryId, event: payload, signal });
    },
  };
}

type WebhookDelivery = {
  url: string;
  secret: string | null;
  deliveryId: string;
  event: WebhookEvent;
  signal?: AbortSignal;
  timeoutMs?: number;
};

/** Posts by the Standard Webhooks specification. A redirect or 4xx is a refusal; 410 is final. */
export async function deliverWebhook(delivery: WebhookDelivery): Promise<void> {
  const { url, secret, deliveryId, event, signal, timeoutMs = 15_000 } = delivery;
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
  if (response.ok) return await response.body?.cancel();
  const words = (await response.text().catch(() => "")).trim().slice(0, 200);
  const refusal = `The webhook answered ${response.status}${words && `: ${words}`}`;
  // Kept out of the log: they may repeat what was sent.
  throw Object.assign(errorOf(response.status, refusal), {
    statusCode: response.status,
    foreignWords: true,
  });
}

function errorOf(status: number, refusal: string): Error {
  if (status === 410) return new PermanentDeliveryError(refusal);
  if (status >= 500 || [408, 425, 429].includes(status)) return new Error(refusal);
  return new RefusedDeliveryError(refusal);
}
