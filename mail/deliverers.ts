import { Webhook } from "standardwebhooks";
import type { SiteIdentity } from "#content/site-settings.ts";
import type { Mailer, MailMessage } from "./create-mailer.ts";
import {
  contactEmail,
  type Letter,
  pacedEmail,
  pausedEmail,
  quarantineEmail,
  unpublishedEmail,
} from "./operator-letters.ts";
import type { WebhookEvent } from "./outbox-jobs.ts";
import {
  type Deliverer,
  type Deliverers,
  PermanentDeliveryError,
  RefusedDeliveryError,
} from "./outbox-jobs.ts";
import { confirmationEmail } from "./subscriber-letters.ts";

type DeliverersOptions = {
  mailer: Mailer;
  contactTo: string;
  site: SiteIdentity;
  /** `secret`: `whsec_…` (Standard Webhooks specification); null: unsigned. */
  webhook: { url: string; secret: string | null } | null;
};

export function createDeliverers({
  mailer,
  contactTo,
  site,
  webhook,
}: DeliverersOptions): Deliverers {
  function notice<Payload>(compose: (letter: Letter<Payload>) => MailMessage): Deliverer<Payload> {
    return async ({ signal, ...delivery }) =>
      await mailer.send(compose({ ...delivery, site, contactTo }), signal);
  }

  return {
    "contact-email": async ({ payload, signal, ...delivery }) => {
      const letter = { ...delivery, payload, site, contactTo };
      try {
        return await mailer.send(contactEmail(letter), signal);
      } catch (error) {
        // A server without SMTPUTF8 (RFC 6531) refuses such a Reply-To.
        if (!(error instanceof RefusedDeliveryError) || /^[\x00-\x7f]*@/.test(payload.email)) {
          throw error;
        }
        return await mailer.send(contactEmail({ ...letter, canReply: false }), signal);
      }
    },
    "confirmation-email": async ({ payload, signal, ...delivery }) =>
      await mailer.send(confirmationEmail({ ...delivery, payload, site }), signal),
    "held-email": notice(quarantineEmail),
    "paced-email": notice(pacedEmail),
    "paused-email": notice(pausedEmail),
    "unpublished-email": notice(unpublishedEmail),
    "newsletter-webhook": async ({ payload, deliveryId, signal }) => {
      if (!webhook) throw new PermanentDeliveryError("NEWSLETTER_WEBHOOK_URL is no longer set");
      await deliverWebhook({ ...webhook, deliveryId, event: payload, signal });
      return undefined;
    },
  };
}

const excerptMaxLength = 200;

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
  const excerpt = await readExcerpt(response);
  if (response.ok) return;
  const refusal = `The webhook answered ${response.status}${excerpt ? `: ${excerpt}` : ""}`;
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

async function readExcerpt({ body }: Response): Promise<string> {
  let text = "";
  try {
    for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += part;
      if (text.length >= excerptMaxLength) break;
    }
  } catch {}
  return text.slice(0, excerptMaxLength).trim();
}
