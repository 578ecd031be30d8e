/** Longest query string, in characters. */
export const queryMaxLength = 4_096;
/** Longest `Accept`, `Accept-Profile`, `Prefer` and `Range` header, in characters. */
export const headerMaxLength = 1_024;
/** Most names and values in a query string, words such as `select` among them. */
export const parametersMax = 16;
/** Most filters; the table has three columns that can be filtered. */
export const filtersMax = 8;
/** Longest value of a filter, or of one place in a list, in characters; a title has at most 200. */
export const filterValueMaxLength = 512;
/** Most values in the list of an `in` filter. */
export const listMaxValues = 100;
/** Longest term of `select` or `order`, in characters. Each meets a regular expression, so the bound is on its cost too. */
export const termMaxLength = 160;
/** Most terms of `select` or `order` that are looked at: no more than the table has columns can be right. */
export const termsMax = 4;
/** Longest name that a field may be given, in characters. */
export const aliasMaxLength = 63;

/** Most rows in one answer, whatever was asked; PostgREST's `db-max-rows`, at hosted projects' default. */
export const maxRows = 1_000;
/** Most text in one answer, in bytes of the stored bodies; JSON's escapes bring it to at most about 2 MB. */
export const answerMaxBytes = 1_800_000;
/** Bodies' lengths are looked up for so many rows at a time, until they are too long together. */
export const sizedAtOnce = 100;
/** Bodies are read by so many bytes at a time, or one by one where they are longer. */
export const pieceBytes = 64 * 1024;

/** Visitors' requests that may read at once. */
export const readsAtOnce = 4;
/** Visitors' requests that may wait for their turn to read. */
export const readQueueMax = 64;
/** Longest wait for the turn. */
export const readWaitMaxMs = 2_000;
/** Answers longer than one piece that may be under way to clients at once. */
export const longAnswersMax = 32;
/** A client that hasn't taken such an answer by then gets no more of it. */
export const longAnswerMaxMs = 30_000;
