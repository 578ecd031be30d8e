import { newsletterName, postalAddress } from "#content/site.ts";
import type { SiteIdentity } from "#contracts/site-settings.ts";
import type { OutboxPayloads } from "../outbox/payloads.ts";
import { html } from "./html.ts";
import { mailDocument } from "./mail-document.ts";
import type { MailMessage } from "./mail-message.ts";
import { confirmAddressLink } from "./newsletter-links.ts";

export type AddressChangeEmailOptions = {
  deliveryId: string;
  createdAt: string;
  payload: OutboxPayloads["address-change-email"];
  site: SiteIdentity;
};

/**
 * Asks the owner of an address whether the newsletter shall come to it from now on. It promotes nothing and doesn't say
 * who asked; leaving isn't offered, since nobody is on the list by it and its link may be in a stranger's hands.
 */
export function addressChangeEmail({
  deliveryId,
  createdAt,
  payload,
  site,
}: AddressChangeEmailOptions): MailMessage {
  const subject = `Confirm your new address for ${newsletterName}`;
  const confirm = confirmAddressLink(site, payload.confirmToken);
  const asked = `A reader of ${newsletterName}, the weekly newsletter of ${site.name} (${site.url}), asked us to send it to this address from now on, and no longer to the one before.`;
  const ignore =
    "If it wasn't you, ignore this message: without your confirmation nothing changes, and nothing more is sent to you.";
  const sender = `${site.name}, ${postalAddress(site)}, Canada`;
  const reach = `${site.email}, ${site.phone}`;
  return {
    deliveryId,
    date: createdAt,
    to: { name: "", address: payload.email },
    subject,
    text: `${asked}

To confirm, open this page and press the button on it:
${confirm}

${ignore}

${sender}
${reach}
`,
    html: mailDocument({
      title: subject,
      content: html`<p>${asked}</p>
<p><a href="${confirm}" style="display:inline-block;padding:12px 20px;background:#1f4fd8;color:#ffffff;font-weight:bold;text-decoration:none">Confirm my new address</a></p>
<p>Or copy this address into your browser and press the button there:<br><a href="${confirm}" style="color:#1f4fd8;overflow-wrap:anywhere">${confirm}</a></p>
<p>${ignore}</p>
<p style="color:#46526a">${sender}<br>${reach}</p>`,
    }),
    headers: { "Auto-Submitted": "auto-generated" },
  };
}
