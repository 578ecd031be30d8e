import PostalMime from "postal-mime";
import { statusCodeOf, wordsWithoutAddresses } from "#mail/mail-answer.ts";

type MailReport = {
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

/** Reads a delivery status notification (RFC 3464). Null for a delay, an auto-reply and the like. Never throws. */
export async function readMailReport(bytes: Uint8Array): Promise<MailReport | null> {
  const email = await PostalMime.parse(bytes, {
    attachmentEncoding: "utf8",
    forceRfc822Attachments: true,
    maxHeadersSize: 256 * 1024,
    maxNestingDepth: 20,
  }).catch(() => null);
  if (!email) return null;
  const partOf = (...types: string[]) => {
    const part = email.attachments.find(({ mimeType }) => types.includes(mimeType));
    return typeof part?.content === "string" ? part.content : "";
  };
  // The first group is about the message, each other about a recipient (section 2.1).
  const failed = partOf("message/delivery-status", "message/global-delivery-status")
    .trim()
    .split(/\r?\n[ \t]*\r?\n/)
    .map(fieldsOf)
    .find((fields) => /^failed\b/i.test(fields.get("action") ?? ""));
  if (!failed) return null;
  const original = fieldsOf(
    partOf("message/rfc822", "text/rfc822-headers", "message/rfc822-headers", "message/global"),
  );
  const words = diagnosisOf(failed);
  // Exim's status is a bare code, and its text says why.
  const isBare = statusCodeOf(words) === words;
  return {
    words: wordsWithoutAddresses(isBare ? reasonIn(email.text ?? "", failed) || words : words),
    addresses: [
      ...email.headers.filter(({ key }) => recipientHeaders.has(key)).map(({ value }) => value),
      original.get("return-path") ?? "",
    ],
  };
}

/** A server's answer in the paragraph about the recipient, or else what it says. */
function reasonIn(text: string, failed: Map<string, string>): string {
  const [, recipient = ""] = (failed.get("final-recipient") ?? "").split(/;\s*/);
  const paragraphs = text.split(/\r?\n[ \t]*\r?\n/);
  const paragraph = paragraphs.find((words) => recipient && words.includes(recipient)) ?? "";
  const answer = /(?<=^[ \t]*|:\s+)[45]\d\d[ -].*/ms.exec(paragraph)?.[0];
  return answer ?? paragraph.replace(recipient, "");
}

/** The remote server's words, after the Status unless that is less exact (`5.0.0`). */
function diagnosisOf(fields: Map<string, string>): string {
  const words = (fields.get("diagnostic-code") ?? "").replace(/^[\w-]+\s*;\s*/, "");
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
