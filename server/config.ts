import { readFileSync } from "node:fs";
import path from "node:path";
import { parseEnv } from "node:util";
import * as v from "valibot";
import {
  type Environment,
  environmentSchema,
  type LogLevel,
  settingNames,
} from "#contracts/environment.ts";
import { bounceAddressOf } from "#contracts/setting-kinds.ts";
import type { AnalyticsTag } from "#contracts/site-settings.ts";
import { errorCode } from "#db/error-code.ts";
import {
  analyticsHosts,
  defaultPort,
  defaultSmtpConnections,
  defaultSmtpRate,
  exampleFacts,
} from "./setting-defaults.ts";
import {
  crossMistakes,
  describeIssue,
  missingProxies,
  type UnsetSetting,
  unknownSettings,
  unsetSettings,
} from "./setting-mistakes.ts";

/** The folder that holds package.json: relative paths in settings start here, wherever a command is called from. */
export const projectRoot = path.join(import.meta.dirname, "..");

export type Config = {
  /** 0 takes any free port. */
  port: number;
  /** Name or address to listen on; null listens on all of the machine's. */
  host: string | null;
  /** Origin without a trailing slash; null means `http://localhost:` and the port that is really taken. */
  siteUrl: string | null;
  siteName: string;
  siteEmail: string;
  sitePhone: string;
  siteStreet: string;
  sitePostalCode: string;
  siteProfileUrl: string;
  /** Null: the site's own stand-in. */
  scheduling: { assetHost: string; url: string; contactUrl: string } | null;
  /** Absolute path. */
  dataDirectory: string;
  /** A PostgreSQL address; null: SQLite in the data folder. */
  databaseUrl: string | null;
  /** A replica of that, from which the archive is read. */
  databaseReadUrl: string | null;
  /** Null: each message is written as an `.eml` file under the data folder. */
  smtpUrl: string | null;
  mailFrom: string;
  /** The From of issues; apart from the desk's, so that a complaint about one doesn't cost the other its name. */
  mailFromNewsletter: string;
  /** Issues sent a second, and connections that they go over. */
  smtpRate: number;
  smtpConnections: number;
  /** Who signs mail (DKIM) and with which file's key; absolute path. Null: nobody. */
  dkim: { domain: string; selector: string; keyFile: string } | null;
  /** Where mail that couldn't be delivered comes back to, with the sign-in by IMAP. Null: to the newsletter's From. */
  bounceMailbox: { url: string; address: string } | null;
  /** What mail services sign their events with, like `webhookSecret`; null: none are taken. */
  mailEventsSecret: string | null;
  contactTo: string;
  newsletterWebhookUrl: string | null;
  /** As the Standard Webhooks specification writes it, with or without `whsec_`. */
  webhookSecret: string | null;
  /** A hosted Supabase project in place of the built-in backend. */
  hostedBackend: { url: string; anonKey: string } | null;
  /** Addresses and CIDR ranges whose X-Forwarded-For is believed. */
  trustedProxies: string[];
  /** The word that tags for a CDN's purging begin with; null: pages have none. */
  cacheTags: string | null;
  /** A counting service whose script comes with every page; null: none. */
  analytics: AnalyticsTag | null;
  /** Where Prometheus reads the metrics, port 0 for any free one; null: nowhere. */
  metricsAddress: { host: string; port: number } | null;
  logLevel: LogLevel;
};

export type ConfigResult =
  | { ok: true; config: Config; unset: UnsetSetting[]; warnings: string[] }
  | { ok: false; mistakes: string[] };

/** The environment of this process over the project's `.env`. The only place that reads either. */
export function loadEnvironment(): Record<string, string | undefined> {
  return { ...readDotEnv(path.join(projectRoot, ".env")), ...process.env };
}

/**
 * Settings from an environment. An empty value counts as not set. Either all is well or every mistake is listed, each
 * with its setting's name and a right value; values that can hold a secret are never repeated.
 */
export function readConfig(env: Record<string, string | undefined>): ConfigResult {
  const given = givenSettings(env);
  const parsed = v.safeParse(environmentSchema, given);
  const mistakes = [...(parsed.issues ?? []).map(describeIssue), ...crossMistakes(given)];
  if (!parsed.success || mistakes.length > 0) return { ok: false, mistakes };
  return {
    ok: true,
    config: toConfig(parsed.output),
    unset: unsetSettings(parsed.output),
    warnings: [...unknownSettings(env), ...missingProxies(parsed.output)],
  };
}

function readDotEnv(file: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(file, "utf8"));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return {};
    throw error;
  }
}

function givenSettings(env: Record<string, string | undefined>): Partial<Record<string, string>> {
  const given: Partial<Record<string, string>> = {};
  for (const name of settingNames) {
    const value = env[name]?.trim();
    if (value) given[name] = value;
  }
  return given;
}

function toConfig(env: Environment): Config {
  const siteEmail = env.SITE_EMAIL ?? exampleFacts.SITE_EMAIL;
  return {
    port: Number(env.PORT ?? defaultPort),
    host: env.HOST ?? null,
    siteUrl: env.SITE_URL ? new URL(env.SITE_URL).origin : null,
    siteName: env.SITE_NAME ?? exampleFacts.SITE_NAME,
    siteEmail,
    sitePhone: env.SITE_PHONE ?? exampleFacts.SITE_PHONE,
    siteStreet: env.SITE_STREET ?? exampleFacts.SITE_STREET,
    sitePostalCode: env.SITE_POSTAL_CODE ?? exampleFacts.SITE_POSTAL_CODE,
    siteProfileUrl: env.SITE_PROFILE_URL ?? exampleFacts.SITE_PROFILE_URL,
    scheduling:
      env.SCHEDULING_ASSET_HOST && env.SCHEDULING_URL
        ? {
            assetHost: new URL(env.SCHEDULING_ASSET_HOST).origin,
            url: env.SCHEDULING_URL,
            contactUrl: env.SCHEDULING_CONTACT_URL ?? env.SCHEDULING_URL,
          }
        : null,
    dataDirectory: path.resolve(projectRoot, env.DATA_DIR ?? "data"),
    databaseUrl: env.DATABASE_URL ?? null,
    databaseReadUrl: env.DATABASE_READ_URL ?? null,
    smtpUrl: env.SMTP_URL ?? null,
    mailFrom: env.MAIL_FROM ?? siteEmail,
    mailFromNewsletter: env.MAIL_FROM_NEWSLETTER ?? env.MAIL_FROM ?? siteEmail,
    smtpRate: Number(env.SMTP_RATE ?? defaultSmtpRate),
    smtpConnections: Number(env.SMTP_CONNECTIONS ?? defaultSmtpConnections),
    dkim:
      env.DKIM_DOMAIN && env.DKIM_SELECTOR && env.DKIM_KEY_FILE
        ? {
            domain: env.DKIM_DOMAIN.toLowerCase(),
            selector: env.DKIM_SELECTOR,
            keyFile: path.resolve(projectRoot, env.DKIM_KEY_FILE),
          }
        : null,
    bounceMailbox: env.BOUNCE_MAILBOX ? toBounceMailbox(env.BOUNCE_MAILBOX) : null,
    mailEventsSecret: env.MAIL_EVENTS_SECRET ?? null,
    contactTo: env.CONTACT_TO ?? siteEmail,
    newsletterWebhookUrl: env.NEWSLETTER_WEBHOOK_URL ?? null,
    webhookSecret: env.WEBHOOK_SECRET ?? null,
    hostedBackend:
      env.BACKEND_URL && env.BACKEND_ANON_KEY
        ? { url: env.BACKEND_URL.replace(/\/+$/, ""), anonKey: env.BACKEND_ANON_KEY }
        : null,
    trustedProxies: env.TRUSTED_PROXIES ?? [],
    cacheTags: env.SITE_CACHE_TAGS ?? null,
    analytics: toAnalytics(env),
    metricsAddress: env.METRICS_ADDRESS ? toAddress(env.METRICS_ADDRESS) : null,
    logLevel: env.LOG_LEVEL ?? "info",
  };
}

/** One that the schema has let pass. */
function toBounceMailbox(text: string): Config["bounceMailbox"] {
  const url = new URL(text);
  const address = bounceAddressOf(url);
  return address === null ? null : { url: url.href, address };
}

function toAnalytics({ ANALYTICS_TAG: kind, ANALYTICS_ID: id, ANALYTICS_HOST: host }: Environment) {
  if (!kind || !id) return null;
  return { kind, id, host: host ? new URL(host).origin : analyticsHosts[kind] };
}

/** An address that the schema has let pass: `127.0.0.1:9464` or `[::1]:9464`. */
function toAddress(text: string): { host: string; port: number } {
  const colon = text.lastIndexOf(":");
  return {
    host: text.slice(0, colon).replace(/^\[|\]$/g, ""),
    port: Number(text.slice(colon + 1)),
  };
}
