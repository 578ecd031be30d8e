import MiniSearch, { type SearchResult as Hit, type SearchOptions } from "minisearch";
import { hours, openHours } from "#content/hours.ts";
import {
  type FactName,
  named,
  ownWords,
  pageWords,
  type WithOwnWords,
} from "#content/own-words.ts";
import { contact } from "#content/pages/contact.ts";
import { newsletter } from "#content/pages/newsletter.ts";
import { pageName, type SitePage, sitePages } from "#content/site-pages.ts";
import { type Fact, siteFacts } from "#content/site-words.ts";
import {
  type Archive,
  type HighlightedText,
  type IssueHead,
  maxFoundIssues,
  type SiteServices,
} from "#contracts/ports.ts";
import { foldWord } from "#contracts/text.ts";
import { issueLine } from "../newsletter/issues.ts";
import { listed } from "../newsletter/load-issues.server.ts";
import {
  commonWords,
  excerptOf,
  type FindForm,
  formFinder,
  hasAll,
  highlight,
  isPrefix,
  issueQuery,
  queryWords,
  stemOf,
  tokensOf,
} from "./search-words.ts";

type SearchResult = {
  path: string;
  /** `Issue #3 • November 16, 2026` for an issue; null for a page. */
  issueLine: string | null;
  title: HighlightedText;
  excerpt: HighlightedText;
};

export type SearchOutcome = {
  results: SearchResult[];
  /** How many precede them. */
  before: number;
  total: number;
  /** Whether there may be more than `total`, because the search for issues is limited. */
  isAtLeast: boolean;
  /** Counted from 1. */
  page: number;
  pages: number;
  hasSomeWordsOnly: boolean;
  isPagesOnly: boolean;
};

const pageLength = 10;

/** In this order: as typed, misspelt words too, then only some of the words. */
const modes = ["as-typed", "misspelt", "some-words"] as const;
type SearchMode = (typeof modes)[number];

/**
 * Pages and issues that match `query` (from `readQuery`). Title matches come first, and pages before issues. A page
 * number past the end means the last page.
 */
export async function searchSite(
  { archive, reportError, settings }: Pick<SiteServices, "archive" | "reportError" | "settings">,
  query: string,
  page = 1,
): Promise<SearchOutcome> {
  try {
    return await searchBoth(query, page, archive, settings);
  } catch (error) {
    reportError(error);
    return await searchBoth(query, page, null, settings);
  }
}

async function searchBoth(
  query: string,
  page: number,
  archive: Archive | null,
  site: WithOwnWords,
): Promise<SearchOutcome> {
  const isPagesOnly = archive === null;
  const words = queryWords(query);
  for (const mode of modes) {
    const matching = mode === "misspelt" ? "beginnings" : "words";
    const combine = mode === "some-words" ? "any" : "all";
    const findForm = formFinder(words, matching);
    const issues = (await archive?.search(issueQuery(words, combine, matching))) ?? [];
    const foundIssues = issues.map((head) => ({
      head,
      isInTitle: hasAll(head.title, findForm, words.length),
    }));
    // The sort is stable: pages stay before issues.
    const found: Found[] = [...(await searchPages(words, site, mode)), ...foundIssues].sort(
      (a, b) => Number(b.isInTitle) - Number(a.isInTitle),
    );
    const total = found.length;
    if (total === 0) continue;
    const pages = Math.ceil(total / pageLength);
    const shown = Math.min(page, pages);
    const before = (shown - 1) * pageLength;
    const onPage = found.slice(before, before + pageLength);
    const ids = onPage.flatMap((result) => ("head" in result ? [result.head.id] : []));
    const texts = ids.length > 0 ? await archive?.plainTexts(ids) : null;
    return {
      results: onPage.map((result) =>
        "head" in result
          ? presentIssue(result.head, texts?.get(result.head.id) ?? "", findForm, words.length)
          : presentPage(result),
      ),
      before,
      total,
      isAtLeast: issues.length >= maxFoundIssues,
      page: shown,
      pages,
      hasSomeWordsOnly: mode === "some-words",
      isPagesOnly,
    };
  }
  const none = { results: [], before: 0, total: 0, isAtLeast: false, page: 1, pages: 1 };
  return { ...none, hasSomeWordsOnly: false, isPagesOnly };
}

type Found = FoundPage | { head: IssueHead; isInTitle: boolean };

function presentIssue(
  head: IssueHead,
  plainText: string,
  findForm: FindForm,
  count: number,
): SearchResult {
  return {
    path: `${newsletter.head.path}/${head.id}`,
    issueLine: issueLine(listed(head)),
    title: highlight(head.title, findForm),
    excerpt: quoteOf(plainText.split("\n"), findForm, count),
  };
}

function presentPage({ page, terms }: FoundPage): SearchResult {
  const { path, name, description, headings, passages } = page;
  const findForm = (word: string) => {
    const form = stemOf(foldWord(word));
    return terms.has(form) ? form : null;
  };
  return {
    path,
    issueLine: null,
    title: highlight(name, findForm),
    excerpt: quoteOf([description, ...passages, ...headings.split("\n")], findForm, terms.size),
  };
}

/** The sentences with the words; a heading, a label or a table's cell only where no sentence has one. */
function quoteOf(lines: readonly string[], findForm: FindForm, count: number): HighlightedText {
  const sentences = excerptOf(lines.filter(isSentence), findForm, count);
  return sentences.length > 1 ? sentences : excerptOf(lines, findForm, count);
}

const asTyped: SearchOptions = {
  combineWith: "AND",
  boost: { name: 6, title: 6, headings: 3, description: 2 },
  prefix: (word) => isPrefix(word, "words"),
  weights: { prefix: 0.5, fuzzy: 0.25 },
};

const someMisspelt: SearchOptions = {
  ...asTyped,
  prefix: (word) => isPrefix(word, "beginnings"),
  // A swap of two letters counts as two changes. The lengths are stems'.
  fuzzy: (word) => (word.length >= 6 ? 2 : word.length >= 5 && 1),
  combineWith: "OR",
};

type FoundPage = { page: SearchDocument; terms: ReadonlySet<string>; isInTitle: boolean };

let index: { words: WithOwnWords["words"]; pages: Promise<MiniSearch> } | null = null;

/** The site's pages that match, best first by MiniSearch's BM25. */
async function searchPages(
  words: readonly string[],
  site: WithOwnWords,
  mode: SearchMode,
): Promise<FoundPage[]> {
  if (!index || index.words !== site.words) index = { words: site.words, pages: indexPages(site) };
  const pages = await index.pages;
  const forms = [...new Set(words.map(stemOf))];
  const hits = pages.search("", {
    ...(mode === "as-typed" ? asTyped : someMisspelt),
    tokenize: () => forms,
    processTerm: (form) => form,
    filter: ({ queryTerms }) => mode !== "misspelt" || queryTerms.length === forms.length,
  }) as (Hit & SearchDocument)[];
  return hits.map((page) => {
    const titleWords = new Set(tokensOf(`${page.name} ${page.title}`).map(stemOf));
    const isInTitle = forms.every((form) => titleWords.has(form));
    return { page, terms: new Set(page.terms), isInTitle };
  });
}

async function indexPages(site: WithOwnWords): Promise<MiniSearch> {
  const pages = new MiniSearch<SearchDocument>({
    idField: "path",
    fields: ["name", "title", "headings", "description", "passages"],
    storeFields: ["path", "name", "title", "headings", "description", "passages"],
    tokenize: tokensOf,
    processTerm: (word) => !commonWords.has(word) && stemOf(word),
  });
  // One document at a time, so that other requests don't wait.
  const documents = sitePages.map((page) => named(site, pageDocument(page, site)));
  await pages.addAllAsync(documents, { chunkSize: 1 });
  return pages;
}

type SearchDocument = {
  path: string;
  name: string;
  title: string;
  headings: string;
  description: string;
  passages: string[];
};

function pageDocument(page: SitePage, site: WithOwnWords): SearchDocument {
  const { head, ...words } = pageWords(site, page);
  const found: Collected = { headings: [], passages: [] };
  const own = Object.entries<Fact>(siteFacts)
    .filter(([, { path, at }]) => path === head.path && at)
    .map(([name, { at, usual }]) => [at, ownWords(site, name as FactName, usual)] as const);
  collect(words, found, new Map(own));
  if (head.path === contact.head.path)
    found.headings.push(openHours(ownWords(site, "hours", hours)));
  return {
    path: head.path,
    name: pageName({ head }),
    title: head.title,
    headings: found.headings.join("\n"),
    description: head.description,
    passages: found.passages,
  };
}

type Collected = { headings: string[]; passages: string[] };

/** Keys of content modules whose values aren't visible words. */
const wordless = new Set(["path", "id", "source", "sheet", "step", "failure", "empty", "notFound"]);

function isSentence(text: string): boolean {
  return /[.!?]\S?$/.test(text) && text.split(" ").length >= 4;
}

/** Collects a page's words from content of any shape, with `own` in place of what is there. */
function collect(
  usual: unknown,
  found: Collected,
  own: ReadonlyMap<string | undefined, object>,
  at = "",
): void {
  const value = own.get(at) ?? usual;
  if (typeof value === "string") {
    (isSentence(value) ? found.passages : found.headings).push(value);
  } else if (value && typeof value === "object") {
    for (const [inner, item] of Object.entries(value)) {
      if (!wordless.has(inner)) collect(item, found, own, at ? `${at}.${inner}` : inner);
    }
  }
}
