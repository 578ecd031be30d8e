import { afterEach, beforeEach, expect, test } from "vitest";
import { type ImapServer, startImapServer } from "#tests/sends/imap-server.ts";
import { checkBounceMailbox } from "./check-machine.ts";

let server: ImapServer;

beforeEach(async () => {
  server = await startImapServer();
});

afterEach(async () => {
  await server.close();
});

const check = (url: string) =>
  checkBounceMailbox({ bounceMailbox: { url, address: "bounces@news.chalkline.example" } });

test("a bounce mailbox that opens is well, and what was left in it for a person is said", async () => {
  server.add(Buffer.from("Subject: Hello\r\n\r\n"));
  expect(await check(server.url)).toMatchObject({ state: "ok" });
  server.messages[0]?.flags.add("\\Flagged");
  const finding = await check(server.url);
  expect(finding).toMatchObject({
    state: "note",
    message: expect.stringContaining("1 message is"),
  });
  expect(server.commands.join()).not.toContain("STORE");
});

test("one that refuses the sign-in needs attention, in the server's words and without the password", async () => {
  const finding = await check(server.url.replace("secret@", "wrong-one@"));
  expect(finding).toMatchObject({
    state: "attention",
    message: expect.stringContaining("wrong password"),
  });
  expect(JSON.stringify(finding)).not.toContain("wrong-one");
});

test("where none is set, nothing is said", async () => {
  expect(await checkBounceMailbox({ bounceMailbox: null })).toBeNull();
});
