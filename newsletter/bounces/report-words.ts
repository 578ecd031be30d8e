const wordsMaxLength = 500;
/** Of what comes so much is looked at, so that no report costs more than another. */
const readMaxLength = 4_000;

const address = /<?[^\s<>@;:,()]{1,64}@[^\s<>@;:,()]{1,255}>?/g;

/** A mail server's words as they are kept: on one line, without the addresses that servers like to repeat. */
export function reportWords(words: string): string {
  return words
    .slice(0, readMaxLength)
    .toWellFormed()
    .replace(address, "the address")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, wordsMaxLength)
    .toWellFormed();
}
