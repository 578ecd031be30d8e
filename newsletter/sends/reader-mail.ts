import { raw } from "hono/html";
import { newsletterName } from "#content/site.ts";
import type { MailMessage } from "#mail/mail-message.ts";
import { createMailTemplate, isPlainInHeader, type MailTemplate } from "#mail/mail-template.ts";
import { unsubscribeLink } from "#mail/newsletter-links.ts";
import { rowMessageId } from "./earlier-rows.ts";
import type { OpenSend } from "./open-sends.ts";
import { tokenPlaceholderOf } from "./queue-send.ts";

type Site = { url: string; name: string; email: string };

type Reader = { id: number; email: string; token: string; keptMessageId: string | null };

/**
 * The mails of sends, each composed once and filled in for its readers: encoding an issue anew for everybody takes most
 * of the time that a mail takes.
 */
export function createReaderMails(
  compose: (message: MailMessage) => Promise<Buffer>,
  site: Site,
): (send: OpenSend, reader: Reader) => Promise<MailMessage> {
  const templates = new WeakMap<OpenSend, Promise<MailTemplate>>();
  return async function mailOf(send, reader) {
    if (!isPlainInHeader(reader.email)) return readerMail(send, reader, site);
    let template = templates.get(send);
    if (!template) {
      template = composeTemplate(compose, send, site);
      templates.set(send, template);
      // The next one tries it anew.
      template.catch(() => templates.delete(send));
    }
    const fillIn = await template;
    const { html, text } = send;
    const mail = { ...addressed(send, reader), text, html: raw(html) as MailMessage["html"] };
    return { ...mail, composed: fillIn([reader.token, reader.email, mail.deliveryId]) };
  };
}

async function composeTemplate(
  compose: (message: MailMessage) => Promise<Buffer>,
  send: OpenSend,
  site: Site,
): Promise<MailTemplate> {
  const token = tokenPlaceholderOf(send.key);
  const email = `mailbox-${send.key}@placeholder.invalid`;
  const reader = { id: 0, email, token, keptMessageId: null };
  const mail = readerMail(send, reader, site);
  return createMailTemplate(await compose(mail), [token, reader.email, mail.deliveryId]);
}

/** The mail of a send for one reader: their address, their link, and headers that mail programs act on. */
export function readerMail(send: OpenSend, reader: Reader, site: Site): MailMessage {
  const placeholder = tokenPlaceholderOf(send.key);
  return {
    ...addressed(send, reader),
    text: send.text.replaceAll(placeholder, reader.token),
    html: raw(send.html.replaceAll(placeholder, reader.token)) as MailMessage["html"],
    headers: newsletterHeaders(site, {
      token: reader.token,
      feedbackId: `issue-${send.issueId}:send-${send.id}`,
    }),
  };
}

function addressed(send: OpenSend, { id, email, keptMessageId: kept }: Reader) {
  return {
    deliveryId: rowMessageId(send.key, { id, kept }),
    date: send.begunAt,
    to: { name: "", address: email },
    subject: send.subject,
  };
}

/**
 * What makes it a newsletter to a mail program: leaving by one click (RFC 8058, https only) or by mail (RFC 2369), the
 * list's name (RFC 2919), by which answering machines know not to answer, and the name under which Gmail counts
 * complaints. Auto-Submitted isn't there: a person wrote the issue (RFC 3834, section 5).
 */
export function newsletterHeaders(
  site: Site,
  { token, feedbackId }: { token: string; feedbackId: string },
): Record<string, string> {
  const { hostname } = new URL(site.url);
  const link = unsubscribeLink(site, token);
  const byMail = `<mailto:${site.email}?subject=${encodeURIComponent(`Unsubscribe from ${newsletterName}`)}>`;
  const byClick = link.startsWith("https://");
  return {
    "List-Unsubscribe": byClick ? `<${link}>, ${byMail}` : byMail,
    ...(byClick ? { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" } : {}),
    "List-Id": `${newsletterName} <${listLabel}.${hostname}>`,
    "Feedback-ID": `${feedbackId}:newsletter:${senderLabel(site.name)}`,
  };
}

const listLabel = newsletterName.toLowerCase().replace(/[^a-z0-9]+/g, "-");

function senderLabel(name: string): string {
  return (
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "") || "newsletter"
  );
}
