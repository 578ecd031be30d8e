import type { ConfigResult, SettingName } from "#server/settings.ts";
import type { Finding } from "./finding.ts";

// Visitors and mail readers see these, so a public site must not show the examples; the law asks for the address too.
const factsOfTheFirm: SettingName[] = [
  "SITE_NAME",
  "SITE_EMAIL",
  "SITE_PHONE",
  "SITE_STREET",
  "SITE_POSTAL_CODE",
];

/** What is not set, and what is set but odd. A fact missing on a public site needs attention; on a laptop it may wait. */
export function checkSettings({
  config,
  unset,
  warnings,
}: Extract<ConfigResult, { ok: true }>): Finding[] {
  const isPublic = isPublicSite(config.siteUrl);
  // The mail server has a check of its own.
  const facts = unset.filter(({ setting }) => setting !== "SMTP_URL");
  const findings = facts.map(({ setting, instead }): Finding => {
    const needed = factsOfTheFirm.includes(setting);
    return {
      about: setting,
      state: isPublic && needed ? "attention" : "note",
      message: `not set: ${instead}.`,
    };
  });
  for (const warning of warnings) {
    findings.push({ about: "Settings", state: "attention", message: warning });
  }
  if (findings.length === 0) {
    findings.push({ about: "Settings", state: "ok", message: "everything is set." });
  }
  return findings;
}

/** Whether visitors reach the site, as far as its address tells. */
export function isPublicSite(siteUrl: string | null): boolean {
  if (siteUrl === null) return false;
  const { hostname } = new URL(siteUrl);
  return !/^(localhost|127\..*|\[::1\]|.*\.(localhost|local|test|internal))$/.test(hostname);
}
