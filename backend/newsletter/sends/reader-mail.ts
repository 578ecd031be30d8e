import { raw } from "hono/html";
import { newsletterName } from "#content/site.ts";
import type { MailMessage } from "../../email/mail-message.ts";
import { unsubscribeLink } from "../../email/newsletter-links.ts";
import { rowMessageId } from "./find-send.ts";
import type { OpenSend } from "./open-sends.ts";
import { linkMarkOf } from "./queue-send.ts";

type Site = { url: string; name: string; email: string };

/** The mail of a send for one reader: their address, their link, and headers that mail programs act on. */
export function readerMail(
  send: OpenSend,
  reader: { id: number; email: string; token: string },
  site: Site,
): MailMessage {
  const mark = linkMarkOf(send.key);
  return {
    deliveryId: rowMessageId(send.key, reader.id),
    date: send.begunAt,
    to: { name: "", address: reader.email },
    subject: send.subject,
    text: send.text.replaceAll(mark, reader.token),
    html: raw(send.html.replaceAll(mark, reader.token)) as MailMessage["html"],
    headers: newsletterHeaders(site, {
      token: reader.token,
      feedbackId: `issue-${send.issueId}:send-${send.id}`,
    }),
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
