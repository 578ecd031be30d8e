import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { configOf } from "#tests/config-of.ts";
import { checkSendingDomain, type MailDns } from "./check-sending-domain.ts";

const folder = await mkdtemp(path.join(tmpdir(), "chalkline-dkim-"));
const keyFile = path.join(folder, "key.pem");
const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const publicHalf = publicKey.export({ type: "spki", format: "der" }).toString("base64");
beforeAll(() => writeFile(keyFile, privateKey.export({ type: "pkcs8", format: "pem" })));
afterAll(() => rm(folder, { recursive: true }));

const settings = {
  SMTP_URL: "smtps://user:pw@mail.provider.example:465",
  MAIL_FROM_NEWSLETTER: "matrix@news.plumbline.ca",
  DKIM_DOMAIN: "plumbline.ca",
  DKIM_SELECTOR: "mail2026",
  DKIM_KEY_FILE: keyFile,
};

type Zone = Record<string, string[] | null>;

/** A zone as a table; what isn't in it doesn't exist, and what is null isn't answered. */
function zone(records: Zone): MailDns {
  return {
    async resolveTxt(name) {
      const found = records[name];
      const code = found === null ? "ETIMEOUT" : "ENOTFOUND";
      if (!found) throw Object.assign(new Error(`${code} ${name}`), { code });
      // A long record comes in pieces.
      return found.map((text) => text.match(/.{1,20}/g) ?? []);
    },
  };
}

const sound = {
  "news.plumbline.ca": ["v=spf1 include:provider.example ~all", "other=1"],
  "mail2026._domainkey.plumbline.ca": [`v=DKIM1; k=rsa; p=${publicHalf}`],
  "_dmarc.plumbline.ca": ["v=DMARC1; p=none"],
};

async function findings(records: Zone, env: Record<string, string> = settings) {
  const found = await checkSendingDomain(configOf(env), zone(records));
  return Object.fromEntries(found.map(({ about, state, message }) => [about, [state, message]]));
}

it("finds what other mail servers ask for", async () => {
  const found = await findings(sound);
  expect(Object.values(found).map(([state]) => state)).toEqual(["ok", "ok", "ok"]);
});

it("says what is missing, a line each", async () => {
  expect(await findings({})).toMatchObject({
    SPF: ["attention", "news.plumbline.ca doesn't say which servers may send for it."],
    DKIM: ["attention", expect.stringContaining("mail2026._domainkey.plumbline.ca has no key")],
    DMARC: ["attention", expect.stringContaining("has no DMARC record")],
  });
});

it.each([
  [{ "news.plumbline.ca": ["v=spf1 -all", "v=spf1 ~all"] }, "SPF", "has 2 SPF records"],
  [{ "news.plumbline.ca": ["v=spf1 +all"] }, "SPF", "lets every server send"],
  [{ "mail2026._domainkey.plumbline.ca": ["v=DKIM1; p="] }, "DKIM", "has no key"],
  [{ "mail2026._domainkey.plumbline.ca": ["p=MIIBIjANBg"] }, "DKIM", "has another key than"],
  [{ "news.plumbline.ca": null }, "SPF", "could not be checked: ETIMEOUT news.plumbline.ca"],
])("%j isn't sound", async (changed, about, words) => {
  const found = await findings({ ...sound, ...changed });
  expect(found[about]?.[0]).not.toBe("ok");
  expect(found[about]?.[1]).toContain(words);
});

it("judges SPF by the domain that undelivered mail goes back to", async () => {
  const env = {
    ...settings,
    BOUNCE_MAILBOX: "imaps://bounces%40back.example:pw@imap.back.example",
  };
  expect((await findings(sound, env)).SPF).toEqual([
    "attention",
    "back.example doesn't say which servers may send for it.",
  ]);
  const both = { ...sound, "back.example": ["v=spf1 include:provider.example -all"] };
  expect((await findings(both, env)).SPF?.[0]).toBe("ok");
});

it("knows its key with blanks in it", async () => {
  const spaced = publicHalf.replace(/(.{60})/g, "$1 ");
  const zoneOf = { ...sound, "mail2026._domainkey.plumbline.ca": [`v=DKIM1; p= ${spaced}`] };
  expect((await findings(zoneOf)).DKIM?.[0]).toBe("ok");
  const gone = await findings(sound, { ...settings, DKIM_KEY_FILE: path.join(folder, "none") });
  expect(gone.DKIM?.[1]).toContain("is no private key");
});

it("looks nothing up where no mail goes out, or only to this machine", async () => {
  expect(await findings({}, {})).toEqual({});
  expect(await findings({}, { SMTP_URL: "smtp://127.0.0.1:2525" })).toEqual({});
});
