import * as v from "valibot";
import {
  emailSetting,
  factSetting,
  isAddressOrRange,
  isBounceMailbox,
  isListenAddress,
  isOrigin,
  setting,
  urlSetting,
  webAddressSetting,
  webhookSecretSetting,
} from "./setting-kinds.ts";

/** More connections at once than any mail service takes from a small sender. */
const maxSmtpConnections = 50;

const analyticsTags = ["plausible", "umami", "ga4"] as const;

const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

/**
 * The settings of the running server, as the environment or `.env` gives them: every one optional, never an empty
 * text. A message reads on from the setting's name and shows a right value; none repeats what was given, since that can be
 * a secret.
 */
export const environmentSchema = v.object({
  PORT: setting(
    v.check(
      (text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535,
      "must be a whole number from 0 to 65535, for example 3000 (0 takes any free port).",
    ),
  ),
  HOST: setting(
    v.regex(/^[a-z0-9.:_-]+$/i, "must be the name or address to listen on, for example 127.0.0.1."),
  ),
  SITE_URL: setting(
    v.check(
      isOrigin,
      "must be the site's http or https address and nothing after it, for example https://www.example.com.",
    ),
  ),
  SITE_NAME: factSetting("Chalkline"),
  SITE_EMAIL: emailSetting(),
  SITE_PHONE: setting(
    v.regex(/^\+?[\d\s().-]{7,30}$/, "must be a telephone number, for example +1 416 555 0142."),
  ),
  SITE_STREET: factSetting("1 Example Street"),
  SITE_POSTAL_CODE: setting(
    v.regex(/^[a-z]\d[a-z] ?\d[a-z]\d$/i, "must be a Canadian postal code, for example M5V 0A0."),
  ),
  SITE_PROFILE_URL: webAddressSetting("https://www.linkedin.com/company/example"),
  SCHEDULING_ASSET_HOST: setting(
    v.check(
      isOrigin,
      "must be the http or https address that the widget's files come from and nothing after it, for example https://assets.calendly.com.",
    ),
  ),
  SCHEDULING_URL: webAddressSetting("https://calendly.com/example/30min"),
  SCHEDULING_CONTACT_URL: webAddressSetting("https://calendly.com/example/consultation"),
  DATA_DIR: setting(
    v.check((text) => !text.includes("\0"), "must be a folder, for example ./data."),
  ),
  DATABASE_URL: urlSetting(
    ["postgres:", "postgresql:"],
    "must start with postgres:// and name a host and a database, for example postgres://user:password@localhost:5432/chalkline.",
  ),
  DATABASE_READ_URL: urlSetting(
    ["postgres:", "postgresql:"],
    "must start with postgres:// and name a host and a database, for example postgres://user:password@replica:5432/chalkline.",
  ),
  SMTP_URL: urlSetting(
    ["smtp:", "smtps:"],
    "must start with smtp:// or smtps:// and name a host, for example smtps://user:password@mail.example.com:465.",
  ),
  SMTP_RATE: setting(
    v.check(
      (text) => /^\d{1,5}(\.\d{1,3})?$/.test(text) && Number(text) > 0,
      "must be how many newsletters are sent a second, for example 5 or 0.5.",
    ),
  ),
  SMTP_CONNECTIONS: setting(
    v.check(
      (text) => /^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= maxSmtpConnections,
      `must be a whole number from 1 to ${maxSmtpConnections}, for example 3.`,
    ),
  ),
  MAIL_FROM: emailSetting(),
  MAIL_FROM_NEWSLETTER: emailSetting(),
  DKIM_DOMAIN: setting(
    v.regex(
      /^(?:[a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}$/i,
      "must be a domain, for example example.com.",
    ),
  ),
  DKIM_SELECTOR: setting(
    v.regex(/^[a-z0-9][a-z0-9._-]{0,62}$/i, "must be a selector, for example mail2026."),
  ),
  DKIM_KEY_FILE: setting(
    v.check((text) => !text.includes("\0"), "must be a file, for example ./dkim-private.pem."),
  ),
  BOUNCE_MAILBOX: setting(
    v.check(
      isBounceMailbox,
      "must be imaps://, a user, a password and a host, for example imaps://bounces%40example.com:password@imap.example.com/INBOX; where the user isn't an email address, with ?address=bounces@example.com after it.",
    ),
  ),
  MAIL_EVENTS_SECRET: webhookSecretSetting(),
  CONTACT_TO: emailSetting(),
  NEWSLETTER_WEBHOOK_URL: webAddressSetting("https://hooks.example.com/newsletter"),
  WEBHOOK_SECRET: webhookSecretSetting(),
  BACKEND_URL: webAddressSetting("https://abcdefgh.supabase.co"),
  BACKEND_ANON_KEY: setting(
    v.regex(
      /^[\w.~+/=-]{8,}$/,
      "must be the project's public (anon or publishable) key, for example sb_publishable_abc123.",
    ),
  ),
  SITE_CACHE_TAGS: setting(
    v.regex(
      /^[a-z0-9][a-z0-9-]{0,31}$/i,
      "must be a word of letters, digits and hyphens that your tags begin with, for example chalkline.",
    ),
  ),
  TRUSTED_PROXIES: v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => text.split(",").map((part) => part.trim())),
      v.check(
        (parts) => parts.every(isAddressOrRange),
        "must be addresses or CIDR ranges with commas between them, for example 10.0.0.0/8,127.0.0.1.",
      ),
    ),
  ),
  ANALYTICS_TAG: v.optional(
    v.picklist(analyticsTags, `must be one of ${analyticsTags.join(", ")}.`),
  ),
  ANALYTICS_ID: setting(
    v.regex(
      /^[a-z0-9][a-z0-9.-]{0,99}$/i,
      "must be the site's id at the counting service: its domain for Plausible, a UUID for Umami, G-XXXXXXXXXX for GA4.",
    ),
  ),
  ANALYTICS_HOST: setting(
    v.check(
      isOrigin,
      "must be the http or https address that the counting service's script comes from and nothing after it, for example https://plausible.io.",
    ),
  ),
  METRICS_ADDRESS: setting(
    v.check(
      isListenAddress,
      "must be an address and a port with a colon between them, for example 127.0.0.1:9464 or [::1]:9464.",
    ),
  ),
  LOG_LEVEL: v.optional(
    v.picklist(logLevels, `must be one of ${logLevels.join(", ")}, for example info.`),
  ),
});

export type Environment = v.InferOutput<typeof environmentSchema>;
export type SettingName = keyof Environment;
export type LogLevel = (typeof logLevels)[number];

export const settingNames = Object.keys(environmentSchema.entries) as SettingName[];
