import { newsletterName, postalAddress } from "#content/site.ts";
import type { SiteIdentity } from "#contracts/site-settings.ts";
import type { OutboxPayloads } from "../outbox/payloads.ts";
import { html } from "./html.ts";
import { mailButton, mailDocument } from "./mail-document.ts";
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
      sender: site.name,
      content: html`<p>${asked}</p>
${mailButton({ address: confirm, words: "Confirm my new address" })}
<p>${ignore}</p>
<p class="second" style="margin-bottom:0;color:#46526a;font-size:14px">${sender}<br>${reach}</p>`,
    }),
    headers: { "Auto-Submitted": "auto-generated" },
  };
}
