import type { HighlightedText, IssueQuery } from "#contracts/ports.ts";
import { cutAtWord, foldWord } from "#contracts/text.ts";

// The rules of the search: its address, its words, and how they are shown in what was found.

/** In UTF-16 code units, for the search and the field. */
export const queryMaxLength = 100;

/**
 * The query on one line, cut to the limit; empty if there is none. Joiners stay: they are part of a word's spelling, or
 * of an emoji.
 */
export function readQuery(params: URLSearchParams): string {
  const raw = (params.get("q") ?? "").slice(0, queryMaxLength).toWellFormed();
  return raw.replace(/(?:\s|\p{Cc}|(?![\u200c\u200d])\p{Cf})+/gu, " ").trim();
}

/** The page of results, counted from 1. Anything but a valid number means the first. */
export function readPage(params: URLSearchParams): number {
  const asked = params.get("page") ?? "";
  return /^[1-9]\d{0,2}$/.test(asked) ? Number(asked) : 1;
}

export function searchAddress(query: string, page = 1): string {
  const params = new URLSearchParams({ q: query });
  if (page > 1) params.set("page", String(page));
  return `/search?${params}`;
}

/** Too common to distinguish one page from another. */
export const commonWords = new Set(
  "a an and are as at be by do for from has have how i if in is it its of on or our so that the their they this to was we what when which who will with you your".split(
    " ",
  ),
);

/** The cost of a search grows with its words and, where misspelt words are looked for, with their length. */
const queryMaxWords = 6;
const wordMaxLength = 32;

/** The folded words of a text: runs of letters and digits. */
export function tokensOf(text: string): string[] {
  const words = foldWord(text).match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => word.slice(0, wordMaxLength));
}

export function queryWords(query: string): string[] {
  const wanted = new Set(tokensOf(query).filter((word) => !commonWords.has(word)));
  return [...wanted].slice(0, queryMaxWords);
}

const withoutLetters = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u;

/**
 * `words` matches whole words in any form. `beginnings` also matches words that begin with one of three letters or more:
 * shorter ones, and the stems that a database makes of words, match too much.
 */
export type Matching = "words" | "beginnings";

/** Without spaces between words, only their beginnings can be matched. */
export function isPrefix(word: string, matching: Matching): boolean {
  return withoutLetters.test(word) || (matching === "beginnings" && word.length >= 3);
}

export function issueQuery(
  words: readonly string[],
  combine: IssueQuery["combine"],
  matching: Matching = "words",
): IssueQuery {
  return { words: words.map((word) => ({ word, isPrefix: isPrefix(word, matching) })), combine };
}

const endings =
  "(?<!s)s|es|e|e?d|ies|ied|y|ings?|ions?|ations?|ate[sd]?|ating|[eo]rs?|al|ally|ly|ments?|ness|able|ively?";
const ending = new RegExp(`(?<=^.{3,})(?:${endings})$`);

/** What the forms of an English word have in common. Pages are indexed by it. */
export function stemOf(word: string): string {
  return word.replace(ending, "").replace(/(?<=^..)([bdgmnprt])\1$/, "$1");
}

/** A pattern of folded words: the forms of `word`, and where it is a beginning, the words that begin with it. */
function formsOf(word: string, matching: Matching): RegExp {
  if (isPrefix(word, matching)) return new RegExp(`^${word}`, "u");
  if (word.length < 3) return new RegExp(`^${word}$`, "u");
  const stem = stemOf(word);
  return new RegExp(`^${stem}${stem.at(-1)}?(?:${endings})?$`, "u");
}

/** Returns the searched word that a word of a text is a form of, or null. */
export type FindForm = (word: string) => string | null;

/**
 * Finds forms as both databases' stemmers do, or nearly: they decide what is found, and this only what is highlighted.
 */
export function formFinder(words: readonly string[], matching: Matching = "words"): FindForm {
  const forms = words.map((word) => ({ word, pattern: formsOf(word, matching) }));
  const known = new Map<string, string | null>();
  return (word) => {
    let found = known.get(word);
    if (found === undefined) {
      const folded = foldWord(word);
      found = forms.find(({ pattern }) => pattern.test(folded))?.word ?? null;
      known.set(word, found);
    }
    return found;
  };
}

const wordAsWritten = /[\p{L}\p{N}\p{M}]+/gu;

/** The parts at odd positions are the words found. */
export function highlight(text: string, findForm: FindForm): HighlightedText {
  const highlighted: HighlightedText = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(wordAsWritten)) {
    if (findForm(word) === null) continue;
    highlighted.push(text.slice(end, index), word);
    end = index + word.length;
  }
  if (end < text.length || end === 0) highlighted.push(text.slice(end));
  return highlighted;
}

export function hasAll(text: string, findForm: FindForm, count: number): boolean {
  const found = new Set(text.match(wordAsWritten)?.map(findForm));
  found.delete(null);
  return found.size >= count;
}

/** In characters: an excerpt's length, and its part before the first word found. */
const excerptLength = { whole: 220, before: 70 };

/**
 * The part of the passages with the most of the words, highlighted. Reads no further than the first part with `count` of
 * them.
 */
export function excerptOf(
  passages: Iterable<string>,
  findForm: FindForm,
  count: number,
): HighlightedText {
  let best = { passage: "", at: 0, found: -1 };
  for (const passage of passages) {
    if (best.found < 0) best = { passage, at: 0, found: 0 };
    const near: { word: string; at: number }[] = [];
    for (const { 0: text, index } of passage.matchAll(wordAsWritten)) {
      const word = findForm(text);
      if (word === null) continue;
      const end = index + text.length;
      near.push({ word, at: index });
      const room = excerptLength.whole - excerptLength.before;
      while (near[0] && end - near[0].at > room) near.shift();
      const found = new Set(near.map((one) => one.word)).size;
      if (found > best.found) best = { passage, at: near[0]?.at ?? index, found };
      if (best.found === count) return highlight(cutAround(best.passage, best.at), findForm);
    }
  }
  return highlight(cutAround(best.passage, best.at), findForm);
}

/** A few lines around a position, from the start of its line or of a word. */
function cutAround(passage: string, at: number): string {
  const plain = (text: string) => text.replace(/\s+/g, " ").trim();
  const { whole, before } = excerptLength;
  if (passage.length <= whole) return plain(passage);
  const earliest = Math.max(0, at - before);
  const line = passage.slice(earliest, at).lastIndexOf("\n") + 1;
  const space = passage.slice(earliest, at).search(/\s/) + 1;
  const from = earliest + (line || (earliest === 0 ? 0 : space));
  const start = from === 0 || line ? "" : "… ";
  return start + cutAtWord(plain(passage.slice(from, from + 2 * whole)), whole);
}
