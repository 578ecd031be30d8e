import { setImmediate as nextTurn } from "node:timers/promises";
import MiniSearch from "minisearch";
import {
  type IssueHead,
  type IssuesAccess,
  readIssueHeads,
  readIssues,
} from "../newsletter/issues-client.server.ts";
import {
  issueDocument,
  issuePassages,
  pageDocuments,
  type SearchDocument,
} from "./search-documents.server.ts";
import { indexedForm, isCommonWord, wordsOf } from "./words.server.ts";

/** What can be searched at a moment. MiniSearch ranks by BM25 and knows prefixes and misspellings. */
export type SearchIndex = {
  words: MiniSearch<SearchDocument>;
  documents: ReadonlyMap<string, SearchDocument>;
};

/** Newest issues that are searched: nearly four years of weekly ones. */
const maxIssues = 200;

/** After this time the issues are read again even if their list is the same, since a body may have been mended. */
const maxAgeMs = 10 * 60_000;

type Built = { key: string; builtAt: number; index: Promise<SearchIndex | null> };

let latest: Built | null = null;
let pagesAlone: SearchIndex | null = null;
/** Of the last index, so that a new issue is the only one whose body is prepared again. */
let passagesByBody: ReadonlyMap<string, string[]> = new Map();

/** The index of pages and issues as they are now; of the pages alone where the issues can't be read. */
export async function currentIndex(
  access: IssuesAccess,
): Promise<{ index: SearchIndex; isPagesOnly: boolean }> {
  const read = await readIssueHeads(access);
  const index = read.ok ? await indexWithIssues(access, read.heads) : null;
  if (index) return { index, isPagesOnly: false };
  pagesAlone ??= indexOf(pageDocuments());
  return { index: pagesAlone, isPagesOnly: true };
}

/** Searches that come while an index is made wait for the same one. */
function indexWithIssues(access: IssuesAccess, heads: IssueHead[]): Promise<SearchIndex | null> {
  const key = JSON.stringify([heads.length, ...heads.slice(0, maxIssues)]);
  const isCurrent = latest?.key === key && performance.now() - latest.builtAt < maxAgeMs;
  if (!latest || !isCurrent) {
    const building: Built = { key, builtAt: performance.now(), index: build(access) };
    latest = building;
    const forget = () => {
      if (latest === building) latest = null;
    };
    building.index.then((index) => index ?? forget(), forget);
  }
  return latest.index;
}

async function build(access: IssuesAccess): Promise<SearchIndex | null> {
  const read = await readIssues(access);
  if (!read.ok) return null;
  const { issues } = read;
  const documents = pageDocuments();
  const passages = new Map<string, string[]>();
  for (const [index, issue] of issues.slice(0, maxIssues).entries()) {
    const body = issue.content_markdown;
    const known = passagesByBody.get(body);
    // A body that is new takes milliseconds; other visitors are served before the next.
    if (!known) await nextTurn();
    const own = known ?? issuePassages(issue);
    passages.set(body, own);
    documents.push(issueDocument(issue, issues.length - index, own));
  }
  passagesByBody = passages;
  return indexOf(documents);
}

function indexOf(documents: SearchDocument[]): SearchIndex {
  const words = new MiniSearch<SearchDocument>({
    idField: "path",
    fields: ["title", "headings", "description", "passages"],
    tokenize: wordsOf,
    processTerm: (word) => {
      const indexed = indexedForm(word);
      return indexed === "" || isCommonWord(indexed) ? null : indexed;
    },
  });
  words.addAll(documents);
  return { words, documents: new Map(documents.map((document) => [document.path, document])) };
}
