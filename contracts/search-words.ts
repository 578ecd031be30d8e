/** Longest word that is searched for, in characters: fuzzy matching takes time with the length. */
const wordMaxLength = 32;

// A word, and inside it apostrophes and points: don't, Realtor.ca, 5.44. No two parts can match the same text, so it
// takes time in proportion to the length.
const word = /[\p{L}\p{N}]+(?:['’.][\p{L}\p{N}]+)*/gu;

/** Too common to tell one page from another. */
const commonWords = new Set(
  "a an and are as at be by do for from has have how i if in is it its of on or our so that the their they this to was we what when which who will with you your".split(
    " ",
  ),
);

/** The words of a text, as they are written. */
export function wordsOf(text: string): string[] {
  return text.match(word) ?? [];
}

/** Splits a text into words and what stands between them; joined again they are the text. */
export function splitAtWords(text: string): { text: string; isWord: boolean }[] {
  const parts: { text: string; isWord: boolean }[] = [];
  let end = 0;
  for (const match of text.matchAll(word)) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index), isWord: false });
    parts.push({ text: match[0], isWord: true });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isWord: false });
  return parts;
}

const plainWord = /^[a-z\d]+$/i;
const pluralEnding = /(?<=[a-z]{2}[a-rt-z])s$/;

/** A word as the index keeps it: without case, accents and apostrophes, and in the singular. */
export function indexedForm(word: string): string {
  // Most words are letters and digits of ASCII; the rest takes three times as long.
  const plain = plainWord.test(word) ? word : word.normalize("NFKD").replace(/[\p{M}'’]+/gu, "");
  const form = plain.toLowerCase().slice(0, wordMaxLength);
  return form.endsWith("s") ? form.replace(pluralEnding, "") : form;
}

export function isCommonWord(indexed: string): boolean {
  return commonWords.has(indexed);
}

/** The words of a text that tell it from others, as the index keeps them, in order. Letters and digits alone. */
export function indexedWords(text: string): string[] {
  return wordsOf(text)
    .flatMap((word) => indexedForm(word).split("."))
    .filter((word) => word !== "" && !isCommonWord(word));
}

/** Shorter words are not the beginnings of others: they would have too many. */
export const shortestPrefix = 3;

/** Most different words of a query that issues are searched for. */
const queryMaxWords = 6;

/** A text without case and accents. */
export function foldWord(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
}

/** The words of a query that issues are searched for: letters and digits alone, each once. */
export function searchWords(query: string): string[] {
  const words = foldWord(query).match(/[\p{L}\p{N}]+/gu) ?? [];
  const wanted = words.map((word) => word.slice(0, wordMaxLength));
  return [...new Set(wanted)].filter((word) => !commonWords.has(word)).slice(0, queryMaxWords);
}
