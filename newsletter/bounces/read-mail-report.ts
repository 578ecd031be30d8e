import type { Attachment, Email } from "postal-mime";
import { reportWords, statusCodeOf } from "../record-bounce.ts";

export type MailReport = {
  /** `notice`: a delay, a delivery or an auto-reply, which changes nothing. */
  says: "failure" | "complaint" | "notice" | "unreadable";
  /** The mail server's words, with the enhanced status code in front. */
  words: string;
  /** Addresses that may be our return path. */
  addresses: string[];
  /** The token in the quoted List-Unsubscribe header. */
  linkToken: string | null;
  /** The Message-ID of the quoted mail. */
  mailId: string | null;
};

const headersMaxBytes = 256 * 1024;
const partsMaxDepth = 20;

/** Headers in which mail servers name the envelope's recipient, here our return path. */
const recipientHeaders = new Set([
  "to",
  "delivered-to",
  "x-original-to",
  "envelope-to",
  "x-envelope-to",
  "x-forwarded-to",
]);

/** Feedback types (RFC 5965, section 7.3; RFC 6591) that mean "no more mail". */
const complaintTypes = new Set(["abuse", "opt-out", "opt-out-list"]);

/**
 * Reads a delivery status notification (RFC 3464), a feedback report (RFC 5965), or Exim's text. Of several recipients
 * the failed one counts, since our mails have one. Never throws.
 */
export async function readMailReport(bytes: Uint8Array): Promise<MailReport> {
  const { default: PostalMime } = await import("postal-mime");
  const email = await PostalMime.parse(bytes, {
    attachmentEncoding: "utf8",
    forceRfc822Attachments: true,
    maxHeadersSize: headersMaxBytes,
    maxNestingDepth: partsMaxDepth,
  }).catch(() => null);
  if (!email) return { says: "unreadable", words: "", ...nothingFound };
  const partOf = (...types: string[]) =>
    contentOf(email.attachments.find(({ mimeType }) => types.includes(mimeType)));
  const original = fieldsOf(
    partOf("message/rfc822", "text/rfc822-headers", "message/rfc822-headers", "message/global"),
  );
  const status = partOf("message/delivery-status", "message/global-delivery-status");
  const feedback = fieldsOf(partOf("message/feedback-report"));
  return {
    ...readWords(email, status, feedback),
    addresses: [
      ...email.headers.filter(({ key }) => recipientHeaders.has(key)).map(({ value }) => value),
      ...[original.get("return-path"), feedback.get("original-mail-from")].filter(
        (one) => one !== undefined,
      ),
    ],
    linkToken:
      /[?&]token=([\w-]{43})(?![\w-])/.exec(original.get("list-unsubscribe") ?? "")?.[1] ?? null,
    mailId: original.get("message-id") ?? null,
  };
}

const nothingFound = { addresses: [], linkToken: null, mailId: null };

function readWords(
  email: Email,
  status: string,
  feedback: Map<string, string>,
): Pick<MailReport, "says" | "words"> {
  const type = feedback.get("feedback-type")?.toLowerCase();
  if (type !== undefined) {
    const words = `Reported as ${type} by ${feedback.get("user-agent") ?? "a mail service"}`;
    return { says: complaintTypes.has(type) ? "complaint" : "notice", words: reportWords(words) };
  }
  // The first group is about the message, each other about a recipient (RFC 3464, section 2.1).
  const groups = status
    .trim()
    .split(/\r?\n[ \t]*\r?\n/)
    .map(fieldsOf)
    .filter((fields) => fields.has("action"));
  const failed = groups.find((fields) => /^failed\b/i.test(fields.get("action") ?? ""));
  if (failed) return { says: "failure", words: reportWords(diagnosisOf(failed)) };
  if (groups.length > 0) return { says: "notice", words: "" };
  const isExims = email.headers.some(({ key }) => key === "x-failed-recipients");
  if (isExims) return { says: "failure", words: reportWords(eximsWords(email.text ?? "")) };
  return { says: isAutoReply(email) ? "notice" : "unreadable", words: "" };
}

/** An auto-reply by a person's mailbox (RFC 3834, section 5). Mail servers mark their reports as auto-replied too. */
function isAutoReply({ headers }: Email): boolean {
  const has = (name: string, start: RegExp) =>
    headers.some(({ key, value }) => key === name && start.test(value));
  return (
    has("auto-submitted", /^\s*auto-replied\b/i) && !has("content-type", /^\s*multipart\/report\b/i)
  );
}

/** The remote server's words, after the Status unless that is less exact (`5.0.0`). */
function diagnosisOf(fields: Map<string, string>): string {
  const words = (fields.get("diagnostic-code") ?? "").replace(/^[\w-]+\s*;\s*/, "");
  const status = statusCodeOf(fields.get("status") ?? "");
  const isVague = status === null || (/\.0\.0$/.test(status) && statusCodeOf(words) !== null);
  return isVague || statusCodeOf(words) === status ? words : `${status} ${words}`.trim();
}

const eximsTextMaxLength = 16 * 1024;

function eximsWords(text: string): string {
  const [, words = ""] =
    /SMTP error from remote .{0,500}?:\s+([45]\d\d[ -].{1,1000}?)\r?\n\s*\r?\n/is.exec(
      text.slice(0, eximsTextMaxLength),
    ) ?? [];
  return words;
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
