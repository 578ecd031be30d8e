import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { settingFiles } from "../scripts/write-settings.ts";
import { projectRoot, readConfig, siteSettings } from "./settings.ts";

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

function configOf(env: Record<string, string>) {
  const result = readConfig(env);
  if (!result.ok) throw new Error(result.mistakes.join("\n"));
  return result;
}

function mistakesOf(env: Record<string, string>): string[] {
  const result = readConfig(env);
  return result.ok ? [] : result.mistakes;
}

describe("readConfig", () => {
  test("needs nothing: every setting has a default", () => {
    const { config, unset } = configOf({});
    expect(config.port).toBe(3000);
    expect(config.host).toBeNull();
    expect(config.dataDir).toMatch(/[/\\]data$/);
    expect(config.mailFrom).toBe("hello@chalkline.example");
    expect(config.contactTo).toBe("hello@chalkline.example");
    expect(unset.map(({ setting }) => setting)).toEqual([
      "SITE_URL",
      "SITE_NAME",
      "SITE_EMAIL",
      "SITE_PHONE",
      "SITE_STREET",
      "SITE_POSTAL_CODE",
      "SITE_PROFILE_URL",
      "SCHEDULING_URL",
      "SMTP_URL",
      "NEWSLETTER_WEBHOOK_URL",
    ]);
  });

  test("takes values as people write them", () => {
    const { config, warnings } = configOf({
      SITE_URL: "https://www.plumbline.ca/",
      SITE_EMAIL: "office@plumbline.ca",
      SITE_PHONE: "(416) 555-0199",
      SITE_POSTAL_CODE: "m5h 1a1",
      SITE_COLOUR: "#0B6E4F",
      SCHEDULING_URL: "https://calendly.com/plumbline/30min",
      DATABASE_URL: "postgres://site:pw@db:5432/site",
      WEBHOOK_SECRET: secret,
      TRUSTED_PROXIES: "10.0.0.0/8, ::1",
    });
    expect(config).toMatchObject({
      siteUrl: "https://www.plumbline.ca",
      sitePostalCode: "M5H 1A1",
      trustedProxies: ["10.0.0.0/8", "::1"],
      scheduling: {
        assetHost: "https://assets.calendly.com",
        url: "https://calendly.com/plumbline/30min",
        contactUrl: "https://calendly.com/plumbline/30min",
      },
    });
    expect(warnings).toEqual([]);
  });

  test("lists all mistakes at once, each with its setting's name and an example", () => {
    const mistakes = mistakesOf({
      PORT: "70000",
      SITE_URL: "ftp://example.com",
      SITE_EMAIL: "not an address",
      SITE_POSTAL_CODE: "90210",
      TRUSTED_PROXIES: "10.0.0.0/8,proxy",
      LOG_LEVEL: "loud",
      SCHEDULING_CONTACT_URL: "https://calendly.com/x",
      DKIM_SELECTOR: "mail2026",
    });
    expect(mistakes.map((mistake) => mistake.split(" ")[0])).toEqual([
      "SITE_URL",
      "SITE_EMAIL",
      "SITE_POSTAL_CODE",
      "PORT",
      "TRUSTED_PROXIES",
      "LOG_LEVEL",
      "SCHEDULING_URL",
      "DKIM_DOMAIN",
      "DKIM_KEY_FILE",
    ]);
    for (const mistake of mistakes) expect(mistake).toMatch(/for example .+\./);
  });

  test.each([
    ["PORT", "-1"],
    ["SITE_URL", "https://example.com/site"],
    ["SITE_URL", "https://user:pw@example.com"],
    ["SITE_NAME", "<b>Bold</b>"],
    ["SITE_PROFILE_URL", "javascript:alert(1)"],
    ["DATABASE_URL", "mysql://u:p@db/site"],
    ["DATABASE_URL", "postgres://u:pw@cr#et@db/site"],
    ["SMTP_URL", "mail.example.com:25"],
    ["BOUNCE_MAILBOX", "https://bounces%40example.com:pw@imap.example.com"],
    ["BOUNCE_MAILBOX", "imaps://bounces%40example.com@imap.example.com"],
    ["BOUNCE_MAILBOX", "imaps://user:pw@imap.example.com/INBOX"],
    ["MAIL_EVENTS_SECRET", "whsec_c2hvcnQ="],
    ["NEWSLETTER_WEBHOOK_URL", "hooks.example.com"],
    ["WEBHOOK_SECRET", "whsec_c2hvcnQ="],
    ["METRICS_ADDRESS", "9464"],
    ["METRICS_ADDRESS", "::1:9464"],
    ["TRUSTED_PROXIES", "10.0.0.0/33"],
    ["DATA_DIR", "$HOME/sitedata"],
  ])("refuses %s=%s", (name, value) => {
    expect(mistakesOf({ [name]: value }).map((mistake) => mistake.split(" ")[0])).toEqual([name]);
  });

  test.each([
    ["DATABASE_URL", "mysql://u:hunter2@db/site"],
    ["SMTP_URL", "https://u:hunter2@mail"],
    ["BOUNCE_MAILBOX", "imaps://user:hunter2@imap.example.com"],
    ["SITE_URL", "https://u:hunter2@example.com"],
    ["WEBHOOK_SECRET", "hunter2"],
    ["NEWSLETTER_WEBHOOK_URL", "hooks/hunter2"],
  ])("does not repeat what %s was given", (name, value) => {
    const mistakes = mistakesOf({ [name]: value });
    expect(mistakes).not.toEqual([]);
    expect(mistakes.join()).not.toContain("hunter2");
  });

  test("a path that begins with ~/ is at home, and a relative one beside the settings file", () => {
    const folderOf = (text: string) => configOf({ DATA_DIR: text }).config.dataDir;
    expect(folderOf("~/sitedata")).toBe(path.join(homedir(), "sitedata"));
    expect(folderOf("./sitedata")).toBe(path.join(projectRoot, "sitedata"));
  });

  test("the bounce mailbox's address is its user, or what stands after it", () => {
    const addressOf = (url: string) =>
      configOf({ BOUNCE_MAILBOX: url }).config.bounceMailbox?.address;
    expect(addressOf("imaps://bounces%40example.com:pw@imap.example.com/INBOX")).toBe(
      "bounces@example.com",
    );
    expect(addressOf("imaps://user:pw@imap.example.com/?address=back@example.com")).toBe(
      "back@example.com",
    );
  });

  test("the form to fill in and the operator's table are those of the settings", () => {
    for (const { file, text } of settingFiles()) {
      expect(readFileSync(file, "utf8"), "npm run settings writes it").toBe(text);
    }
  });

  test.each([
    ["SITE_EMIAL", "SITE_EMAIL"],
    ["DATABSE_URL", "DATABASE_URL"],
    ["site_url", "SITE_URL"],
    ["LOGLEVEL", "LOG_LEVEL"],
    ["SMTP_HSOT", "SMTP_URL or SMTP_RATE or SMTP_CONNECTIONS or SMTP_DAILY_LIMIT"],
  ])("warns that %s is not a setting, and asks whether %s was meant", (name, meant) => {
    expect(configOf({ [name]: "x" }).warnings).toEqual([
      `${name} is not a setting, so it does nothing. Did you mean ${meant}?`,
    ]);
  });

  test("says nothing of other programs' names", () => {
    const others = { HOSTNAME: "x", LOGNAME: "x", LOG_DRIVER: "x", MAIL: "x" };
    expect(configOf(others).warnings).toEqual([]);
  });
});

describe("siteSettings", () => {
  test("uses the port that was really taken where no address is set", () => {
    const settings = siteSettings(configOf({ PORT: "0" }).config, 40123);
    expect(settings.url).toBe("http://localhost:40123");
    expect(settings.scheduling).toEqual({
      assetHost: "",
      url: "http://localhost:40123/contact#discovery-call",
      contactUrl: "http://localhost:40123/contact#discovery-call",
    });
  });
});

test("an https address without trusted proxies is warned of, since something in front must speak https", () => {
  const warningsOf = (env: Record<string, string>) => configOf(env).warnings;
  const SITE_URL = "https://plumbline.ca";
  expect(warningsOf({ SITE_URL })).toEqual([expect.stringMatching(/^TRUSTED_PROXIES is not set/)]);
  expect(warningsOf({ SITE_URL, TRUSTED_PROXIES: "127.0.0.1" })).toEqual([]);
  expect(warningsOf({ SITE_URL: "http://localhost:3000" })).toEqual([]);
});

test.each(["#ffcc00", "teal", "#0b6"])("refuses the colour %s", (SITE_COLOUR) => {
  expect(mistakesOf({ SITE_COLOUR })).toEqual([
    `SITE_COLOUR must be a colour as # and six digits, dark enough to read on the page's paper (a contrast of 4.5), for example #0b6e4f. It is "${SITE_COLOUR}".`,
  ]);
});

test.each(["public/favicon.svg", "public/icon-192.png"])("takes %s as a logo", (SITE_LOGO) => {
  expect(configOf({ SITE_LOGO }).config.siteLogo?.type).toBe(SITE_LOGO.slice(-3));
});

test.each(["package.json", "no-such.png", "app/drawings/pens.tsx"])(
  "refuses %s as a logo",
  (SITE_LOGO) => {
    expect(mistakesOf({ SITE_LOGO })).toEqual([
      `SITE_LOGO must be an SVG or PNG file of at most 200 KB, without scripts, for example ./logo.png. It is "${SITE_LOGO}".`,
    ]);
  },
);
