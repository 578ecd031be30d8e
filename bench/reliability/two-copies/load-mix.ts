export type Kind = "pages" | "files" | "searches" | "API reads" | "sign-ups" | "messages";

/** So many of each kind are begun a second: 500. */
export const perSecond: Record<Kind, number> = {
  pages: 295,
  files: 140,
  searches: 4,
  "API reads": 50,
  "sign-ups": 8,
  // Mail about more than 300 at once would be paced, and the end of it waited for.
  messages: 3,
};
