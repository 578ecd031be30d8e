import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { dkimVerify } from "mailauth/lib/dkim/verify.js";
import { beforeEach, expect, it } from "vitest";
import { torontoDay } from "#content/toronto-time.ts";
import { openDatabase } from "#db/open-database.ts";
import { newDkimKey } from "#tests/dkim-key.ts";
import { mailerForEachTest } from "#tests/mailer-for-each-test.ts";
import { beginTestSends, queueTestSend } from "#tests/sends/queue-test-send.ts";
import { addSubscribers } from "#tests/sends/subscribers.ts";
import { runCommand } from "#tests/site-commands.ts";
import { folderForEachTest } from "#tests/test-folder.ts";

/** Hours of the next weeks, on Toronto's clocks. */
const [hour, laterHour] = [20, 30].map(
  (days) => `${torontoDay(Date.now() + days * 86_400_000)} 07:30`,
) as [string, string];
const folder = folderForEachTest();
const mailing = mailerForEachTest();
let env: Record<string, string>;

beforeEach(async () => {
  env = {
    DATA_DIR: path.join(folder.path, "data"),
    SMTP_URL: mailing.server.url,
    SITE_URL: "https://www.plumbline.ca",
    SITE_EMAIL: "office@plumbline.ca",
    SITE_STREET: "22 King St. W.",
    SITE_POSTAL_CODE: "M5H 1A1",
    MAIL_FROM_NEWSLETTER: "matrix@news.plumbline.ca",
    SMTP_RATE: "2",
  };
  await site("db", "migrate");
});

async function site(...commandLine: string[]) {
  return await runCommand(commandLine, { env });
}

async function withReaders(count: number) {
  const open = await openDatabase({ dataDir: env.DATA_DIR ?? "", databaseUrl: null });
  await addSubscribers(open.db, count);
  await open.close();
}

it("says what would happen, queues, and steers what it has queued", async () => {
  await withReaders(300);
  const plan = await site("issues", "send", "2", "--dry-run", "--at", hour);
  expect(plan.stdout).toMatch(/To +300 confirmed subscribers/);
  expect(plan.stdout).toMatch(/From +Chalkline <matrix@news.plumbline.ca>/);
  expect(plan.stdout).toMatch(/Takes +3 min at 2 a second/);
  expect(plan.stdout).toMatch(new RegExp(`Begins +${hour} in Toronto`));
  expect(plan.stdout).toContain("An inquiry comes in at 9:40");
  expect((await site("sends", "list")).stdout).toContain("Nothing has been sent yet");

  const unasked = await site("issues", "send", "2");
  expect(unasked).toMatchObject({ exitCode: 2 });
  expect(unasked.stderr).toContain("add --yes");
  const at = ["--at", hour, "--yes", "--json"];
  const queued = JSON.parse((await site("issues", "send", "2", ...at)).stdout);
  expect(queued).toMatchObject({ send: 1, readers: 300, seconds: 150 });
  expect((await site("sends", "show", "1")).stdout).toMatch(
    new RegExp(`waiting for ${hour}[\\s\\S]*To go +300`),
  );
  expect((await site("issues", "send", "2", "--yes")).stderr).toContain(
    "Send 1 of issue 2 has not",
  );
  expect((await site("sends", "move", "1", "--at", laterHour)).stdout).toBe(
    `Send 1 is waiting for ${laterHour} in Toronto: 300 to go.\n`,
  );
  expect((await site("sends", "pause", "1")).stdout).toContain("Send 1 is paused");
  expect((await site("sends", "pause", "1")).stderr).toContain("is paused, so it can't be paused");
  expect((await site("sends", "resume", "1")).stdout).toContain("Send 1 is resumed");
  expect((await site("sends", "cancel", "1", "--yes")).stdout).toContain("Send 1 is cancelled");
  const ended = JSON.parse((await site("sends", "list", "--json")).stdout);
  expect(ended.sends).toMatchObject([{ state: "cancelled", issueId: 2 }]);

  // It has mailed nobody; one that had begun may have.
  expect((await site("issues", "send", "2", "--dry-run")).stdout).toMatch(/To +300 confirmed/);
  const open = await openDatabase({ dataDir: env.DATA_DIR ?? "", databaseUrl: null });
  await queueTestSend(open.db, { issueId: 2 });
  await beginTestSends(open);
  await open.close();
  const rows = (await site("sends", "show", "2", "--rows")).stdout;
  expect(rows).toMatch(/Message-ID[\s\S]+ [0-9a-f-]{36}\.\d+/);
  expect((await site("sends", "move", "2", "--at", hour)).stderr).toContain(
    "Send 2 is sending, so it can't be moved",
  );
  await site("sends", "cancel", "2", "--yes");
  const refused = await site("issues", "send", "2", "--yes");
  expect(refused.stderr).toContain("(send 2, cancelled before its end)");
  expect(refused.stderr).toContain("have not been sent it: 300. --only-new");
  const rest = await site("issues", "send", "2", "--only-new", "--dry-run");
  expect(rest.stdout).toMatch(/To +300 confirmed subscribers who have not been sent it/);
});

it("says before it is sent what will not work in a mailbox, and which issue the site calls by that number", async () => {
  await withReaders(2);
  const letter =
    '<p>Dear [FIRST NAME], <a href="forms.html">forms</a> <span style="color:#fff">now</span></p>';
  await runCommand(["issues", "publish", "-", "--format", "html", "--title", "Forms"], {
    env,
    stdin: letter,
  });
  await site("issues", "remove", "1", "--yes");
  const { stdout } = await site("issues", "send", "3", "--dry-run");
  expect(stdout).toContain('On the site, #3 is another issue: 4, "Forms".');
  const plan = (await site("issues", "send", "4", "--dry-run")).stdout;
  for (const words of [
    "Left out, as on the page: 1 × link with an incomplete address: forms.html",
    "looks like a merge tag: [FIRST NAME]",
    "1 passage in a colour that can't be read",
  ]) {
    expect(plan).toContain(words);
  }
});

it("says what is wrong: the id, the date, the audience, the settings", async () => {
  expect((await site("issues", "send", "99")).stderr).toContain("There is no issue with id 99");
  expect((await site("issues", "send", "1")).stderr).toContain(
    "There are no confirmed subscribers",
  );
  await withReaders(1);
  const past = await site("issues", "send", "1", "--at", "2020-01-01 10:00");
  expect(past.stderr).toContain("2020-01-01 10:00 is over");
  const decade = await site("issues", "send", "1", "--at", "2040-11-30 07:30", "--yes");
  expect(decade.stderr).toContain("2040-11-30 07:30 is more than a year ahead. Look at the year.");
  expect((await site("issues", "send", "1", "--at", "soon")).stderr).toContain("YYYY-MM-DD HH:MM");
  expect((await site("sends", "show", "5")).stderr).toContain("There is no send 5");
  env = { DATA_DIR: env.DATA_DIR ?? "" };
  const unset = await site("issues", "send", "1", "--yes");
  expect(unset.exitCode).toBe(2);
  for (const name of ["SMTP_URL", "SITE_URL", "SITE_STREET", "SITE_POSTAL_CODE"]) {
    expect(unset.stderr).toContain(name);
  }
});

it("mails a test to one address with the headers of an issue, signed so that others can verify it", async () => {
  const { privateKey, record } = newDkimKey();
  const keyFile = path.join(folder.path, "dkim.pem");
  await writeFile(keyFile, privateKey);
  Object.assign(env, {
    DKIM_DOMAIN: "plumbline.ca",
    DKIM_SELECTOR: "mail2026",
    DKIM_KEY_FILE: keyFile,
  });
  const sent = await site("issues", "send", "1", "--test", "me@example.com");
  expect(sent.stdout).toContain("Sent to me@example.com");
  const [mail] = mailing.server.received;
  if (!mail) throw new Error("No mail came.");
  expect(mail.to).toEqual(["me@example.com"]);
  expect(mail.from).toBe("matrix@news.plumbline.ca");
  expect(mail.email.subject).toMatch(/^\[Test\] /);
  expect(mail.email.text).toContain("Issue #1");
  const header = (key: string) => mail.email.headers.find((one) => one.key === key)?.value;
  expect(header("list-unsubscribe")).toBe(
    "<https://www.plumbline.ca/newsletter/unsubscribe?token=test>, <mailto:office@plumbline.ca?subject=Unsubscribe%20from%20The%20Matrix>",
  );
  expect(header("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
  expect(header("list-id")).toBe("The Matrix <the-matrix.www.plumbline.ca>");
  expect(header("feedback-id")).toBe("issue-1:test:newsletter:chalkline");
  expect(header("message-id")).toMatch(/^<test-[\w-]+@news\.plumbline\.ca>$/);
  expect(header("auto-submitted")).toBeUndefined();

  const { results } = await dkimVerify(mail.source, {
    resolver: async (name: string) => {
      expect(name).toBe("mail2026._domainkey.plumbline.ca");
      return [[record]];
    },
  });
  const [signature] = results;
  expect(signature?.status.result).toBe("pass");
  expect(signature?.signingHeaders?.keys.toLowerCase()).toMatch(
    /list-unsubscribe: list-unsubscribe-post/,
  );
  expect((await site("sends", "list")).stdout).toContain("Nothing has been sent yet");
});

it("writes a test to a file where there is no mail server", async () => {
  env = { DATA_DIR: env.DATA_DIR ?? "" };
  const sent = await site("issues", "send", "3", "--test", "me@example.com");
  expect(sent.stdout).toContain("Written to a file");
  const mailFolder = path.join(env.DATA_DIR ?? "", "mail");
  const [file = ""] = await readdir(mailFolder);
  expect(await readFile(path.join(mailFolder, file), "utf8")).toContain("Subject: [Test]");
});
