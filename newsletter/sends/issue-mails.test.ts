import { randomUUID } from "node:crypto";
import { dkimVerify } from "mailauth/lib/dkim/verify.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMailer, type Mailer } from "#mail/create-mailer.ts";
import { composeIssueMail } from "#mail/issue-mail/compose-issue-mail.ts";
import { newDkimKey } from "#tests/dkim-key.ts";
import { type MailServer, startMailServer } from "#tests/mail-server.ts";
import { issueLetters } from "#tests/sends/issue-letters.ts";
import { testSite } from "#tests/site-identity.ts";
import { newSubscriberToken } from "../subscribers/apply-event.ts";
import { type OpenSend, recipientMail, tokenPlaceholderOf } from "./recipients.ts";

/** Each of these is encoded or folded in a header in another way. */
const titles = [
  "Quotes before lunch",
  "A title that goes on and on, through the estimate, the change order and the invoice, ".repeat(4),
  "Devis avant midi : « réponse » en cinq minutes, et l’acompte à l’heure pour les chantiers d’été",
  "見積もりを昼食の前に、請求書は金曜日までに、写真は現場から".repeat(4),
  'Quotes, "invoices" and (holdback) <before lunch>; 100% = done?',
  "=?utf-8?Q?Boss?= says: =?no such thing?=",
  "☕ ".repeat(60),
  `One${"word".repeat(60)}`,
];
const senders = [
  '"Chalkline" <matrix@chalkline.example>',
  "matrix@chalkline.example",
  '"Größe & Söhne, Bauarbeiten (Ontario) und Renovierungen aller Art" <matrix@chalkline.example>',
];
const addresses = ["reader@example.com", `${"r".repeat(60)}@${"mail.".repeat(20)}example.com`];

const longLine = {
  title: "a line of 5,000 letters, and words of a script that 7 bits have not",
  html: `<p>${"x".repeat(5_000)}</p><p>.</p><p>From here</p><p>${"見積もり".repeat(500)}</p>`,
};

const handedAt = "2026-11-22T12:00:00.000Z";
const { privateKey, record } = newDkimKey();
const resolver = async () => [[record]];

let mailServer: MailServer;
const mailers: Mailer[] = [];

beforeAll(async () => {
  mailServer = await startMailServer();
});

afterAll(async () => {
  for (const mailer of mailers) mailer.close();
  await mailServer.close();
});

function mailerFrom(from: string): Mailer {
  const mailer = createMailer({
    smtpUrl: mailServer.url,
    dataDir: "",
    from,
    siteUrl: testSite.url,
    connections: 1,
    dkim: { domain: "chalkline.example", selector: "mail2026", privateKey },
  });
  mailers.push(mailer);
  return mailer;
}

/** The mail of an issue as a mail server gets it, beside what it was to say. */
async function sent(
  { html }: { html: string },
  { title, from, email }: { title: string; from: string; email: string },
) {
  const key = randomUUID();
  const mail = composeIssueMail({
    issue: { id: 7, number: 3, title, html, publishDate: "2026-11-09" },
    site: testSite,
    tokenPlaceholder: tokenPlaceholderOf(key),
  });
  const send: OpenSend = { id: 7, key, issueId: 3, ...mail };
  const token = newSubscriberToken();
  const recipient = { id: 98_765, email, token, keptMessageId: null, handedAt };
  const message = recipientMail(send, recipient, testSite);
  await mailerFrom(from).send({ ...message, returnPath: "back+1@chalkline.example" });
  const received = mailServer.received.at(-1);
  if (!received) throw new Error("No mail has arrived.");
  const own = (words: string) => words.replaceAll(tokenPlaceholderOf(key), token);
  return { received, html: own(mail.html), text: own(mail.text) };
}

/** Line ends and those at the end are the transport's. */
const lines = (words = "") => words.replaceAll("\r\n", "\n").trimEnd();

for (const [index, letter] of [...issueLetters, longLine].entries()) {
  test(`the mail of ${letter.title} is signed, and says what it was to say`, async () => {
    const title = titles[index % titles.length] ?? "";
    const from = senders[index % senders.length] ?? "";
    const email = addresses[index % addresses.length] ?? "";
    const { received, html, text } = await sent(letter, { title, from, email });
    expect([received.from, ...received.to]).toEqual(["back+1@chalkline.example", email]);
    expect(received.email.subject?.trim()).toBe(title.trim().replaceAll("=?", "= ?"));
    expect(received.email.date).toBe(handedAt);
    expect(lines(received.email.html)).toBe(lines(html));
    expect(lines(received.email.text)).toBe(lines(text));
    const { results } = await dkimVerify(received.source, { resolver });
    expect(results.map(({ status }) => status.result)).toEqual(["pass"]);
    // RFC 6376, section 5.4; RFC 8058, section 4.
    const signed = results[0]?.signingHeaders?.keys
      .toLowerCase()
      .split(":")
      .map((key) => key.trim());
    expect(signed).toEqual(
      expect.arrayContaining(["from", "subject", "list-unsubscribe", "list-unsubscribe-post"]),
    );
    const longest = Math.max(...received.source.split("\r\n").map((line) => line.length));
    expect(longest).toBeLessThanOrEqual(998);
    expect(textFaults(text.replace(title, ""), letter.html)).toEqual([]);
  });
}

function textFaults(text: string, markup: string): string[] {
  const found = (what: string, pattern: RegExp) =>
    [...text.matchAll(pattern)].slice(0, 3).map(([match]) => `${what}: ${JSON.stringify(match)}`);
  return [
    ...found(
      "a tag",
      /<(?:!--|\/?(?:a|b|br|div|em|font|h\d|i|img|li|p|span|strong|style|t[dhr])\b)/gi,
    ),
    // One that the template itself has escaped twice is in its own words.
    ...found("an entity", /&(?:[a-z]{2,8}|#\d{2,5});/gi).filter(
      (one) => !markup.includes(`&amp;${/&([^"]+)/.exec(one)?.[1]}`),
    ),
    ...found("a rule of style", /[.#@][\w-]+ *\{[^}]*\}|\b(?:mso|font-family|line-height)\s*:/g),
    ...found("a gap", /\n{4,}/g),
    ...found("a character that nobody sees", /\u034f|[\u00ad\u200b-\u200f\u2060\ufeff]/g),
  ];
}
