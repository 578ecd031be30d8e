import { expect, it } from "vitest";
import { readConfig } from "#server/config.ts";
import { checkSendingDomain, type MailDns } from "./check-sending-domain.ts";

const settings = {
  SMTP_URL: "smtps://user:pw@mail.provider.example:465",
  MAIL_FROM_NEWSLETTER: "matrix@news.plumbline.ca",
  DKIM_DOMAIN: "plumbline.ca",
  DKIM_SELECTOR: "mail2026",
  DKIM_KEY_FILE: "key.pem",
};

function configOf(env: Record<string, string>) {
  const read = readConfig(env);
  if (!read.ok) throw new Error(read.mistakes.join("\n"));
  return read.config;
}

/** A zone as a table; what isn't in it doesn't exist. */
function zone(records: Record<string, string[]>): MailDns {
  const look = async (name: string) => {
    const found = records[name];
    if (!found) throw Object.assign(new Error(`ENOTFOUND ${name}`), { code: "ENOTFOUND" });
    return found;
  };
  return {
    // A long record comes in pieces.
    resolveTxt: async (name) => (await look(name)).map((text) => text.match(/.{1,20}/g) ?? []),
    resolve4: (async (name: string) => await look(name)) as MailDns["resolve4"],
    reverse: look,
  };
}

const sound = {
  "news.plumbline.ca": ["v=spf1 include:provider.example ~all", "other=1"],
  "mail2026._domainkey.plumbline.ca": ["v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A"],
  "_dmarc.plumbline.ca": ["v=DMARC1; p=none"],
  "mail.provider.example": ["203.0.113.7"],
  "203.0.113.7": ["out7.provider.example"],
  "out7.provider.example": ["203.0.113.7"],
};

async function findings(records: Record<string, string[]>, env: Record<string, string> = settings) {
  const found = await checkSendingDomain(configOf(env), zone(records));
  return Object.fromEntries(found.map(({ about, state, message }) => [about, [state, message]]));
}

it("finds what other mail servers ask for", async () => {
  const found = await findings(sound);
  expect(Object.values(found).map(([state]) => state)).toEqual(["ok", "ok", "ok", "ok"]);
});

it("says what is missing, a line each", async () => {
  expect(await findings({})).toMatchObject({
    SPF: ["attention", "news.plumbline.ca doesn't say which servers may send for it."],
    DKIM: ["attention", expect.stringContaining("mail2026._domainkey.plumbline.ca has no key")],
    DMARC: ["attention", expect.stringContaining("has no DMARC record")],
    "Reverse name": ["attention", "mail.provider.example has no address in DNS."],
  });
});

it.each([
  [{ "news.plumbline.ca": ["v=spf1 -all", "v=spf1 ~all"] }, "SPF", "has 2 SPF records"],
  [{ "news.plumbline.ca": ["v=spf1 +all"] }, "SPF", "lets every server send"],
  [{ "mail2026._domainkey.plumbline.ca": ["v=DKIM1; p="] }, "DKIM", "has no key"],
  [{ "out7.provider.example": ["203.0.113.8"] }, "Reverse name", "which leads elsewhere"],
])("%j isn't sound", async (changed, about, words) => {
  const found = await findings({ ...sound, ...changed });
  expect(found[about]?.[0]).not.toBe("ok");
  expect(found[about]?.[1]).toContain(words);
});

it("looks nothing up where no mail goes out, or only to this machine", async () => {
  expect(await findings({}, {})).toEqual({});
  expect(await findings({}, { SMTP_URL: "smtp://127.0.0.1:2525" })).toEqual({});
});
