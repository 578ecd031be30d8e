export type DraftWords = {
  title: string;
  preheader: string;
  /** HTML. */
  body: string;
};

/** Before a plan, what is typed is saved only when somebody asks for it: no plan publishes half a sentence. */
export const quietBeforePlanMs = 5 * 60_000;

const names = ["title", "preheader", "body"] as const;

export function sameWords(words: DraftWords, others: DraftWords): boolean {
  return names.every((name) => words[name] === others[name]);
}

/** Browsers post CRLF. The title and the preheader are one line. */
export function readDraftWords(form: FormData): DraftWords {
  const text = (name: (typeof names)[number]) => String(form.get(name) ?? "");
  const line = (name: "title" | "preheader") => text(name).replaceAll(/[\r\n]+/g, " ");
  return {
    title: line("title"),
    preheader: line("preheader"),
    body: text("body").replaceAll("\r\n", "\n"),
  };
}
