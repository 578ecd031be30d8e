import { type SitePage, sitePages } from "#content/site-pages.ts";

/** A page as it is found: by its words in order, a paragraph each. */
export type SearchDocument = {
  path: string;
  title: string;
  headings: string;
  description: string;
  passages: string[];
};

export function pageDocuments(): SearchDocument[] {
  return sitePages.map(pageDocument);
}

function pageDocument({ head, ...words }: SitePage): SearchDocument {
  const found: Collected = { headings: [], passages: [] };
  collect(words, "", found);
  return {
    path: head.path,
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
