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

describeOnEachDatabase("bounce mailboxes", (database) => {
  test("each mail is read once, whoever opened it before, and none is marked", async () => {
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
    for (const { flags } of server.messages) flags.add("\\Seen");
    read(database.db);
    await until(() => outcomes.length === 4);
    expect(outcomes).toEqual(["recorded", "nothing", "unproven", "known"]);
    await mailboxes.pop()?.stop();
    server.add(gmailReport(second));
    read(database.db);
    await until(() => outcomes.length === 5);
    expect(outcomes.at(-1)).toBe("recorded");
    const bounced = database.db.selectFrom("subscribers").where("bounced_at", "is not", null);
    expect(await bounced.select("id").execute()).toHaveLength(2);
    const asked = (name: string) => server.commands.filter((command) => command.startsWith(name));
    expect(asked("UID FETCH")).toHaveLength(5);
    expect(asked("UID STORE")).toEqual([]);
  });

  test("the log names one that can't be opened without its password, and it is asked again", async () => {
    read(database.db, server.url.replace("secret@", "wrong-one@"));
    const logins = () => server.commands.filter((command) => command === "LOGIN").length;
    await until(() => logins() >= 2);
    await until(() => logged.length >= 2);
    expect(logged.join("")).toContain("can't be read");
    expect(logged.join("")).not.toContain("wrong-one");
  });
});
