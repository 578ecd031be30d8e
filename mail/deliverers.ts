import type { SiteIdentity } from "#contracts/site-settings.ts";
import { confirmationEmail } from "./confirmation-email.ts";
import { contactEmail } from "./contact-email.ts";
import type { Mailer } from "./create-mailer.ts";
import { deliverWebhook } from "./deliver-webhook.ts";
import { heldEmail } from "./held-email.ts";
import { type Deliverers, PermanentDeliveryError } from "./outbox-jobs.ts";
import { pacedEmail } from "./paced-email.ts";

type DeliverersOptions = {
  mailer: Mailer;
  /** Who reads the contact form's messages: one address or several with commas between. */
  contactTo: string;
  site: SiteIdentity;
  /** `secret` in the form of the Standard Webhooks specification (`whsec_…`); without it nothing is signed. */
  webhook: { url: string; secret: string | null } | null;
};

/** What carries each kind of delivery to its receiver. */
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
