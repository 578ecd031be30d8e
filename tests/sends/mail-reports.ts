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

/** Exchange: no blank after `rfc822;`, the original's recipient first, the text in another character set. */
export function exchangeReport(mail: Returned): Buffer {
  return fill("exchange", mail);
}

/** Amazon SES: Action before the recipient, Status last. */
export function sesReport(mail: Returned): Buffer {
  return fill("ses", mail);
}

/** Exim as most hosts run it: text alone, and a header that says whom it didn't reach. */
export function eximReport(mail: Returned): Buffer {
  return fill("exim", mail);
}

/** A report without a status part, by its headers and body. Most mail systems mark it as auto-replied. */
export function textReport(
  { returnPath, address }: Returned,
  {
    from = "MAILER-DAEMON@mx.example.net",
    subject = "failure notice",
    headers = "Auto-Submitted: auto-replied",
    type = "text/plain; charset=utf-8",
    body,
  }: { from?: string; subject?: string; headers?: string; type?: string; body: string },
): Buffer {
  return message(`Return-Path: <>
From: ${from}
To: ${returnPath}
Subject: ${subject}
${headers.replaceAll("ADDRESS", address)}
MIME-Version: 1.0
Content-Type: ${type}

${body.replaceAll("ADDRESS", address)}`);
}

const original = `From: "Chalkline" <matrix@chalkline.example>
To: ADDRESS
Subject: Quotes before lunch
Message-ID: <5b0c.17@chalkline.example>`;

/** A mixed message of these parts, each with its own headers, and the returned mail. */
export function partsOf(...parts: string[]): { type: string; body: string } {
  const returned = `Content-Type: message/rfc822\n\n${original}\n\nWords.\n`;
  return {
    type: 'multipart/mixed; boundary="part"',
    body: `${[...parts, returned].map((part) => `--part\n${part}\n`).join("")}--part--\n`,
  };
}
