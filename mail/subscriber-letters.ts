import { nameOfNewsletter } from "#content/own-words.ts";
import { postalAddressAbroad } from "#content/site.ts";
import type { SiteIdentity } from "#content/site-settings.ts";
import type { MailMessage } from "./create-mailer.ts";
import { html, mailButton, mailDocument } from "./mail-document.ts";
import type { Delivery, OutboxPayloads } from "./outbox-jobs.ts";

/** A POST to it is a one-click unsubscribe (RFC 8058). */
export function unsubscribeLink(site: Pick<SiteIdentity, "url">, token: string): string {
  return `${site.url}/newsletter/unsubscribe?token=${encodeURIComponent(token)}`;
}

type Letter = Omit<Delivery<OutboxPayloads["confirmation-email"]>, "signal"> & {
  site: SiteIdentity;
};

/** Asks for a confirmation, or says that there is nothing to do. No promotion (CASL, s. 6(2)). */
export function confirmationEmail({ deliveryId, createdAt, payload, site }: Letter): MailMessage {
  const { email, token, confirmToken, isAsked } = payload;
  const newsletter = nameOfNewsletter(site);
  const asked = isAsked
    ? `${site.name} has your address and asks if you want ${newsletter}, its weekly newsletter: ${site.url}.`
    : `You asked for ${newsletter}, ${site.name}'s weekly newsletter, at ${site.url}.`;
  const sender = `${site.name}, ${postalAddressAbroad(site)}`;
  const reach = site.phone ? `${site.email}, ${site.phone}` : site.email;
  const unsubscribe = unsubscribeLink(site, token);
  // A page with a button, since mail scanners open links.
  const link = `${site.url}/newsletter/confirm?token=${encodeURIComponent(confirmToken ?? token)}`;
  const { subject, text, markup } =
    confirmToken === null ? nothingToDo(newsletter) : askToConfirm(site, link, unsubscribe);
  return {
    deliveryId,
    date: createdAt,
    to: { name: "", address: email },
    subject,
    text: [
      asked,
      text,
      `Don't want it after all? Remove this address:\n${unsubscribe}`,
      `${sender}\n${reach}\n`,
    ].join("\n\n"),
    html: mailDocument({
      title: subject,
      site,
      content: html`<p>${asked}</p>
${markup}
<p class="second" style="margin-bottom:0;color:#46526a;font-size:14px">${sender}<br>${reach}<br><a href="${unsubscribe}" style="color:${site.accent}">Unsubscribe</a></p>`,
    }),
    headers: {
      "Auto-Submitted": "auto-generated",
      ...(unsubscribe.startsWith("https://") && {
        "List-Unsubscribe": `<${unsubscribe}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      }),
    },
  };
}

function askToConfirm(site: SiteIdentity, link: string, unsubscribe: string) {
  const ignore = "Not you? Ignore this message: we send no newsletter unless you confirm.";
  return {
    subject: `Confirm your subscription to ${nameOfNewsletter(site)}`,
    text: `Press Confirm on this page and the next issue is yours:\n${link}\n\n${ignore}`,
    markup: html`<p>Press the button and the next issue is yours.</p>
${mailButton(site, { address: link, words: "Confirm my subscription" })}
<p>${ignore}</p>
<p>Don't want it after all? <a href="${unsubscribe}" style="color:${site.accent}">Remove this address</a>.</p>`,
  };
}

const known = "Your address is already on the list and confirmed, so there's nothing to do.";

function nothingToDo(newsletter: string) {
  return {
    subject: `You are already subscribed to ${newsletter}`,
    text: known,
    markup: html`<p>${known}</p>`,
  };
}
