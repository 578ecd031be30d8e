import { contactSubjectLabel } from "#content/contact-message.ts";
import type { SiteIdentity } from "#content/site-settings.ts";
import { isPlainAddress } from "#content/text.ts";
import { longTorontoTime } from "#content/toronto-time.ts";
import type { MailMessage } from "./create-mailer.ts";
import { type Html, html, mailDocument } from "./mail-document.ts";
import type { Delivery, OutboxPayloads } from "./outbox-jobs.ts";

type Letter<Payload> = Omit<Delivery<Payload>, "signal"> & {
  contactTo: string;
  site: SiteIdentity;
};

/** Replies go to the visitor where the address is safe in a header. */
export function contactEmail({
  deliveryId,
  createdAt,
  payload,
  contactTo,
  site,
  canReply = isPlainAddress(payload.email),
}: Letter<OutboxPayloads["contact-email"]> & { canReply?: boolean }): MailMessage {
  const name = visibleLine(`${payload.firstName} ${payload.lastName}`);
  const topic = visibleLine(contactSubjectLabel(payload.subject));
  const form = payload.isQuick ? "Contact form (sent at a program's speed)" : "Contact form";
  const subject = topic ? `${form}: ${topic}, from ${name}` : `${form}, from ${name}`;
  const message = payload.message
    .replace(/\r\n?|[\v\f\u0085]/g, "\n")
    .replace(unseenInLines, writeOut);
  const facts = [
    ["Name", name],
    ["Email", visibleLine(payload.email)],
    ["Company", visibleLine(payload.company)],
    ["Phone", visibleLine(payload.phone)],
    ["Subject", topic],
    ["Received", longTorontoTime(payload.receivedAt)],
    ["Message number", String(payload.messageId)],
  ].filter((fact): fact is [string, string] => fact[1] !== "");
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
      site,
      content: markup(facts, message, { ending, accent: site.accent }),
    }),
  };
}

function plainText(facts: [string, string][], message: string, ending: string): string {
  const lines = facts.map(([label, value]) => `${label}: ${value}`);
  const quoted = message.split("\n").map((line) => (line === "" ? ">" : `> ${line}`));
  return `${[...lines, "", ...quoted, "", ending].join("\n")}\n`;
}

function markup(
  facts: [string, string][],
  message: string,
  { ending, accent }: { ending: string; accent: string },
): Html {
  const cell =
    "padding:2px 16px 2px 0;font-size:15px;text-align:left;vertical-align:top;font-weight:normal";
  const rows = facts.map(
    ([label, value]) =>
      html`<tr><th scope="row" class="second" style="${cell};color:#46526a;white-space:nowrap">${label}</th><td dir="auto" style="${cell}">${value}</td></tr>
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
<blockquote dir="auto" style="margin:24px 0;padding:0 0 0 16px;border-left:3px solid ${accent}">
${lines}
</blockquote>
<p class="second" style="margin-bottom:0;color:#46526a;font-size:14px">${ending}</p>`;
}

export function ownerEmail({
  deliveryId,
  createdAt,
  payload: { date = createdAt, ...payload },
  contactTo,
  site,
}: Letter<OutboxPayloads["owner-email"]>): MailMessage {
  const subject = visibleLine(payload.subject);
  const paragraphs = payload.paragraphs.map(visibleLine);
  return {
    deliveryId,
    date,
    to: contactTo,
    subject,
    text: `${paragraphs.join("\n\n")}\n`,
    html: mailDocument({
      title: subject,
      site,
      content: html`${paragraphs.slice(0, -1).map((text) => html`<p>${text}</p>\n`)}<p class="second" style="margin-bottom:0;color:#46526a;font-size:14px">${paragraphs.at(-1) ?? ""}</p>`,
    }),
  };
}

const lineEndsAndTabs = /\r\n|[\t\n\v\f\r\u0085\u2028\u2029]/g;

// Control, bidirectional and zero-width characters. Joiners belong to emoji and some scripts.
const unseen =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|(?<![^\u0000-\u007f])[\u200c\u200d]|[\u200c\u200d](?![^\u0000-\u007f])/g;

// These reach beyond their own place; the others are on right-to-left keyboards.
const unseenInLines =
  /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2028\u2029\u2066-\u206f]/g;

/** On one line, with invisible characters as `[U+202E]`. */
function visibleLine(text: string): string {
  return text.replace(lineEndsAndTabs, " ").replace(unseen, writeOut).trim();
}

function writeOut(character: string): string {
  return `[U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}]`;
}
