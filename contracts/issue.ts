import * as v from "valibot";

/** The table of the newsletter's issues, in our database and in a hosted one. */
export const issuesTable = "final_newsletters";

export const issueColumns = ["id", "title", "content_markdown", "publish_date"] as const;

/**
 * A row of `final_newsletters` on the REST wire. Despite its name, `content_markdown` holds HTML or a full HTML document.
 * `publish_date` is `YYYY-MM-DD` or an ISO 8601 time. An existing hosted table may hold NULLs.
 */
export const issueRowSchema = v.object({
  id: v.pipe(v.union([v.number(), v.string()]), v.transform(Number), v.safeInteger()),
  title: v.pipe(
    v.nullable(v.string()),
    v.transform((title) => title ?? ""),
  ),
  content_markdown: v.pipe(
    v.nullable(v.string()),
    v.transform((body) => body ?? ""),
  ),
  publish_date: v.nullable(v.string()),
});

/** In characters. Fuzzy matching slows down with the length of a word. */
const wordMaxLength = 32;

// Words may contain apostrophes and dots: don't, Realtor.ca, 5.44. No two parts match the same text, so matching takes
// linear time.
const word = /[\p{L}\p{N}]+(?:['’.][\p{L}\p{N}]+)*/gu;

/** Too common to distinguish one page from another. */
const commonWords = new Set(
  "a an and are as at be by do for from has have how i if in is it its of on or our so that the their they this to was we what when which who will with you your".split(
    " ",
  ),
);

export function wordsOf(text: string): string[] {
  return text.match(word) ?? [];
}

/** Splits a text into words and the text between them. The parts joined are the text again. */
export function splitAtWords(text: string): { text: string; isWord: boolean }[] {
  const parts = text.split(new RegExp(`(${word.source})`, "u"));
  return parts
    .map((part, at) => ({ text: part, isWord: at % 2 === 1 }))
    .filter((part) => part.text !== "");
}

const plainWord = /^[a-z\d]+$/i;
const pluralEnding = /(?<=[a-z]{2}[a-rt-z])s$/;

/** A word as the index stores it: in lower case and the singular, without accents and apostrophes. */
export function indexedForm(word: string): string {
  const plain = plainWord.test(word) ? word : word.normalize("NFKD").replace(/[\p{M}'’]+/gu, "");
  const form = plain.toLowerCase().slice(0, wordMaxLength);
  return form.endsWith("s") ? form.replace(pluralEnding, "") : form;
}

export function isCommonWord(indexed: string): boolean {
  return commonWords.has(indexed);
}

/** The uncommon words of a text in order, as the index stores them: letters and digits only. */
export function indexedWords(text: string): string[] {
  return wordsOf(text)
    .flatMap((word) => indexedForm(word).split("."))
    .filter((word) => word !== "" && !isCommonWord(word));
}

const shortestPrefix = 3;

const withoutLetters = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u;

/**
 * Whether words that begin with this one match. One or two letters would match too much, but not one or two syllables.
 */
export function isPrefix(word: string): boolean {
  return word.length >= shortestPrefix || withoutLetters.test(word);
}

const queryMaxWords = 6;

/** A text in lower case, without accents on Latin letters. In other scripts a mark makes another letter: й, デ. */
export function foldWord(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/(?<=\p{sc=Latin})\p{M}+/gu, "")
    .normalize("NFC")
    .toLowerCase();
}

/** The distinct uncommon words of a query, letters and digits only. */
export function searchWords(query: string): string[] {
  const words = foldWord(query).match(/[\p{L}\p{N}]+/gu) ?? [];
  const wanted = words.map((word) => word.slice(0, wordMaxLength));
  return [...new Set(wanted)].filter((word) => !commonWords.has(word)).slice(0, queryMaxWords);
}
