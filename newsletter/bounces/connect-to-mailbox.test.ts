import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ImapServer, imapCertificate, startImapServer } from "#tests/sends/imap-server.ts";
import { connectToMailbox } from "./bounce-mailbox.ts";

const trustedBefore = getCACertificates("default");
/** Written so, it is not taken for this machine, and is what another host is. */
const elsewhere = "LOCALHOST";

let server: ImapServer;

async function start(encryption: "none" | "tls" | "starttls") {
  server = await startImapServer({ encryption });
  server.add(Buffer.from("Subject: Hello\r\n\r\n"));
}

const urlOf = (scheme: "imap" | "imaps", host: string) =>
  `${scheme}://bounces%40news.chalkline.example:secret@${host}:${server.port}/INBOX`;

async function countMessages(url: string): Promise<number> {
  const client = await connectToMailbox(url);
  const { exists } = await client.mailboxOpen("INBOX");
  await client.logout();
  return exists;
}

beforeEach(() => {
  setDefaultCACertificates([...trustedBefore, imapCertificate]);
});

afterEach(async () => {
  setDefaultCACertificates(trustedBefore);
  await server.close();
});

/** Neither in words nor in base64, which some ways to sign in have. */
function expectNoSignIn() {
  expect(server.commands.filter((command) => /^(?:LOGIN|AUTHENTICATE)/.test(command))).toEqual([]);
  expect(server.inClear.join("\n")).not.toMatch(/secret|c2VjcmV0/);
}

test("imaps signs in over TLS, from the first byte on", async () => {
  await start("tls");
  expect(await countMessages(urlOf("imaps", "localhost"))).toBe(1);
  expect(server.inClear).toEqual([]);
});

test("imap signs in after STARTTLS, and sends nothing else before it in clear", async () => {
  await start("starttls");
  expect(await countMessages(urlOf("imap", elsewhere))).toBe(1);
  expect(server.commands.slice(0, 2)).toEqual(["CAPABILITY", "STARTTLS"]);
  expect(server.commands).toContain("LOGIN");
  expect(server.inClear).toHaveLength(2);
  expect(server.inClear.join("\n")).not.toContain("secret");
});

test("another host without encryption gets no password", async () => {
  await start("none");
  await expect(connectToMailbox(urlOf("imap", elsewhere))).rejects.toThrow("STARTTLS");
  expectNoSignIn();
});

for (const [scheme, encryption] of [
  ["imaps", "tls"],
  ["imap", "starttls"],
] as const) {
  test(`a server with an unknown certificate gets no password over ${encryption}`, async () => {
    setDefaultCACertificates(trustedBefore);
    await start(encryption);
    await expect(connectToMailbox(urlOf(scheme, elsewhere))).rejects.toThrow("self-signed");
    expectNoSignIn();
  });

  test(`a server with another host's certificate gets no password over ${encryption}`, async () => {
    await start(encryption);
    await expect(connectToMailbox(urlOf(scheme, "127.0.0.1"))).rejects.toThrow("altnames");
    expectNoSignIn();
  });
}
