import { expect, onTestFinished, test } from "vitest";
import { startImapServer } from "#tests/sends/imap-server.ts";
import { checkBounceMailbox } from "./check-machine.ts";

const check = (url: string) =>
  checkBounceMailbox({ bounceMailbox: { url, address: "bounces@news.chalkline.example" } });

test("a bounce mailbox that opens is well, and what was left in it for a person is said", async () => {
  const server = await startImapServer();
  onTestFinished(() => server.close());
  server.add(Buffer.from("Subject: Hello\r\n\r\n"));
  expect(await check(server.url)).toMatchObject({ state: "ok" });
  server.messages[0]?.flags.add("\\Flagged");
  const finding = await check(server.url);
  expect(finding).toMatchObject({
    state: "note",
    message: expect.stringContaining("1 message is"),
  });
  expect(server.commands.join()).not.toContain("STORE");

  // In the server's words and without the password.
  const refused = await check(server.url.replace("secret@", "wrong-one@"));
  const message = expect.stringContaining("wrong password");
  expect(refused).toMatchObject({ state: "attention", message });
  expect(JSON.stringify(refused)).not.toContain("wrong-one");
  expect(await checkBounceMailbox({ bounceMailbox: null })).toBeNull();
});
