import { writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, expect, it } from "vitest";
import { shortTorontoTime, torontoDay, torontoMoment } from "#content/toronto-time.ts";
import { openDatabase } from "#db/open-database.ts";
import { cancelSend } from "#newsletter/sends/sends.ts";
import { newDkimKey } from "#tests/dkim-key.ts";
import { mailerForEachTest } from "#tests/mailer-for-each-test.ts";
import { beginTestSends, queueTestSend } from "#tests/sends/queue-test-send.ts";
import { addSubscribers } from "#tests/sends/subscribers.ts";
import { runCommand } from "#tests/site-commands.ts";
import { folderForEachTest } from "#tests/test-folder.ts";

/** An hour in three weeks, on Toronto's clocks. */
const day = torontoDay(Date.now() + 20 * 86_400_000);
const hour = `${day} 07:30`;
const said = shortTorontoTime(torontoMoment(`${day}T07:30`)?.toISOString() ?? "");
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

it("says what will happen, asks, queues, pauses and goes on", async () => {
  await withReaders(300);
  const unasked = await site("issues", "send", "2", "--at", hour);
  expect(unasked).toMatchObject({ exitCode: 2, stdout: "" });
  expect(unasked.stderr).toMatch(/From +Chalkline <matrix@news.plumbline.ca>/);
  expect(unasked.stderr).toContain(`to 300 confirmed subscribers on ${said}? Nobody can be asked`);
  const at = ["--at", hour, "--yes", "--json"];
  const queued = JSON.parse((await site("issues", "send", "2", ...at)).stdout);
  expect(queued).toMatchObject({ send: 1, readers: 300, seconds: 150 });
  expect((await site("sends", "show", "1")).stdout).toMatch(
    new RegExp(`Waiting for ${said}[\\s\\S]*To go +300`),
  );
  expect((await site("issues", "send", "2", "--yes")).stderr).toContain("has not ended yet");
  expect((await site("sends", "pause", "1")).stdout).toContain("Paused.");
  expect((await site("sends", "pause", "1")).stderr).toContain(
    "It can’t be paused as it stands now",
  );
  expect((await site("sends", "resume", "1")).stdout).toBe("It goes on.\n");
  expect((await site("sends", "show", "5")).stderr).toContain("There is no send 5");

  const open = await openDatabase({ dataDir: env.DATA_DIR ?? "", databaseUrl: null });
  await queueTestSend(open.db, { issueId: 3 });
  await beginTestSends(open);
  await cancelSend(open.db, { id: 2, now: new Date() });
  await open.close();
  const rows = (await site("sends", "show", "2", "--rows")).stdout;
  expect(rows).toMatch(/Message-ID[\s\S]+ [0-9a-f-]{36}\.\d+/);
  const again = await site("issues", "send", "3");
  expect(again.stderr).toContain("to 300 confirmed subscribers who have not been sent it now?");
});

it("says what is wrong: the id, the date, the audience, the settings", async () => {
  const refusal = async (...options: string[]) =>
    (await site("issues", "send", ...options, "--yes")).stderr;
  expect(await refusal("99")).toContain("There is no such issue");
  expect(await refusal("1")).toContain("There is no confirmed subscriber");
  await withReaders(1);
  expect(await refusal("1", "--at", "2020-01-01 10:00")).toContain("is over in Toronto");
  expect(await refusal("1", "--at", "2040-11-30 07:30")).toContain("Look at the year.");
  const row = { id: 50, title: "Deep", content_markdown: "<div>".repeat(600) };
  const stdin = JSON.stringify([{ ...row, publish_date: "2026-11-09" }]);
  await runCommand(["issues", "import", "-"], { env, stdin });
  expect(await refusal("50")).toMatch(/^Its mail can’t be composed: .* nested deeper/);
  env = { DATA_DIR: env.DATA_DIR ?? "" };
  const unset = await site("issues", "send", "1", "--yes");
  expect(unset.exitCode).toBe(2);
  for (const words of ["mail server", "address of its own", "street", "postal code"]) {
    expect(unset.stderr).toContain(words);
  }
});

it("mails a test to one address with the headers of an issue, signed", async () => {
  const keyFile = path.join(folder.path, "dkim.pem");
  await writeFile(keyFile, newDkimKey().privateKey);
  const signed = { DKIM_DOMAIN: "plumbline.ca", DKIM_SELECTOR: "mail2026", DKIM_KEY_FILE: keyFile };
  Object.assign(env, signed);
  const sent = await site("issues", "send", "1", "--test", "me@example.com");
  expect(sent.stdout).toContain("on its way to me@example.com");
  const [mail] = mailing.server.received;
  expect(mail).toMatchObject({ to: ["me@example.com"], from: "matrix@news.plumbline.ca" });
  expect(mail?.email.subject).toMatch(/^\[Test\] /);
  expect(mail?.email.text).toContain("Issue #1");
  const headers = Object.fromEntries(
    mail?.email.headers.map(({ key, value }) => [key, value]) ?? [],
  );
  expect(headers).toMatchObject({
    "list-unsubscribe":
      "<https://www.plumbline.ca/newsletter/unsubscribe?token=test>, <mailto:office@plumbline.ca?subject=Unsubscribe%20from%20The%20Matrix>",
    "list-unsubscribe-post": "List-Unsubscribe=One-Click",
    "list-id": "The Matrix <the-matrix.www.plumbline.ca>",
    "message-id": expect.stringMatching(/^<test-[\w-]+@news\.plumbline\.ca>$/),
    "dkim-signature": expect.stringMatching(/d=plumbline\.ca;.* s=mail2026;/s),
  });
  expect(headers).not.toHaveProperty("auto-submitted");
  expect((await site("sends", "show", "1")).exitCode).toBe(1);
});
