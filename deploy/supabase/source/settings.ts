import type { SiteIdentity } from "#contracts/site-settings.ts";

export type Settings = {
  databaseUrl: string;
  site: SiteIdentity;
  smtpUrl: string;
  mailFrom: string;
  contactTo: string;
  webhook: { url: string; secret: string | null } | null;
  trustedProxies: string[];
};

/**
 * Set with `supabase secrets set`; SUPABASE_DB_URL is the project's own. Throws an error that names all missing
 * settings.
 */
export function readSettings(env: Record<string, string | undefined>): Settings {
  const missing: string[] = [];
  const need = (name: string): string => {
    const value = env[name]?.trim() ?? "";
    if (value === "") missing.push(name);
    return value;
  };
  const optional = (name: string): string | null => env[name]?.trim() || null;
  const siteEmail = need("SITE_EMAIL");
  const webhookUrl = optional("NEWSLETTER_WEBHOOK_URL");
  const settings: Settings = {
    databaseUrl: need("SUPABASE_DB_URL"),
    site: {
      url: need("SITE_URL").replace(/\/+$/, ""),
      name: need("SITE_NAME"),
      email: siteEmail,
      phone: need("SITE_PHONE"),
      street: need("SITE_STREET"),
      postalCode: need("SITE_POSTAL_CODE"),
    },
    smtpUrl: need("SMTP_URL"),
    mailFrom: optional("MAIL_FROM") ?? siteEmail,
    contactTo: optional("CONTACT_TO") ?? siteEmail,
    webhook: webhookUrl === null ? null : { url: webhookUrl, secret: optional("WEBHOOK_SECRET") },
    trustedProxies: (optional("TRUSTED_PROXIES") ?? "")
      .split(",")
      .map((part) => part.trim())
      .filter(Boolean),
  };
  if (missing.length > 0) {
    throw new Error(`These secrets of the functions are not set: ${missing.join(", ")}.`);
  }
  return settings;
}
