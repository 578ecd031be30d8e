/** What the operator types of a draft. `publish_date` is `YYYY-MM-DD`, or empty for the day of publication. */
export type DraftWords = {
  title: string;
  preheader: string;
  publish_date: string;
  format: "markdown" | "html";
  body: string;
};

const names = ["title", "preheader", "publish_date", "format", "body"] as const;

export function sameWords(words: DraftWords, others: DraftWords): boolean {
  return names.every((name) => words[name] === others[name]);
}
