import type { PageHead } from "./page-head.ts";

/** Terms and Privacy: numbered sections of numbered clauses. */
export type LegalDocument = {
  head: PageHead;
  heading: string;
  lede: string;
  /** Beside the firm and the date in the title block: which law it answers to. */
  law: { key: string; value: string };
  sections: readonly LegalSection[];
};

export type LegalSection = {
  /** The section's anchor on its page; others may link to it, so it stays. */
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

/** Words, a link, or a fact about the firm that the running site fills in. */
export type LegalPhrase =
  | string
  | { label: string; path: string }
  | { fact: "name" | "email" | "phone" | "postalAddress" };
