import { newsletterName } from "#content/site.ts";
import type { SiteIdentity } from "#contracts/site-settings.ts";
import { askToConfirm } from "./ask-to-confirm.ts";
import { type Html, html } from "./html.ts";
import type { MailMessage } from "./mail-message.ts";
import { mailToReader } from "./mail-to-reader.ts";
import { confirmLink, unsubscribeLink } from "./newsletter-links.ts";
import type { OutboxPayloads } from "./outbox-jobs.ts";

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
