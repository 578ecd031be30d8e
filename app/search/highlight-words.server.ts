import { indexedForm, splitAtWords, wordsOf } from "#contracts/search-words.ts";
import type { HighlightedText } from "./search-outcome.ts";

/**
 * How long an excerpt is, about, how much of it stands before the first word that was found, and how short a passage
 * is that the next one follows. In characters.
 */
const excerptLength = { whole: 220, before: 70, short: 90 };

/** The text with each word highlighted that is one of `found`. */
export function highlightWords(text: string, found: ReadonlySet<string>): HighlightedText {
  const highlighted: HighlightedText = [""];
  for (const { text: part, isWord } of splitAtWords(text)) {
    if (isWord && found.has(indexedForm(part))) highlighted.push(part, "");
    else highlighted[highlighted.length - 1] += part;
  }
  if (highlighted.at(-1) === "") highlighted.pop();
  return highlighted;
}

/** The words of a text, as the index keeps them. */
export function formsOf(text: string): ReadonlySet<string> {
  return new Set(wordsOf(text).map(indexedForm));
}

/** The passage that has most of the words, cut to a few lines around the first of them. */
export function excerptOf(
  passages: readonly string[],
  found: ReadonlySet<string>,
  formsOfPassage = formsOf,
): HighlightedText {
  let best = 0;
  let bestCount = 0;
  for (const [index, passage] of passages.entries()) {
    const count = found.intersection(formsOfPassage(passage)).size;
    if (count > bestCount) [best, bestCount] = [index, count];
  }
  const [passage = "", next] = passages.slice(best, best + 2);
  const isShort = passage.length < excerptLength.short && next !== undefined;
  return highlightWords(cutAround(isShort ? `${passage} … ${next}` : passage, found), found);
}

function cutAround(passage: string, found: ReadonlySet<string>): string {
  const text = passage.replace(/\s+/g, " ").trim();
  if (text.length <= excerptLength.whole) return text;
  const start = Math.max(0, firstMatch(text, found) - excerptLength.before);
  const from = start === 0 ? 0 : text.indexOf(" ", start) + 1;
  const to = text.lastIndexOf(" ", from + excerptLength.whole);
  const isWhole = from + excerptLength.whole >= text.length;
  const cut = isWhole ? text.slice(from) : text.slice(from, Math.max(to, from + 1));
  // A word of a letter or two says nothing at the end, and may stand there in a line by itself.
  const end = isWhole ? cut : `${cut.replace(/(?: \S{1,2})+$/, "")} …`;
  return `${from > 0 ? "… " : ""}${end}`;
}

function firstMatch(text: string, found: ReadonlySet<string>): number {
  let position = 0;
  for (const { text: part, isWord } of splitAtWords(text)) {
    if (isWord && found.has(indexedForm(part))) return position;
    position += part.length;
  }
  return 0;
}
