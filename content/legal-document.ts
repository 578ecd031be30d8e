import type { PageHead } from "./site.ts";

export type LegalDocument = {
  head: PageHead;
  heading: string;
  lede: string;
  /** ISO 8601: when the words last changed. "Last updated" is today's date (specification, section 9). */
  inForceSince: string;
  /** The law it answers to, shown in the title block. */
  law: { key: string; value: string };
  /** The whole in three short cells. */
  summary?: readonly { key: string; value: string }[];
  sections: readonly LegalSection[];
};

export type LegalSection = {
  /** The section's anchor; stable, because others may link to it. */
  id: string;
  heading: string;
  clauses: readonly LegalClause[];
};

export type LegalClause = {
  text: LegalText;
  list?: readonly string[];
  table?: LegalTable;
};

export type LegalTable = {
  caption: string;
  columns: readonly [string, string];
  rows: readonly (readonly [string, string])[];
};

export type LegalText = string | readonly LegalPhrase[];

/** Words, a link, or a fact about the firm from the settings. */
type LegalPhrase =
  | string
  | { label: string; path: string }
  /** A telephone comes with the words before it, if there is one. */
  | { fact: "name" | "email" | "phone" | "postalAddress" };
