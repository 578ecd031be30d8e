import { contactSubjectLabel } from "#content/contact-message.ts";
import type { SiteIdentity } from "#content/site-settings.ts";
import { isPlainAddress } from "#content/text.ts";
import { longTorontoTime } from "#content/toronto-time.ts";
import type { MailMessage } from "./create-mailer.ts";
import { type Html, html, mailDocument } from "./mail-document.ts";
import type { OutboxPayloads } from "./outbox-jobs.ts";

export type Letter<Payload> = {
  deliveryId: string;
  createdAt: string;
  payload: Payload;
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

/** Quotes nothing of what is quarantined. */
export function quarantineEmail(letter: Letter<OutboxPayloads["held-email"]>): MailMessage {
  const { payload, site } = letter;
  return operatorNotice(letter, {
    date: payload.dueAt,
    subject: `Held as suspected spam: something sent to ${new URL(site.url).host}`,
    paragraphs: [
      `Something sent through a form at ${site.url} on ${longTorontoTime(payload.heldAt)} looks like spam. It is on hold: kept in full but not mailed to you, and the sender got the usual answer. There may be more by now.`,
      "A person can look like a program, so please check what is held: at the desk, under Messages and under Subscribers.",
    ],
    ending: "You get this email at most once a day, and only when something has been held.",
  });
}

export function pausedEmail(letter: Letter<OutboxPayloads["paused-email"]>): MailMessage {
  const { payload, site } = letter;
  return operatorNotice(letter, {
    subject: `Paused: the send of “${visibleLine(payload.title)}” at ${new URL(site.url).host}`,
    paragraphs: [
      "The send has paused itself: nobody else gets the issue until you resume it. The reason:",
      visibleLine(payload.reason),
      `Go on or end it at the desk, under Issues. In a terminal: npm run site -- sends resume ${payload.sendId}`,
    ],
    ending: "You get this email each time a send pauses itself.",
  });
}

export function unpublishedEmail(letter: Letter<OutboxPayloads["unpublished-email"]>): MailMessage {
  const { payload, site } = letter;
  const title = visibleLine(payload.title) || "Untitled";
  return operatorNotice(letter, {
    subject: `Not published: “${title}” at ${new URL(site.url).host}`,
    paragraphs: [
      `It was planned for ${longTorontoTime(payload.dueAt)}. Nothing was published, and nobody was mailed. The reason:`,
      visibleLine(payload.reason),
      "Open the draft under Issues at the desk, mend that, and choose another hour.",
    ],
    ending: "You get this email each time a planned issue can't be published.",
  });
}

export function pacedEmail(letter: Letter<OutboxPayloads["paced-email"]>): MailMessage {
  const { payload, site } = letter;
  const [many, mail] =
    payload.pace === "messages"
      ? ["messages", "the mails that bring them to you"]
      : ["sign-ups", "the mails that ask for a confirmation"];
  return operatorNotice(letter, {
    subject: `Many ${many} at ${new URL(site.url).host}: their mail is being spaced out`,
    paragraphs: [
      `Since ${longTorontoTime(payload.since)}, more ${many} have come in through the form at ${site.url} than people usually send. All of them are taken and kept. To keep your mail account and its good name, ${mail} now go out at no more than ${Math.round(payload.mailsPerHour)} an hour.`,
      "You don't have to do anything for it to end. The desk shows all of them now.",
    ],
    ending: "You get this mail once, and again only if it goes on a day from now.",
  });
}

type Notice = {
  subject: string;
  date?: string;
  paragraphs: string[];
  ending: string;
};

function operatorNotice(
  { deliveryId, createdAt, contactTo, site }: Letter<unknown>,
  { subject, date = createdAt, paragraphs, ending }: Notice,
): MailMessage {
  return {
    deliveryId,
    date,
    to: contactTo,
    subject,
    text: `${[...paragraphs, ending].join("\n\n")}\n`,
    html: mailDocument({
      title: subject,
      site,
      content: html`${paragraphs.map((text) => html`<p>${text}</p>\n`)}<p class="second" style="margin-bottom:0;color:#46526a;font-size:14px">${ending}</p>`,
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

function visibleLines(text: string): string {
  return text.replace(/\r\n?|[\v\f\u0085]/g, "\n").replace(unseenInLines, writeOut);
}

function writeOut(character: string): string {
  return `[U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}]`;
}
