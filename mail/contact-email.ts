import { longTorontoTime } from "#content/toronto-time.ts";
import { contactSubjectLabel } from "#contracts/contact-form.ts";
import type { SiteIdentity } from "#contracts/site-settings.ts";
import { type Html, html } from "./html.ts";
import { mailDocument } from "./mail-document.ts";
import { isPlainAddress, type MailMessage } from "./mail-message.ts";
import type { OutboxPayloads } from "./outbox-jobs.ts";
import { visibleLine, visibleLines } from "./visible-words.ts";

type ContactEmailOptions = {
  deliveryId: string;
  createdAt: string;
  payload: OutboxPayloads["contact-email"];
  contactTo: string;
  site: SiteIdentity;
};

/** What the firm reads when a visitor has written: a reply goes to the visitor, whose words stand as quoted text. */
export function contactEmail({
  deliveryId,
  createdAt,
  payload,
  contactTo,
  site,
}: ContactEmailOptions): MailMessage {
  const name = visibleLine(`${payload.firstName} ${payload.lastName}`);
  const topic = visibleLine(contactSubjectLabel(payload.subject));
  const form = payload.isQuick ? "Contact form (sent at a program's speed)" : "Contact form";
  const subject = topic ? `${form}: ${topic}, from ${name}` : `${form}, from ${name}`;
  const message = visibleLines(payload.message);
  const facts = [
    ["Name", name],
    ["Email", visibleLine(payload.email)],
    ["Company", visibleLine(payload.company)],
    ["Phone", visibleLine(payload.phone)],
    ["Subject", topic],
    ["Received", longTorontoTime(payload.receivedAt)],
    ["Message number", String(payload.messageId)],
  ].filter((fact): fact is [string, string] => fact[1] !== "");
  const canReply = isPlainAddress(payload.email);
  const ending = canReply
    ? `Sent through the contact form at ${site.url}. Your reply goes to the visitor.`
    : `Sent through the contact form at ${site.url}. No reply address could be set: see Email above.`;
  return {
    deliveryId,
    date: createdAt,
    to: contactTo,
    replyTo: canReply ? { name, address: payload.email } : undefined,
    subject,
    text: plainText(facts, message, ending),
    html: mailDocument({
      title: subject,
      sender: site.name,
      content: markup(facts, message, ending),
    }),
  };
}

function plainText(facts: [string, string][], message: string, ending: string): string {
  const lines = facts.map(([label, value]) => `${label}: ${value}`);
  const quoted = message.split("\n").map((line) => (line === "" ? ">" : `> ${line}`));
  return `${[...lines, "", ...quoted, "", ending].join("\n")}\n`;
}

function markup(facts: [string, string][], message: string, ending: string): Html {
  const cell =
    "padding:2px 16px 2px 0;font-size:15px;text-align:left;vertical-align:top;font-weight:normal";
  const rows = facts.map(
    ([label, value]) =>
      html`<tr><th scope="row" class="second" style="${cell};color:#46526a">${label}</th><td dir="auto" style="${cell}">${value}</td></tr>
`,
  );
  const lines = message.split("\n").map((line, index) =>
    index === 0
      ? html`${line}`
      : html`<br>
${line}`,
  );
  return html`<table style="border-collapse:collapse">
${rows}</table>
<blockquote dir="auto" style="margin:24px 0;padding:0 0 0 16px;border-left:3px solid #1f4fd8;overflow-wrap:anywhere">
${lines}
</blockquote>
<p class="second" style="margin-bottom:0;color:#46526a;font-size:14px">${ending}</p>`;
}
