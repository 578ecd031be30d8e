import { readFileSync } from "node:fs";
import path from "node:path";
import pino from "pino";
import { expect, onTestFinished, test } from "vitest";
import { createMailer, type MailMessage } from "#mail/create-mailer.ts";
import { html } from "#mail/mail-document.ts";
import { createBounceMailbox, createReturnPaths } from "#newsletter/bounces/bounce-mailbox.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { type MailServerLimit, startMailServer } from "#tests/mail-server.ts";
import { startImapServer } from "#tests/sends/imap-server.ts";
import { sentMails } from "#tests/sends/sent-mails.ts";
import { addSubscribers } from "#tests/sends/subscribers.ts";
import { testSite } from "#tests/site-identity.ts";
import { until } from "#tests/until.ts";
import {
  meaningOfError,
  provocations,
  recordedAnswers,
  reportFile,
  returned,
  wordsFolder,
} from "./words.ts";

const stages: [RegExp, MailServerLimit["at"]][] = [
  [/^(?:CONN|EHLO)/, "connection"],
  [/^AUTH/, "sign-in"],
  [/^MAIL FROM/, "sender"],
  [/^RCPT TO/, "recipient"],
  [/^DATA/, "message"],
];

test("each recorded answer of a mail server is read for what it means", async () => {
  const server = await startMailServer();
  onTestFinished(() => server.close());
  const recorded = recordedAnswers();
  const read: Record<string, string> = {};
  for (const [name, { to }] of Object.entries(provocations)) {
    const { command, response } = recorded[name] ?? { command: "", response: "" };
    const at = stages.find(([pattern]) => pattern.test(command))?.[1];
    if (!at) throw new Error(`No answer of “${name}” is recorded.`);
    server.limit = { accepts: 0, at, answer: () => response };
    const options = {
      smtpUrl: server.url,
      dataDir: "",
      from: "a@firm.test",
      siteUrl: testSite.url,
    };
    const mailer = createMailer(options);
    const message: MailMessage = {
      deliveryId: "one",
      date: new Date().toISOString(),
      to: { name: "", address: to },
      subject: "Hello",
      text: "Words.",
      html: html`<p>Words.</p>`,
    };
    read[name] = await mailer.send(message).then(
      () => "accepted",
      (error) => meaningOfError(error, to),
    );
    mailer.close();
  }
  const meant = Object.entries(provocations).map(([name, { means }]) => [name, means]);
  expect(read).toEqual(Object.fromEntries(meant));
});

const returnPaths = createReturnPaths("bounces@news.firm.test");

describeOnEachDatabase("recorded reports", (database) => {
  test("each recorded report is charged to the address or to nobody", async () => {
    const { db } = database;
    const names = Object.keys(returned);
    await addSubscribers(db, names.length);
    const mails = await sentMails(database, returnPaths);
    const server = await startImapServer();
    onTestFinished(() => server.close());
    for (const [index, name] of names.entries()) {
      const mail = mails[index];
      if (!mail) throw new Error("A subscriber is missing.");
      const text = readFileSync(path.join(wordsFolder, reportFile(name)), "utf8")
        .replaceAll("{returnPath}", mail.returnPath)
        .replaceAll("{address}", mail.address);
      server.add(Buffer.from(text.replaceAll("\n", "\r\n")));
    }
    const outcomes: string[] = [];
    const write = (line: string) => outcomes.push(JSON.parse(line).outcome);
    const log = pino({}, { write });
    const mailbox = createBounceMailbox({ db, log, url: server.url, returnPaths, pollMs: 50 });
    mailbox.start();
    onTestFinished(() => mailbox.stop());
    await until(() => outcomes.length === names.length);
    const bounces = await db.selectFrom("bounces").select(["mailbox_key", "kind"]).execute();
    const read = names.map((name, index) => {
      const charged = bounces.find(({ mailbox_key }) => mailbox_key === mails[index]?.address);
      return [name, [outcomes[index], charged?.kind].filter(Boolean).join(", ")];
    });
    const meant = names.map((name) => [name, returned[name]?.outcome]);
    expect(Object.fromEntries(read)).toEqual(Object.fromEntries(meant));
  });
});
