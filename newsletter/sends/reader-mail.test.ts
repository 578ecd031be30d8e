import { dkimVerify } from "mailauth/lib/dkim/verify.js";
import { expect, test } from "vitest";
import { createMailer } from "#mail/create-mailer.ts";
import { newDkimKey } from "#tests/dkim-key.ts";
import { startMailServer } from "#tests/mail-server.ts";
import { readComposed } from "#tests/read-composed.ts";
import { testSite } from "#tests/site-identity.ts";
import { newSubscriberToken } from "../subscriber-token.ts";
import type { OpenSend } from "./open-sends.ts";
import { newSendKey, tokenPlaceholderOf } from "./queue-send.ts";
import { createReaderMails, readerMail } from "./reader-mail.ts";

const mailer = createMailer({
  smtpUrl: null,
  dataDir: "",
  from: '"Chalkline" <matrix@chalkline.example>',
  siteUrl: testSite.url,
});

function sendOf(before: string): OpenSend {
  const key = newSendKey();
  const link = `https://chalkline.example/newsletter/unsubscribe?token=${tokenPlaceholderOf(key)}`;
  return {
    id: 7,
    key,
    issueId: 3,
    subject: "Quotes before lunch ☕",
    html: `<p>${before}<a href="${link}">Leave</a> or <a href="${link}">leave</a></p>`,
    text: `${before}\nLeave: ${link}\n`,
    begunAt: "2026-11-22T12:00:00.000Z",
  };
}

/** At every column where an encoded line may end, and in a script for which Nodemailer would take base64. */
const beginnings = [
  ...Array.from({ length: 76 }, (_, count) => "é ".repeat(38) + "x".repeat(count)),
  "Words. ".repeat(200),
  "見積もりを昼食の前に".repeat(40),
];

test("a mail that is filled in reads as one that was composed for its reader alone", async () => {
  const mailOf = createReaderMails(mailer.compose, testSite);
  for (const beginning of beginnings) {
    const send = sendOf(beginning);
    const reader = {
      id: 98_765,
      email: "reader@example.com",
      token: newSubscriberToken(),
      keptMessageId: null,
    };
    const { composed } = await mailOf(send, reader);
    const alone = await mailer.compose(readerMail(send, reader, testSite));
    expect(await readComposed(composed)).toEqual(await readComposed(alone));
  }
});

test("an address that has to be written in another way in a header gets a mail of its own", async () => {
  const mailOf = createReaderMails(mailer.compose, testSite);
  const token = newSubscriberToken();
  const reader = { id: 1, email: "zoë@bücher.example", token, keptMessageId: null };
  const { composed, to, html } = await mailOf(sendOf("Words."), reader);
  expect(composed).toBeUndefined();
  expect(to).toEqual({ name: "", address: reader.email });
  expect(html.toString()).toContain(reader.token);
});

test("a mail that is filled in is signed as it goes out, its link to leave included", async () => {
  const mailServer = await startMailServer();
  const { privateKey, record } = newDkimKey();
  const signing = createMailer({
    smtpUrl: mailServer.url,
    dataDir: "",
    from: '"Chalkline" <matrix@chalkline.example>',
    siteUrl: testSite.url,
    newsletterConnections: 1,
    dkim: { domain: "chalkline.example", selector: "mail2026", privateKey },
  });
  const mailOf = createReaderMails(signing.compose, testSite);
  const send = sendOf(".A line that begins with a dot\n.\n");
  for (const id of [1, 2]) {
    const token = newSubscriberToken();
    const reader = { id, email: `reader-${id}@example.com`, token, keptMessageId: null };
    await signing.send({ ...(await mailOf(send, reader)), returnPath: `back+${id}@example.com` });
  }
  const resolver = async () => [[record]];
  expect(mailServer.received.map(({ from, to }) => [from, ...to])).toEqual([
    ["back+1@example.com", "reader-1@example.com"],
    ["back+2@example.com", "reader-2@example.com"],
  ]);
  for (const { source } of mailServer.received) {
    const { results } = await dkimVerify(source, { resolver });
    expect(results.map(({ status }) => status.result)).toEqual(["pass"]);
    expect(results[0]?.signingHeaders?.keys.toLowerCase()).toContain("list-unsubscribe");
  }
  signing.close();
  await mailServer.close();
});
