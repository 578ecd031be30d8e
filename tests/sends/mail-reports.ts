import { readFileSync } from "node:fs";
import path from "node:path";

/**
 * Reports as mail servers write them: the fields, their order, line breaks and blanks are those of published examples; the
 * names and numbers are not.
 */
const folder = path.join(import.meta.dirname, "../fixtures/mail-reports");

type Returned = { returnPath: string; address: string };

const message = (text: string) => Buffer.from(text.replace(/\r?\n/g, "\r\n"));

function fill(name: string, values: Record<string, string>): Buffer {
  const text = readFileSync(path.join(folder, `${name}.eml`), "utf8");
  return message(text.replaceAll(/\{(\w+)\}/g, (_, key: string) => values[key] ?? ""));
}

/** Postfix, as `bounce(8)` writes it. */
export function postfixReport(
  mail: Returned,
  {
    status = "5.1.1",
    words = `550 5.1.1 <${mail.address}>: Recipient address rejected: User unknown in\n    virtual mailbox table`,
  } = {},
): Buffer {
  return fill("postfix", { ...mail, status, words });
}

/** Gmail, with the server's words over several lines. */
export function gmailReport(mail: Returned, action = "failed"): Buffer {
  return fill("gmail", { ...mail, action });
}

/**
 * Exchange: no blank after `rfc822;`, the original's recipient first, the text in another character set. Amazon SES: Action
 * before the recipient, Status last. Exim: the status part has a bare code, and the text says why.
 */
export const reportOf = (program: "exchange" | "ses" | "exim") => (mail: Returned) =>
  fill(program, mail);

/** A mail in the bounce mailbox that has no status part. */
export function textReport(
  { returnPath }: Returned,
  { from, type = "text/plain; charset=utf-8", body }: { from: string; type?: string; body: string },
): Buffer {
  return message(`Return-Path: <>
From: ${from}
To: ${returnPath}
Subject: failure notice
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: ${type}

${body}`);
}
