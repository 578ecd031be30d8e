import { postalAddressAbroad } from "#content/site.ts";
import type { SiteIdentity } from "#contracts/site-settings.ts";
import { type Html, html } from "./html.ts";
import { mailDocument } from "./mail-document.ts";
import type { MailMessage } from "./mail-message.ts";

type Delivery = {
  deliveryId: string;
  createdAt: string;
  payload: { email: string };
  site: SiteIdentity;
};

type Words = {
  subject: string;
  /** Why it comes. */
  asked: string;
  text: string;
  markup: Html;
  /** A link to leave; null where leaving isn't offered. */
  unsubscribe: string | null;
};

/**
 * A mail to somebody who is a reader or may become one: why it comes, what there is to do, how to leave, and who sends it
 * and how to reach them (CASL, s. 6(2)).
 */
export function mailToReader(
  { deliveryId, createdAt, payload, site }: Delivery,
  { subject, asked, text, markup, unsubscribe }: Words,
): MailMessage {
  const sender = `${site.name}, ${postalAddressAbroad(site)}`;
  const reach = `${site.email}, ${site.phone}`;
  const parts = [
    asked,
    text,
    ...(unsubscribe === null ? [] : [`To take the address off the list:\n${unsubscribe}`]),
    `${sender}\n${reach}\n`,
  ];
  const leave =
    unsubscribe === null
      ? ""
      : html`<br><a href="${unsubscribe}" style="color:#1f4fd8">Take this address off the list</a>`;
  return {
    deliveryId,
    date: createdAt,
    to: { name: "", address: payload.email },
    subject,
    text: parts.join("\n\n"),
    html: mailDocument({
      title: subject,
      sender: site.name,
      content: html`<p>${asked}</p>
${markup}
<p class="second" style="margin-bottom:0;color:#46526a;font-size:14px">${sender}<br>${reach}${leave}</p>`,
    }),
    headers: { "Auto-Submitted": "auto-generated", ...listUnsubscribeHeaders(unsubscribe) },
  };
}

function listUnsubscribeHeaders(unsubscribe: string | null): Record<string, string> {
  if (!unsubscribe?.startsWith("https://")) return {};
  return {
    "List-Unsubscribe": `<${unsubscribe}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
}
