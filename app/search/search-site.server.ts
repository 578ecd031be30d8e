import { setImmediate as nextRound } from "node:timers/promises";
import MiniSearch, { type SearchOptions, type SearchResult } from "minisearch";
import { hours, openHours } from "#content/hours.ts";
import { type FactName, named, ownWords, pageWords } from "#content/own-words.ts";
import { contact } from "#content/pages/contact.ts";
import { newsletter } from "#content/pages/newsletter.ts";
import { searchForm } from "#content/site.ts";
import { pageName, type SitePage, sitePages } from "#content/site-pages.ts";
import { type Fact, siteFacts } from "#content/site-words.ts";
import { cutAtWord, foldText } from "#content/text.ts";
import { issueLine } from "../newsletter/issues.ts";
import { listed } from "../newsletter/load-issues.server.ts";
import type { IssueHead, SiteServices } from "../ports.ts";

/** Even positions are plain, odd ones match the query. */
export type HighlightedText = string[];

export type SearchOutcome = ReturnType<ReturnType<typeof createSearch>["find"]>;

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
  const folded = foldText(word).slice(0, wordMaxLength);
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
  /** 0 for a page. */
  issueId: number;
  issueLine: string | null;
  title: string;
  summary?: string;
  text: string;
};

type Found = Document & { terms: ReadonlySet<string>; rank: number; score: number };

export function createSearch({ archive, settings, reportError }: SiteServices) {
  let built: { index: MiniSearch<Document>; heads?: readonly IssueHead[]; words?: unknown } | null =
    null;
  let renewal = Promise.resolve(false);

  async function build(heads: readonly IssueHead[]): Promise<MiniSearch<Document>> {
    // A stem takes longer than all else, and words recur.
    const terms = new Map<string, string | null>();
    const index = new MiniSearch<Document>({
      idField: "path",
      fields: ["title", "summary", "text"],
      storeFields: ["path", "issueId", "issueLine", "title", "text"],
      tokenize: (text) => text.match(wordPattern) ?? [],
      processTerm: (word) => {
        const term = terms.get(word) ?? termOf(word);
        terms.set(word, term);
        return term;
      },
    });
    for (const page of sitePages) index.add(documentOfPage(page, settings));
    for (let at = 0; at < heads.length; at += 20) {
      const some = heads.slice(at, at + 20);
      const texts = await archive.plainTexts(some.map(({ id }) => id));
      for (const head of some) {
        const path = `${newsletter.head.path}/${head.id}`;
        const text = (texts.get(head.id) ?? "").slice(0, searchedMaxLength);
        const issue = { issueId: head.id, issueLine: issueLine(listed(head)) };
        index.add({ path, ...issue, title: head.title, text });
        await nextRound();
      }
    }
    return index;
  }

  /** Title matches first, and pages before issues. */
  function find(query: string, isPagesOnly: boolean) {
    const words = (query.match(wordPattern) ?? []).flatMap((word) => termOf(word) ?? []);
    const terms = [...new Set(words)].slice(0, queryMaxWords);
    let found: Found[] = [];
    const mode = modes.find((options) => {
      const hits = built?.index.search("", {
        ...options,
        tokenize: () => terms,
        processTerm: (term) => term,
        filter: ({ issueId }) => !isPagesOnly || issueId === 0,
      }) as (SearchResult & Document)[];
      found = hits.map(({ match, ...document }) => {
        const inTitle = Object.values(match).filter((fields) => fields.includes("title"));
        const rank = (inTitle.length >= terms.length ? 0 : 2) + (document.issueId > 0 ? 1 : 0);
        return { ...document, terms: new Set(Object.keys(match)), rank };
      });
      return found.length > 0;
    });
    found.sort((a, b) => a.rank - b.rank || b.score - a.score || b.issueId - a.issueId);
    return {
      results: found.slice(0, 20).map((one) => present(one, terms.length)),
      total: found.length,
      hasSomeWordsOnly: mode?.combineWith === "OR",
      isPagesOnly,
    };
  }

  /** Builds the index anew after a change. Returns whether it has the issues, too. */
  async function renewed(): Promise<boolean> {
    const { words } = settings;
    try {
      const heads = await archive.heads();
      if (heads !== built?.heads || words !== built.words) {
        built = { index: await build(heads), heads, words };
      }
      return true;
    } catch (error) {
      reportError(error);
      built ??= { index: await build([]) };
      return false;
    }
  }

  function renew(): Promise<boolean> {
    renewal = renewal.then(renewed);
    return renewal;
  }

  return {
    renew,
    find,
    /** Null without a query. */
    async search(params: URLSearchParams) {
      const query = readQuery(params);
      const outcome = query === "" ? null : find(query, !(await renew()));
      return { query, outcome };
    },
  };
}

/** On one line, cut to the limit. Joiners are part of spellings and emoji. */
function readQuery(params: URLSearchParams): string {
  const raw = (params.get("q") ?? "").slice(0, searchForm.maxLength).toWellFormed();
  return raw.replace(/(?:\s|\p{Cc}|(?![\u200c\u200d])\p{Cf})+/gu, " ").trim();
}

type FindTerm = (word: string) => string | null;

function present({ path, issueLine, title, text, terms }: Found, count: number) {
  const findTerm: FindTerm = (word) => {
    const term = termOf(word);
    return term !== null && terms.has(term) ? term : null;
  };
  return {
    path,
    issueLine,
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

/** Prefers a sentence over a heading or a cell. */
function excerptOf(text: string, findTerm: FindTerm, count: number): string {
  const [whole, before] = [220, 70];
  const lines = text.split("\n");
  const sentences = lines.filter((line) => /[.!?]\S?$/.test(line) && line.split(" ").length >= 4);
  let best = { line: lines[0] ?? "", at: 0, found: 0 };
  for (const line of [...sentences, ...lines]) {
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

function documentOfPage(page: SitePage, site: SiteServices["settings"]): Document {
  const { head, ...words } = named(site, pageWords(site, page));
  const { path, description } = head;
  const own = Object.entries<Fact>(siteFacts)
    .filter(([, { path: factPath, at }]) => factPath === path && at)
    .map(([name, { at, usual }]) => [at, ownWords(site, name as FactName, usual)] as const);
  const lines = [description, ...wordsIn(words, new Map(own))];
  if (path === contact.head.path) lines.push(openHours(ownWords(site, "hours", hours)));
  const title = pageName({ head });
  return { path, issueId: 0, issueLine: null, title, summary: description, text: lines.join("\n") };
}

/** Their values aren't visible words. */
const wordless = new Set(
  "path id source factors message step failure empty notFound thumbnail".split(" "),
);

/** With the owner's words in place of ours. */
function wordsIn(usual: unknown, own: ReadonlyMap<string | undefined, object>, at = ""): string[] {
  const value = own.get(at) ?? usual;
  if (typeof value === "string") return [value];
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([inner, item]) =>
    wordless.has(inner) ? [] : wordsIn(item, own, at ? `${at}.${inner}` : inner),
  );
}
