import pino from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { RecurringWork } from "#db/recurring-work.ts";
import { describeOnEachDatabase, type TestDatabase } from "#tests/databases.ts";
import { type ImapServer, startImapServer } from "#tests/sends/imap-server.ts";
import { gmailReport, postfixReport } from "#tests/sends/mail-reports.ts";
import { sentMails } from "#tests/sends/sent-mails.ts";
import { addSubscribers } from "#tests/sends/subscribers.ts";
import { until } from "#tests/until.ts";
import { createBounceMailbox, createReturnPaths } from "./bounce-mailbox.ts";

const returnPaths = createReturnPaths("bounces@news.chalkline.example");

let server: ImapServer;
const mailboxes: RecurringWork[] = [];
const logged: string[] = [];
const outcomes: string[] = [];

beforeEach(async () => {
  server = await startImapServer();
  logged.length = 0;
  outcomes.length = 0;
});

afterEach(async () => {
  for (const mailbox of mailboxes.splice(0)) await mailbox.stop();
  await server.close();
});

function keepLine(line: string) {
  logged.push(line);
  const { outcome } = JSON.parse(line);
  if (outcome) outcomes.push(outcome);
}

function read(db: TestDatabase["db"], url = server.url) {
  const mailbox = createBounceMailbox({
    db,
    log: pino({}, { write: keepLine }),
    url,
    returnPaths,
    pollMs: 50,
  });
  mailboxes.push(mailbox);
  mailbox.start();
}

async function sent(database: TestDatabase, subscribers: number) {
  await addSubscribers(database.db, subscribers);
  return await sentMails(database, returnPaths);
}

const flags = () => server.messages.map((message) => [...message.flags]);

describeOnEachDatabase("bounce mailboxes", (database) => {
  test("each mail in the bounce mailbox is read once, and one that isn't understood is flagged and left", async () => {
    const [first, second] = await sent(database, 2);
    server.add(postfixReport(first));
    server.add(Buffer.from("Subject: Hello\r\n\r\nIs anybody there?\r\n"));
    server.add(
      postfixReport({
        ...second,
        returnPath: first.returnPath.replace(/-.*@/, `-${"0".repeat(20)}@`),
      }),
    );
    server.add(postfixReport(first));
    read(database.db);
    await until(() => outcomes.length === 4);
    expect(outcomes).toEqual(["recorded", "unreadable", "unproven", "known"]);
    expect(flags()).toEqual([["\\Seen"], ["\\Flagged"], ["\\Flagged"], ["\\Seen"]]);
    server.add(gmailReport(second));
    await until(() => outcomes.length === 5);
    expect(outcomes.at(-1)).toBe("recorded");
    const bounced = database.db.selectFrom("subscribers").where("bounced_at", "is not", null);
    expect(await bounced.select("id").execute()).toHaveLength(2);
    expect(server.commands.filter((command) => command.startsWith("UID FETCH"))).toHaveLength(5);
  });

  test("a stored report whose mark was lost is known the next time", async () => {
    const [first] = await sent(database, 1);
    server.add(postfixReport(first));
    read(database.db);
    await until(() => outcomes.length === 1);
    for (const message of server.messages) message.flags.clear();
    await until(() => outcomes.includes("known"));
    const bounces = await database.db.selectFrom("bounces").select("kind").execute();
    expect(bounces).toEqual([{ kind: "hard" }]);
  });
});

describeOnEachDatabase("bounce mailboxes that can't be opened", (database) => {
  test("the log names the mailbox without its password, and it is asked again", async () => {
    read(database.db, server.url.replace("secret@", "wrong-one@"));
    const logins = () => server.commands.filter((command) => command === "LOGIN").length;
    await until(() => logins() >= 2);
    await until(() => logged.length >= 2);
    expect(logged.join("")).toContain("can't be read");
    expect(logged.join("")).not.toContain("wrong-one");
  });
});
