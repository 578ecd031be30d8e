import { newsletterName, postalAddressAbroad } from "#content/site.ts";
import type { SiteIdentity } from "#contracts/site-settings.ts";
import { type Html, html, mailButton, mailDocument } from "./mail-document.ts";
import type { MailMessage } from "./mail-message.ts";
import type { OutboxPayloads } from "./outbox-jobs.ts";

// Mails to a subscriber, or to somebody who may become one, and the links in them.

/** The page that confirms a subscription. Opening it changes nothing: its button does, since scanners open links. */
export function confirmLink(site: Pick<SiteIdentity, "url">, token: string): string {
  return `${site.url}/newsletter/confirm?token=${encodeURIComponent(token)}`;
}

/** The page that ends a subscription, and the address of one-click unsubscribing (RFC 8058) when posted to. */
export function unsubscribeLink(site: Pick<SiteIdentity, "url">, token: string): string {
  return `${site.url}/newsletter/unsubscribe?token=${encodeURIComponent(token)}`;
}

type ConfirmationEmailOptions = {
  deliveryId: string;
  createdAt: string;
  payload: OutboxPayloads["confirmation-email"];
  site: SiteIdentity;
};

/**
 * Asks the holder of an address whether the sign-up was theirs. It promotes nothing, names the sender with a mailing
 * address and carries an unsubscribe (CASL, s. 6(2); RFC 8058 for the headers, which ask for an https address).
 */
export function confirmationEmail(options: ConfirmationEmailOptions): MailMessage {
  const { payload, site } = options;
  const { confirmToken = payload.token } = payload;
  if (confirmToken === null) return knownEmail(options);
  return signUpMail(options, {
    subject: `Confirm your subscription to ${newsletterName}`,
    ...askToConfirm({
      link: confirmLink(site, confirmToken),
      label: "Confirm my subscription",
      ignore: "If it wasn't you, ignore this message: no newsletter is sent unless you confirm.",
    }),
  });
}

/** Tells a reader whose address was entered again that there is nothing to do. It promotes nothing either. */
function knownEmail(options: ConfirmationEmailOptions): MailMessage {
  const known =
    "It is already on the list and confirmed, so there is nothing to do and nothing has changed.";
  return signUpMail(options, {
    subject: `You are already subscribed to ${newsletterName}`,
    text: known,
    markup: html`<p>${known}</p>`,
  });
}

/** What both mails are: who asked, what there is to do, and how to leave. */
function signUpMail(
  options: ConfirmationEmailOptions,
  words: { subject: string; text: string; markup: Html },
): MailMessage {
  const { payload, site } = options;
  return mailToReader(options, {
    ...words,
    asked: `Someone, most likely you, entered this address at ${site.url} to get ${newsletterName}, the weekly newsletter of ${site.name}.`,
    unsubscribe: unsubscribeLink(site, payload.token),
  });
}

/** What a mail says that asks to open a page and press its button, and what happens to those who don't. */
export function askToConfirm({
  link,
  label,
  ignore,
}: {
  link: string;
  label: string;
  ignore: string;
}): { text: string; markup: Html } {
  return {
    text: `To confirm, open this page and press the button on it:
${link}

${ignore}`,
    markup: html`${mailButton({ address: link, words: label })}
<p>${ignore}</p>`,
  };
}

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
