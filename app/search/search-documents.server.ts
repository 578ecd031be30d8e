import { newsletter } from "#content/pages/newsletter.ts";
import { type SitePage, sitePages } from "#content/site-pages.ts";
import type { IssueRow } from "#contracts/issue.ts";
import { formatPublishDate } from "../dates.ts";
import { prepareIssueBody } from "../issue-body/prepare-issue-body.server.ts";
import { issueLine } from "../newsletter/issue-label.ts";
import { titleOf } from "../newsletter/load-archive.server.ts";

/** What can be found: a page or an issue. */
export type SearchDocument = {
  path: string;
  issueLine: string | null;
  title: string;
  headings: string;
  description: string;
  /** Its words in order, a paragraph each. */
  passages: string[];
};

/** Of a longer issue the beginning is searched, in UTF-16 code units. */
const issueTextMaxLength = 40_000;

const issueDescriptionMaxLength = 200;

export function pageDocuments(): SearchDocument[] {
  return sitePages.map(pageDocument);
}

/** The paragraphs of an issue. Preparing its body for them takes milliseconds. */
export function issuePassages(issue: IssueRow): string[] {
  return prepareIssueBody(issue.content_markdown)
    .plainText.slice(0, issueTextMaxLength)
    .split("\n")
    .filter((line) => line.trim() !== "");
}

/** `number` is the issue's position counted from the oldest. */
export function issueDocument(issue: IssueRow, number: number, passages: string[]): SearchDocument {
  return {
    path: `${newsletter.head.path}/${issue.id}`,
    issueLine: issueLine({ number, date: formatPublishDate(issue.publish_date) }),
    title: titleOf(issue.title, number),
    headings: "",
    description: passages.join(" ").slice(0, issueDescriptionMaxLength),
    passages,
  };
}

function pageDocument({ head, ...words }: SitePage): SearchDocument {
  const found: Collected = { headings: [], passages: [] };
  collect(words, "", found);
  return {
    path: head.path,
    issueLine: null,
    title: head.title,
    headings: found.headings.join("\n"),
    description: head.description,
    passages: found.passages,
  };
}

type Collected = { headings: string[]; passages: string[] };

/** Keys of the content modules whose values are no words, or not on the page when it opens. */
const wordless = new Set(["path", "id", "source", "sheet", "step", "failure", "empty", "notFound"]);
const headingKeys = new Set(["heading", "title", "question", "label", "name"]);

/** Walks a page's words, whatever their shape. */
function collect(value: unknown, key: string, found: Collected): void {
  if (typeof value === "string") {
    (headingKeys.has(key) ? found.headings : found.passages).push(value);
  } else if (Array.isArray(value)) {
    for (const item of value) collect(item, key, found);
  } else if (value && typeof value === "object") {
    for (const [inner, item] of Object.entries(value)) {
      if (!wordless.has(inner)) collect(item, inner, found);
    }
  }
}
