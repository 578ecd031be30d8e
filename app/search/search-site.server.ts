import { setImmediate as nextRound } from "node:timers/promises";
import MiniSearch, { type SearchOptions } from "minisearch";
import { hours, openHours } from "#content/hours.ts";
import { type FactName, named, ownWords, pageWords } from "#content/own-words.ts";
import { contact } from "#content/pages/contact.ts";
import { newsletter } from "#content/pages/newsletter.ts";
import { searchForm } from "#content/site.ts";
import { pageName, type SitePage, sitePages } from "#content/site-pages.ts";
import { type Fact, siteFacts } from "#content/site-words.ts";
import { cutAtWord, foldWord } from "#content/text.ts";
import { issueLine } from "../newsletter/issues.ts";
import { listed } from "../newsletter/load-issues.server.ts";
import type { IssueHead, SiteServices } from "../ports.ts";

/** Even positions are plain, odd ones match the query. */
export type HighlightedText = string[];

export type SearchOutcome = ReturnType<ReturnType<typeof createSearch>["find"]>;

const pageLength = 10;

/** A search's cost grows with its words. */
const queryMaxWords = 6;
const wordMaxLength = 32;

/** Bounds an issue's memory and an excerpt's time. */
const searchedMaxLength = 40_000;

const commonWords = new Set(
  "a an and are as at be by do for from has have how i if in is it its of on or our so that the their they this to was we what when which who will with you your".split(
    " ",
  ),
);

const ending =
  /(?<=^.{3,})(?:(?<!s)s|es|e|e?d|ies|ied|y|ings?|ions?|ations?|ate[sd]?|ating|[eo]rs?|al|ally|ly|ments?|ness|able|ively?)$/;

const wordPattern = /[\p{L}\p{N}\p{M}]+/gu;

/** The word's stem; null if it is too common. */
function termOf(word: string): string | null {
  const folded = foldWord(word).slice(0, wordMaxLength);
  if (commonWords.has(folded)) return null;
  return folded.replace(ending, "").replace(/(?<=^..)([bdgmnprt])\1$/, "$1");
}

const withoutSpaces = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u;

/** In this order: as typed, misspelt or begun, some of the words. */
const asTyped: SearchOptions = {
  boost: { title: 6, summary: 3 },
  prefix: (term) => withoutSpaces.test(term),
  weights: { prefix: 0.5, fuzzy: 0.25 },
  combineWith: "AND",
};
const misspelt: SearchOptions = {
  ...asTyped,
  prefix: (term) => withoutSpaces.test(term) || term.length >= 3,
  // A swap of two letters counts as two changes.
  fuzzy: (term) => (term.length >= 6 ? 2 : term.length >= 5 && 1),
};
const modes: SearchOptions[] = [asTyped, misspelt, { ...misspelt, combineWith: "OR" }];

type Document = {
  path: string;
  head: IssueHead | null;
  bodyKey?: string | undefined;
  title: string;
  summary?: string;
  text: string;
};

const pathOf = ({ id }: IssueHead) => `${newsletter.head.path}/${id}`;

type Found = { document: Document; terms: ReadonlySet<string>; rank: number; score: number };

export function createSearch({ archive, settings, reportError }: SiteServices) {
  const documents = new Map<string, Document>();
  const index = new MiniSearch<Document>({
    idField: "path",
    fields: ["title", "summary", "text"],
    tokenize: (text) => text.match(wordPattern) ?? [],
    processTerm: termOf,
  });
  const indexed: { words?: unknown; heads?: readonly IssueHead[] } = { words: null };
  let renewal = Promise.resolve(false);

  async function put(document: Document): Promise<void> {
    if (documents.has(document.path)) index.discard(document.path);
    index.add(document);
    documents.set(document.path, document);
    await nextRound();
  }

  async function indexIssues(heads: readonly IssueHead[]): Promise<void> {
    const bodyKeys = await archive.bodyKeys();
    const gone = new Set([...documents.values()].flatMap(({ head, path }) => (head ? path : [])));
    const changed: IssueHead[] = [];
    for (const head of heads) {
      const path = pathOf(head);
      gone.delete(path);
      const known = documents.get(path);
      const bodyKey = bodyKeys.get(head.id);
      const isSame = bodyKey && known?.bodyKey === bodyKey && known.title === head.title;
      if (known && isSame) known.head = head;
      else changed.push(head);
    }
    while (changed.length > 0) {
      const some = changed.splice(0, 20);
      const texts = await archive.plainTexts(some.map(({ id }) => id));
      for (const head of some) {
        const { id, title } = head;
        const text = (texts.get(id) ?? "").slice(0, searchedMaxLength);
        await put({ path: pathOf(head), head, bodyKey: bodyKeys.get(id), title, text });
      }
    }
    for (const path of gone) {
      index.discard(path);
      documents.delete(path);
    }
  }

  /** Title matches first, and pages before issues. A page past the end means the last. */
  function find(query: string, page: number, isPagesOnly: boolean) {
    const words = (query.match(wordPattern) ?? []).flatMap((word) => termOf(word) ?? []);
    const terms = [...new Set(words)].slice(0, queryMaxWords);
    let found: Found[] = [];
    const mode = modes.find((options) => {
      const hits = index.search("", {
        ...options,
        tokenize: () => terms,
        processTerm: (term) => term,
      });
      found = hits.flatMap(({ id, match, score }) => {
        const document = documents.get(id);
        if (!document || (isPagesOnly && document.head)) return [];
        const inTitle = Object.values(match).filter((fields) => fields.includes("title"));
        const rank = (inTitle.length >= terms.length ? 0 : 2) + (document.head ? 1 : 0);
        return { document, terms: new Set(Object.keys(match)), rank, score };
      });
      return found.length > 0;
    });
    const idOf = ({ document }: Found) => document.head?.id ?? 0;
    found.sort((a, b) => a.rank - b.rank || b.score - a.score || idOf(b) - idOf(a));
    const pages = Math.max(1, Math.ceil(found.length / pageLength));
    const shown = Math.min(page, pages);
    const before = (shown - 1) * pageLength;
    return {
      results: found.slice(before, before + pageLength).map((one) => present(one, terms.length)),
      before,
      total: found.length,
      page: shown,
      pages,
      hasSomeWordsOnly: mode?.combineWith === "OR",
      isPagesOnly,
    };
  }

  /** Returns whether the issues are in the index too. */
  async function renew(): Promise<boolean> {
    const heads = await archive.heads().catch((error) => void reportError(error));
    const { words } = settings;
    renewal = renewal
      .then(async () => {
        if (words !== indexed.words)
          for (const page of sitePages) await put(documentOfPage(page, settings));
        indexed.words = words;
        if (heads && heads !== indexed.heads) await indexIssues(heads);
        indexed.heads = heads ?? indexed.heads;
        return heads !== undefined;
      })
      .catch((error) => {
        reportError(error);
        return false;
      });
    return await renewal;
  }

  return {
    renew,
    find,
    /** Null without a query. */
    async search(params: URLSearchParams) {
      const query = readQuery(params);
      const outcome = query === "" ? null : find(query, readPage(params), !(await renew()));
      return { query, outcome };
    },
  };
}

/** On one line, cut to the limit. Joiners are part of spellings and emoji. */
function readQuery(params: URLSearchParams): string {
  const raw = (params.get("q") ?? "").slice(0, searchForm.maxLength).toWellFormed();
  return raw.replace(/(?:\s|\p{Cc}|(?![\u200c\u200d])\p{Cf})+/gu, " ").trim();
}

/** Counted from 1; 1 if malformed. */
function readPage(params: URLSearchParams): number {
  const asked = params.get("page") ?? "";
  return /^[1-9]\d{0,2}$/.test(asked) ? Number(asked) : 1;
}

type FindTerm = (word: string) => string | null;

function present({ document: { path, head, title, text }, terms }: Found, count: number) {
  const findTerm: FindTerm = (word) => {
    const term = termOf(word);
    return term !== null && terms.has(term) ? term : null;
  };
  return {
    path,
    issueLine: head && issueLine(listed(head)),
    title: highlight(title, findTerm),
    excerpt: highlight(excerptOf(text, findTerm, count), findTerm),
  };
}

function highlight(text: string, findTerm: FindTerm): HighlightedText {
  const parts = [""];
  for (const part of text.split(/([\p{L}\p{N}\p{M}]+)/u)) {
    if (findTerm(part) === null) parts[parts.length - 1] += part;
    else parts.push(part, "");
  }
  return parts;
}

const excerptLength = { whole: 220, before: 70 };

/** Prefers a sentence over a heading or a cell. */
function excerptOf(text: string, findTerm: FindTerm, count: number): string {
  const { whole, before } = excerptLength;
  const lines = text.split("\n");
  let best = { line: lines[0] ?? "", at: 0, found: 0 };
  for (const line of [...lines.filter(isSentence), ...lines]) {
    const near: { term: string; at: number }[] = [];
    for (const { 0: word, index } of line.matchAll(wordPattern)) {
      const term = findTerm(word);
      if (term === null) continue;
      near.push({ term, at: index });
      while (near[0] && index + word.length - near[0].at > whole - before) near.shift();
      const found = new Set(near.map((one) => one.term)).size;
      if (found > best.found) best = { line, at: near[0]?.at ?? index, found };
    }
    if (best.found >= count) break;
  }
  const { line, at } = best;
  if (line.length <= whole || at <= before) return cutAtWord(line, whole);
  const from = Math.min(at, line.indexOf(" ", at - before) + 1 || at);
  return `… ${cutAtWord(line.slice(from), whole)}`;
}

function isSentence(text: string): boolean {
  return /[.!?]\S?$/.test(text) && text.split(" ").length >= 4;
}

function documentOfPage(page: SitePage, site: SiteServices["settings"]): Document {
  const { head, ...words } = named(site, pageWords(site, page));
  const { path, description } = head;
  const own = Object.entries<Fact>(siteFacts)
    .filter(([, { path: factPath, at }]) => factPath === path && at)
    .map(([name, { at, usual }]) => [at, ownWords(site, name as FactName, usual)] as const);
  const lines = [description, ...wordsIn(words, new Map(own))];
  if (path === contact.head.path) lines.push(openHours(ownWords(site, "hours", hours)));
  const title = pageName({ head });
  return { path, head: null, title, summary: description, text: lines.join("\n") };
}

/** Their values aren't visible words. */
const wordless = new Set(["path", "id", "source", "sheet", "step", "failure", "empty", "notFound"]);

/** With the owner's words in place of ours. */
function wordsIn(usual: unknown, own: ReadonlyMap<string | undefined, object>, at = ""): string[] {
  const value = own.get(at) ?? usual;
  if (typeof value === "string") return [value];
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([inner, item]) =>
    wordless.has(inner) ? [] : wordsIn(item, own, at ? `${at}.${inner}` : inner),
  );
}
