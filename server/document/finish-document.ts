import type { SiteSettings } from "#contracts/site-settings.ts";
import { contentSecurityPolicy } from "./content-security-policy.ts";
import { withInlineStyles } from "./inline-styles.ts";
import { withLateScripts } from "./late-scripts.ts";
import { hashNonced } from "./nonce.ts";

export type DocumentFacts = {
  settings: SiteSettings;
  /** What the site's own code has put on everything that it wrote inline. */
  nonce: string;
  showsIssueBody: boolean;
  /** Gives the styles of a built file's address; null where pages come from sources. */
  readStyles: ((href: string) => string) | null;
};

/** Makes of a rendered page the one that is sent, and its content security policy. */
export function finishDocument(
  rendered: string,
  { settings, nonce, showsIssueBody, readStyles }: DocumentFacts,
): { html: string; policy: string } {
  const styled = readStyles
    ? withInlineStyles(withLateScripts(rendered, nonce), { read: readStyles, nonce })
    : rendered;
  const { html, hashes } = hashNonced(styled, nonce);
  const stylesComeByScript = readStyles === null;
  const policy = contentSecurityPolicy({ settings, stylesComeByScript, showsIssueBody, hashes });
  return { html, policy };
}
