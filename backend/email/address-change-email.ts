import { newsletterName } from "#content/site.ts";
import type { SiteIdentity } from "#contracts/site-settings.ts";
import type { OutboxPayloads } from "../outbox/payloads.ts";
import { askToConfirm } from "./ask-to-confirm.ts";
import { html } from "./html.ts";
import { mailDocument } from "./mail-document.ts";
import type { MailMessage } from "./mail-message.ts";
import { mailSender } from "./mail-sender.ts";
import { confirmAddressLink } from "./newsletter-links.ts";

type AddressChangeEmailOptions = {
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
  const asked = `A reader of ${newsletterName}, the weekly newsletter of ${site.name} (${site.url}), asked us to send it to this address from now on, and no longer to the one before.`;
  const { text, markup } = askToConfirm({
    link: confirmAddressLink(site, payload.confirmToken),
    label: "Confirm my new address",
    ignore:
      "If it wasn't you, ignore this message: without your confirmation nothing changes, and nothing more is sent to you.",
  });
  const [sender, reach] = mailSender(site);
  return {
    deliveryId,
    date: createdAt,
    to: { name: "", address: payload.email },
    subject,
    text: `${asked}

${text}

${sender}
${reach}
`,
    html: mailDocument({
      title: subject,
      sender: site.name,
      content: html`<p>${asked}</p>
${markup}
<p class="second" style="margin-bottom:0;color:#46526a;font-size:14px">${sender}<br>${reach}</p>`,
    }),
    headers: { "Auto-Submitted": "auto-generated" },
  };
}
