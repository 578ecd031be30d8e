import { convert } from "html-to-text";
import PostalMime, { type Attachment, type Email } from "postal-mime";
import { statusCodeOf, wordsWithoutAddresses } from "#mail/mail-answer.ts";

type MailReport = {
  /** `notice`: a delay, a delivery or an auto-reply, which changes nothing. */
  says: "failure" | "notice" | "unreadable";
  /** The mail server's words, with the enhanced status code in front. */
  words: string;
  addresses: string[];
};

/** Headers in which mail servers name the envelope's recipient, here our return path. */
const recipientHeaders = new Set([
  "to",
  "delivered-to",
  "x-original-to",
  "envelope-to",
  "x-envelope-to",
  "x-forwarded-to",
]);

/** Reads a delivery status notification (RFC 3464) or a mail system's text. Never throws. */
export async function readMailReport(bytes: Uint8Array): Promise<MailReport> {
  const email = await PostalMime.parse(bytes, {
    attachmentEncoding: "utf8",
    forceRfc822Attachments: true,
    maxHeadersSize: 256 * 1024,
    maxNestingDepth: 20,
  }).catch(() => null);
  if (!email) return { says: "unreadable", words: "", addresses: [] };
  const partOf = (...types: string[]) =>
    contentOf(email.attachments.find(({ mimeType }) => types.includes(mimeType)));
  const original = fieldsOf(
    partOf("message/rfc822", "text/rfc822-headers", "message/rfc822-headers", "message/global"),
  );
  const text = textOf(email);
  const status =
    partOf("message/delivery-status", "message/global-delivery-status") ||
    statusInText([...email.attachments.map(contentOf), text]);
  const { says, words } = readWords(email, status, text);
  return {
    says,
    words: wordsWithoutAddresses(words),
    addresses: [
      ...email.headers.filter(({ key }) => recipientHeaders.has(key)).map(({ value }) => value),
      original.get("return-path") ?? "",
    ],
  };
}

function readWords(email: Email, status: string, text: string): Pick<MailReport, "says" | "words"> {
  // The first group is about the message, each other about a recipient (RFC 3464, section 2.1).
  const groups = status
    .trim()
    .split(/\r?\n[ \t]*\r?\n/)
    .map(fieldsOf)
    .filter((fields) => fields.has("action"));
  const failed = groups.find((fields) => /^failed\b/i.test(fields.get("action") ?? ""));
  if (failed) {
    const words = diagnosisOf(failed);
    if (statusCodeOf(words) !== words) return { says: "failure", words };
    // Exim says why in its text alone.
    const [, recipient] = (failed.get("final-recipient") ?? "").split(";");
    return { says: "failure", words: `${words} ${failureWords(text, recipient)}`.trim() };
  }
  if (groups.length > 0) return { says: "notice", words: "" };
  const failedRecipient = headerOf(email, "x-failed-recipients");
  const isOfMailSystem = failedRecipient !== undefined || mailSystem.test(senderOf(email));
  if (isOfMailSystem) {
    const words = failureWords(text, failedRecipient);
    const isDelay = /\bdelay(?:ed)?\b|^warning\b/i.test(email.subject ?? "");
    if (failedRecipient === undefined && isDelay) return { says: "notice", words: "" };
    const isFailure = failedRecipient !== undefined || words !== "";
    return { says: isFailure ? "failure" : "unreadable", words };
  }
  if (!isAbsence(email)) return { says: "unreadable", words: "" };
  // A gateway may report under a person's name.
  const isRefusal = /(?<![\d.])55\d[ -]#?5\.\d{1,3}\.\d{1,3}/.test(told(text));
  return { says: isRefusal ? "failure" : "notice", words: failureWords(text) };
}

const mailSystem =
  /mailer-?daemon|postmaster|mdaemon|mail[ -]?(?:delivery|er|system)\b|delivery (?:sub)?system/i;

function senderOf({ from }: Email): string {
  return from && "address" in from ? `${from.name} ${from.address}` : "";
}

function headerOf({ headers }: Email, name: string): string | undefined {
  return headers.find(({ key }) => key === name)?.value;
}

/** An auto-reply (RFC 3834, section 5) or a receipt (RFC 8098). */
function isAbsence(email: Email): boolean {
  const submitted = headerOf(email, "auto-submitted") ?? "";
  return (
    /^\s*auto-replied\b/i.test(submitted) ||
    (/^\s*auto-generated\b/i.test(submitted) &&
      headerOf(email, "x-auto-response-suppress") !== undefined) ||
    /^\s*auto_reply\b/i.test(headerOf(email, "precedence") ?? "") ||
    ["x-autoreply", "x-autorespond"].some((name) => headerOf(email, name) !== undefined) ||
    /report-type="?disposition-notification/i.test(headerOf(email, "content-type") ?? "") ||
    email.attachments.some(({ mimeType }) => mimeType === "message/disposition-notification")
  );
}

const textMaxLength = 16 * 1024;

function textOf({ text, html }: Email): string {
  const words = text?.trim() ? text : convert(html ?? "", { wordwrap: false });
  return words.slice(0, textMaxLength).replaceAll("\u00a0", " ");
}

/** Some gateways make the status part an attachment or a text. */
function statusInText(texts: readonly string[]): string {
  for (const text of texts) {
    const fields = /^(?:reporting-mta|original-recipient|final-recipient|action)[ \t]*:.*/ims.exec(
      text.slice(0, textMaxLength),
    );
    if (fields && /^action[ \t]*:[ \t]*\w/im.test(fields[0])) return fields[0];
  }
  return "";
}

function told(text: string): string {
  const [words = ""] = text.split(
    /^(?:[-| ]*-{3,}.*(?:copy of|message header|original message|returned message|below this line).*|(?:return-path|list-unsubscribe|received|message-id)[ \t]*:.*)$/im,
    1,
  );
  return words;
}

/** A server's answer begins with a reply code, with or without an enhanced one, after a colon or at a line's start. */
const answers = [
  /(?<![\d.])[45]\d\d[ -]#?[45]\.\d{1,3}\.\d{1,3}/,
  /(?<=^[ \t<>]*|[:(][ \t]*\s)[45]\d\d[ -](?=\S)/m,
];

function failureWords(text: string, failedRecipient?: string): string {
  const paragraphs = told(text).split(/\r?\n[ \t|]*\r?\n/);
  for (const answer of answers) {
    for (const paragraph of paragraphs) {
      const found = answer.exec(paragraph);
      if (found) return paragraph.slice(found.index);
    }
  }
  const address = failedRecipient?.trim();
  const reason =
    paragraphs.find((paragraph) => statusCodeOf(paragraph) !== null) ??
    paragraphs.find((paragraph) => address && paragraph.includes(address)) ??
    "";
  return reason.replace(/^[ \t]*<?[^\s<>]+@[^\s<>]+>?:?[ \t]*\r?\n/, "");
}

/** The remote server's words, after the Status unless that is less exact (`5.0.0`). */
function diagnosisOf(fields: Map<string, string>): string {
  const supplement = fields.get("x-supplementary-info")?.replaceAll(/^<\S+ #[\d.]+ |>$/g, "");
  const diagnosis = fields.get("diagnostic-code") ?? supplement ?? "";
  const words = diagnosis.replace(/^[\w-]+\s*;\s*/, "");
  const status = statusCodeOf(fields.get("status") ?? "");
  const isVague = status === null || (/\.0\.0$/.test(status) && statusCodeOf(words) !== null);
  return isVague || words.includes(status) ? words : `${status} ${words}`.trim();
}

function fieldsOf(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  const [head = ""] = text.replace(/^(?:[ \t]*\r?\n)+/, "").split(/\r?\n[ \t]*\r?\n/, 1);
  for (const line of head.replace(/\r?\n(?=[ \t])/g, " ").split(/\r?\n/)) {
    const [, name = "", value = ""] = /^([!-9;-~]+)\s*:\s*(.*)$/.exec(line) ?? [];
    if (name !== "" && !fields.has(name.toLowerCase()))
      fields.set(name.toLowerCase(), value.trim());
  }
  return fields;
}

function contentOf(part: Attachment | undefined): string {
  return typeof part?.content === "string" ? part.content : "";
}
