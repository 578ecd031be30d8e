import { readFileSync } from "node:fs";
import path from "node:path";
import { starterIssues } from "#content/starter-issues/index.ts";

const fixtures = path.join(import.meta.dirname, "../fixtures");

/** Newsletters as their programs export them, and published templates of five sources. */
const published = [
  "newsletters/mailchimp",
  "newsletters/beehiiv",
  "newsletters/substack",
  "newsletters/ghost",
  "email-templates/foundation-emails/marketing",
  "email-templates/foundation-emails/newsletter",
  "email-templates/foundation-emails/drip",
  "email-templates/foundation-emails/order",
  "email-templates/foundation-emails/sidebar-hero",
  "email-templates/ghost/report",
  "email-templates/ghost/donation",
  "email-templates/mailgen/neopolitan-receipt",
  "email-templates/mailgen/salted-reset",
  "email-templates/responsive-html-email-template/email-inlined",
].map((name) => ({
  title: name,
  html: readFileSync(path.join(fixtures, `${name}.html`), "utf8"),
  isOurs: false,
}));

/** What goes out as mail in tests: the starter issues, and what others have published. */
export const issueLetters = [
  ...starterIssues.map(({ title, html }) => ({ title, html, isOurs: true })),
  ...published,
];
