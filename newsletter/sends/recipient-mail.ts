import { raw } from "hono/html";
import { nameOfNewsletter } from "#content/own-words.ts";
import { newsletterName } from "#content/site.ts";
import type { SiteIdentity } from "#contracts/site-settings.ts";
import type { MailMessage } from "#mail/mail-message.ts";
import { unsubscribeLink } from "#mail/subscriber-letters.ts";
import { type OpenSend, rowMessageId, tokenPlaceholderOf } from "./steer-send.ts";

type Recipient = { id: number; email: string; token: string; keptMessageId: string | null };

/** One recipient's mail: the address, their link, and the headers of a newsletter. */
export function recipientMail(
  send: OpenSend,
  recipient: Recipient,
  site: SiteIdentity,
): MailMessage {
  const placeholder = tokenPlaceholderOf(send.key);
  return {
    deliveryId: rowMessageId(send.key, { id: recipient.id, kept: recipient.keptMessageId }),
    date: send.begunAt,
    to: { name: "", address: recipient.email },
    subject: send.subject,
    text: send.text.replaceAll(placeholder, recipient.token),
    html: raw(send.html.replaceAll(placeholder, recipient.token)) as MailMessage["html"],
    headers: newsletterHeaders(site, {
      token: recipient.token,
      feedbackId: `issue-${send.issueId}:send-${send.id}`,
    }),
  };
}

/**
 * Unsubscribing by one click (RFC 8058, https only) or by mail (RFC 2369), the list's name (RFC 2919), and Gmail's
 * Feedback-ID. No Auto-Submitted, since a person wrote the issue (RFC 3834, section 5).
 */
export function newsletterHeaders(
  site: SiteIdentity,
  { token, feedbackId }: { token: string; feedbackId: string },
): Record<string, string> {
  const { hostname } = new URL(site.url);
  const newsletter = nameOfNewsletter(site);
  const link = unsubscribeLink(site, token);
  const byMail = `<mailto:${site.email}?subject=${encodeURIComponent(`Unsubscribe from ${newsletter}`)}>`;
  const byClick = link.startsWith("https://");
  return {
    "List-Unsubscribe": byClick ? `<${link}>, ${byMail}` : byMail,
    ...(byClick ? { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" } : {}),
    "List-Id": `${phrase(newsletter)} <${listLabel}.${hostname}>`,
    "Feedback-ID": `${feedbackId}:newsletter:${senderLabel(site.name)}`,
  };
}

/** Quoted where it has more than letters and digits (RFC 5322, section 3.2.5). */
function phrase(words: string): string {
  return /^[\p{L}\p{N} -]+$/u.test(words) ? words : `"${words.replace(/["\\]/g, "")}"`;
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
