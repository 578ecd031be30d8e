import { Webhook } from "standardwebhooks";
import type { WebhookEvent } from "#contracts/newsletter.ts";
import type { SiteIdentity } from "#contracts/site-settings.ts";
import type { Mailer } from "./create-mailer.ts";
import { contactEmail, heldEmail, pacedEmail } from "./operator-letters.ts";
import { type Deliverers, PermanentDeliveryError, RefusedDeliveryError } from "./outbox-jobs.ts";
import { confirmationEmail } from "./subscriber-letters.ts";

type DeliverersOptions = {
  mailer: Mailer;
  /** The operator's mailbox: one address, or several with commas between. */
  contactTo: string;
  site: SiteIdentity;
  /** `secret` in the form of the Standard Webhooks specification (`whsec_…`); without it nothing is signed. */
  webhook: { url: string; secret: string | null } | null;
};

/** Delivers each kind of job to its receiver. */
export function createDeliverers({
  mailer,
  contactTo,
  site,
  webhook,
}: DeliverersOptions): Deliverers {
  return {
    "contact-email": async ({ payload, signal, ...delivery }) =>
      await mailer.send(contactEmail({ ...delivery, payload, site, contactTo }), signal),
    "confirmation-email": async ({ payload, signal, ...delivery }) =>
      await mailer.send(confirmationEmail({ ...delivery, payload, site }), signal),
    "held-email": async ({ payload, signal, ...delivery }) =>
      await mailer.send(heldEmail({ ...delivery, payload, site, contactTo }), signal),
    "paced-email": async ({ payload, signal, ...delivery }) =>
      await mailer.send(pacedEmail({ ...delivery, payload, site, contactTo }), signal),
    "newsletter-webhook": async ({ payload, deliveryId, signal }) => {
      if (!webhook) throw new PermanentDeliveryError("NEWSLETTER_WEBHOOK_URL is no longer set");
      await deliverWebhook({ ...webhook, deliveryId, event: payload, signal });
      return undefined;
    },
  };
}

const defaultTimeoutMs = 15_000;
/** More of an answer isn't read; its beginning explains a refusal. */
const answerMaxBytes = 4096;
const excerptMaxLength = 200;

type WebhookDelivery = {
  url: string;
  /** Base64, with or without the `whsec_` prefix; null sends without a signature. */
  secret: string | null;
  deliveryId: string;
  event: WebhookEvent;
  signal?: AbortSignal;
  timeoutMs?: number;
};

/**
 * Posts an event to the operator's webhook by the Standard Webhooks specification. Resolves on a 2xx answer. Rejects on
 * anything else: as a refusal on a redirect or a 4xx, for good on 410 Gone.
 */
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
  // `foreignWords` keeps the words, which can repeat what was sent, out of the log.
  throw Object.assign(errorOf(response.status, refusal), {
    statusCode: response.status,
    foreignWords: true,
  });
}

/** A receiver that answers so may accept the event a little later. */
const laterStatuses = new Set([408, 425, 429]);

/** 410 ends it, by the Standard Webhooks specification. Another 4xx, or a redirect, seldom changes. */
function errorOf(status: number, refusal: string): Error {
  if (status === 410) return new PermanentDeliveryError(refusal);
  if (status >= 500 || laterStatuses.has(status)) return new Error(refusal);
  return new RefusedDeliveryError(refusal);
}

/** A body that breaks off, or never ends, changes nothing about the status before it. */
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
