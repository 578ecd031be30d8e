import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import PostalMime from "postal-mime";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type MailServer, startMailServer } from "#tests/mail-server.ts";
import { folderForEachTest } from "#tests/test-folder.ts";
import { createMailer, type Mailer, type MailMessage } from "./create-mailer.ts";
import { html } from "./mail-document.ts";
import { RefusedDeliveryError } from "./outbox-jobs.ts";

const message: MailMessage = {
  deliveryId: "0b1c3f5e-0000-4000-8000-000000000001",
  date: "2026-11-21T14:05:09.123Z",
  to: "desk@chalkline.example",
  subject: "A line",
  text: "As text",
  html: html`<p>As markup</p>`,
};
const messageId = "<0b1c3f5e-0000-4000-8000-000000000001@chalkline.example>";

let server: MailServer;
let mailer: Mailer;
const folder = folderForEachTest();

beforeEach(async () => {
  server = await startMailServer();
  mailer = makeMailer(server.url);
});

afterEach(async () => {
  mailer.close();
  await server.close();
});

function makeMailer(smtpUrl: string | null) {
  const from = "Chalkline <site@chalkline.example>";
  const dataDir = folder.path;
  return createMailer({ smtpUrl, dataDir, from, siteUrl: "https://chalkline.example:8443" });
}

test("a connection that breaks before the server's answer is a failure, made once", async () => {
  server.mode = "drop";
  await expect(mailer.send(message)).rejects.toThrow();
  expect(server.received).toHaveLength(1);
  server.mode = "accept";
  await mailer.send(message);
  expect(server.received.map((mail) => mail.email.messageId)).toEqual([messageId, messageId]);
  // By the site's own name, whatever the machine is called.
  expect(server.received[1]?.greeting).toBe("chalkline.example");
});

test("without a server, a message becomes one file that only the owner reads, and a repeat replaces it", async () => {
  const filing = makeMailer(null);
  await filing.send(message);
  await filing.send({ ...message, text: "Again" });
  const mails = path.join(folder.path, "mail");
  const files = await readdir(mails);
  expect(files).toEqual(["2026-11-21T14-05-09-123Z-0b1c3f5e-0000-4000-8000-000000000001.eml"]);
  const file = path.join(mails, files[0] ?? "");
  const source = await readFile(file, "utf8");
  const email = await PostalMime.parse(source);
  expect(email).toMatchObject({ messageId, subject: "A line", text: "Again\n" });
  expect(source.replaceAll("\r\n", "")).not.toContain("\n");
  if (process.platform !== "win32") expect((await stat(file)).mode & 0o077).toBe(0);
});

test("a message that can't be filed is a failure and leaves nothing behind", async () => {
  const filing = makeMailer(null);
  await expect(filing.send({ ...message, deliveryId: "../../outside" })).rejects.toThrow();
  expect(await readdir(folder.path)).toEqual([]);
});

test("no text of a message reads a file of this machine", async () => {
  const path = "/etc/hostname";
  const text = { path } as unknown as string;
  await expect(mailer.send({ ...message, text })).rejects.toThrow(/File access rejected/);
});

test.each([
  ["reject", true, "550 5.1.1 No such user here"],
  ["defer", false, "451 4.7.1"],
  ["busy", false, "421 4.3.2"],
] as const)("of a server's %s it is said that it is for good, %s, in its words", async (...row) => {
  const [mode, isForGood, words] = row;
  server.mode = mode;
  const error = await mailer.send(message).catch((caught: unknown) => caught);
  expect(error instanceof RefusedDeliveryError).toBe(isForGood);
  expect(error).toMatchObject({ message: expect.stringContaining(words) });
});
