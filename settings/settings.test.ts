import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { newFolder } from "#tests/test-folder.ts";
import { settingFiles } from "../scripts/write-settings.ts";
import {
  describeMistake,
  type Environment,
  loadEnvironment,
  readConfig,
  siteSettings,
} from "./settings.ts";

function configOf(env: Environment) {
  const result = readConfig(env);
  if (!result.ok) throw new Error(JSON.stringify(result.mistakes));
  return result;
}

function mistakesOf(env: Record<string, string>) {
  const result = readConfig(env);
  return result.ok ? [] : result.mistakes;
}

test("needs nothing: every setting has a default", () => {
  const { config, unset } = configOf({});
  expect(config).toMatchObject({
    port: 3000,
    host: null,
    mailFrom: "hello@chalkline.example",
    contactTo: "hello@chalkline.example",
  });
  expect(config.dataDir).toMatch(/[/\\]data$/);
  expect(unset.map(({ setting }) => setting)).toContain("SITE_PHONE");
  expect(unset.map(({ setting }) => setting)).not.toContain("WEBHOOK_SECRET");
  // The port that was really taken.
  const standIn = "http://localhost:40123/contact#discovery-call";
  expect(siteSettings(config, 40123)).toMatchObject({
    url: "http://localhost:40123",
    phone: "+1 416 555 0142",
    scheduling: { assetHost: "", url: standIn, contactUrl: standIn },
  });
  // An example isn't taken for the firm's own.
  expect(siteSettings({ ...config, siteUrl: "https://firm.example" }).phone).toBe("");
});

test("takes values as people write them", () => {
  const { config, warnings } = configOf({
    SITE_NAME: '"Planks"',
    SITE_URL: "'https://www.plumbline.ca/'",
    SITE_PHONE: "(416) 555-0199",
    SITE_POSTAL_CODE: "m5h1a1",
    SITE_COLOUR: "#164",
    SCHEDULING_CONTACT_URL: "https://calendly.com/plumbline/30min",
    DATABASE_URL: "postgres://site:pw@db:5432/site",
    BOUNCE_MAILBOX: "imaps://user:pw@imap.example.com/?address=back@example.com",
    TRUSTED_PROXIES: "10.0.0.0/8, ::1",
    DESK_ADDRESS: "https://desk.plumbline.ca",
    DATA_DIR: "~/sitedata",
    SITE_LOGO: "public/favicon.svg",
  });
  expect(config).toMatchObject({
    siteName: "Planks",
    siteUrl: "https://www.plumbline.ca",
    sitePostalCode: "M5H 1A1",
    siteColour: "#116644",
    trustedProxies: ["10.0.0.0/8", "::1"],
    bounceMailbox: { address: "back@example.com" },
    dataDir: path.join(homedir(), "sitedata"),
    siteLogo: { type: "svg" },
  });
  const url = "https://calendly.com/plumbline/30min";
  const scheduling = { assetHost: "https://assets.calendly.com", url, contactUrl: url };
  expect(siteSettings(config)).toMatchObject({ scheduling });
  expect(warnings).toEqual([]);
});

test.each([
  ["SITE_URL", "https://user:pw@example.com"],
  ["SITE_EMAIL", "not an address"],
  ["SITE_POSTAL_CODE", "90210"],
  ["SITE_COLOUR", "#ffcc00"],
  ["SITE_LOGO", "package.json"],
  ["SITE_PROFILE_URL", "javascript:alert(1)"],
  ["DATABASE_URL", "mysql://u:p@db/site"],
  ["DATABASE_URL", "postgres://u:pw@cr#et@db/site"],
  ["DESK_ADDRESS", "http://desk.example.com"],
  ["DESK_ADDRESS", "https://192.0.2.7"],
  ["SMTP_URL", "mail.example.com:25"],
  ["BOUNCE_MAILBOX", "imaps://bounces%40example.com@imap.example.com"],
  ["WEBHOOK_SECRET", "whsec_c2hvcnQ="],
  ["TRUSTED_PROXIES", "10.0.0.0/33"],
  ["DATA_DIR", "$HOME/sitedata"],
])("refuses %s=%s, without repeating it", (name, value) => {
  const mistakes = mistakesOf({ [name]: value });
  expect(mistakes.map((mistake) => mistake.name)).toEqual([name]);
  expect(mistakes.map(describeMistake).join()).not.toContain(value);
});

test("warns of a misspelled name in its file, and of an https address without trusted proxies", () => {
  const warningsOf = (env: Record<string, string>) =>
    configOf(env).warnings.map(({ name }) => name);
  const file = path.join(newFolder(), ".env");
  writeFileSync(file, "SITE_EMIAL=x\nsite_url=x\nNODE_EXTRA_CA_CERTS=x\nSITE_NAME=Planks\n");
  expect(configOf(loadEnvironment(path.dirname(file))).warnings.map(describeMistake)).toEqual([
    "SITE_EMIAL is not a setting, so it does nothing.",
    "site_url is not a setting, so it does nothing.",
  ]);
  const SITE_URL = "https://plumbline.ca";
  expect(warningsOf({ SITE_URL })).toEqual(["TRUSTED_PROXIES"]);
  expect(warningsOf({ SITE_URL, TRUSTED_PROXIES: "127.0.0.1" })).toEqual([]);
});

test("the form to fill in and the operator's table are those of the settings", () => {
  for (const { file, text } of settingFiles()) {
    expect(readFileSync(file, "utf8"), "npm run settings writes it").toBe(text);
  }
});

const text = "SITE_URL=https://www.example.com\nSITE_NAME=Planks\n";
const isRead = "is read right";

test.each<[spelling: string, said: string, content: string | Buffer | null]>([
  ["as an editor on Linux writes it", isRead, text],
  [
    "as UTF-16, as PowerShell writes it",
    "line 1, has a letter",
    Buffer.from(`\ufeff${text}`, "utf16le"),
  ],
  ["with export", isRead, text.replace(/^(?=.)/gm, "export ")],
  ["with quotes and a # in them", isRead, `${text.replace(/=(.*)/g, '="$1"')}SITE_COLOUR="#164"\n`],
  ["with remarks", isRead, `# us\n\n${text.replace("Planks", "Planks # see task#12")}`],
  [
    "in Windows' own letters",
    "line 3, has a letter",
    Buffer.from(`${text}SITE_STREET=é\n`, "latin1"),
  ],
  ["with a # in a password", "SMTP_URL is cut off", "SMTP_URL=smtp://me:pa#ss@mail.example.com\n"],
  ["that is a folder", "can't be read: it is a folder.", null],
])("a .env file %s: %s", (_spelling, said, content) => {
  const folder = newFolder();
  const file = path.join(folder, ".env");
  if (content === null) mkdirSync(file);
  else writeFileSync(file, content);
  const read = readConfig(loadEnvironment(folder));
  if (said === isRead) {
    expect(read).toMatchObject({
      config: { siteUrl: "https://www.example.com", siteName: "Planks" },
    });
    return;
  }
  const found = read.ok ? read.warnings : read.mistakes;
  expect(found.map(describeMistake).join("\n")).toContain(said);
});
