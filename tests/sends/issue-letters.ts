import { readFileSync } from "node:fs";
import path from "node:path";
import { starterIssues } from "#content/starter-issues.ts";

/** Written for these tests in the forms that these programs export. */
const exported = ["mailchimp", "beehiiv", "substack", "ghost"].map((name) => ({
  title: `newsletters/${name}`,
  html: readFileSync(
    path.join(import.meta.dirname, `../fixtures/newsletters/${name}.html`),
    "utf8",
  ),
}));

export const issueLetters = [
  ...starterIssues.map(({ title, html }) => ({ title, html, isOurs: true })),
  ...exported.map((letter) => ({ ...letter, isOurs: false })),
];
