import { readFileSync } from "node:fs";
import path from "node:path";
import { starterIssues } from "#content/starter-issues.ts";
import { publishedLetters } from "../published-letters.ts";

/** Written for these tests in the forms that these programs export. */
const exported = ["mailchimp", "beehiiv", "substack", "ghost"].map((name) => ({
  title: `newsletters/${name}`,
  html: readFileSync(
    path.join(import.meta.dirname, `../fixtures/newsletters/${name}.html`),
    "utf8",
  ),
}));

const sent = /^(?:marketing|newsletter|drip|order|sidebar-hero|neopolitan receipt|salted reset)$/;
const published = publishedLetters
  .filter(({ name }) => sent.test(name))
  .map(({ name, html }) => ({ title: name, html }));

export const issueLetters = [
  ...starterIssues.map(({ title, html }) => ({ title, html, isOurs: true })),
  ...[...exported, ...published].map((letter) => ({ ...letter, isOurs: false })),
];
