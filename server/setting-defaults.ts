import type { SettingName } from "#contracts/environment.ts";
import type { AnalyticsTag } from "#contracts/site-settings.ts";

/** Shown where the operator has not said otherwise: reserved names and numbers that reach nobody. */
export const exampleFacts = {
  SITE_NAME: "Chalkline",
  SITE_EMAIL: "hello@chalkline.example",
  SITE_PHONE: "+1 416 555 0142",
  SITE_STREET: "1 Example Street",
  SITE_POSTAL_CODE: "M5V 0A0",
  SITE_PROFILE_URL: "https://profiles.example/chalkline",
} satisfies Partial<Record<SettingName, string>>;

export const defaultPort = 3000;

export const defaultSmtpRate = 5;
export const defaultSmtpConnections = 3;

/** Where each service's script comes from, unless it runs on a machine of one's own. */
export const analyticsHosts: Record<AnalyticsTag["kind"], string> = {
  plausible: "https://plausible.io",
  umami: "https://cloud.umami.is",
  ga4: "https://www.googletagmanager.com",
};
