export type DraftWords = {
  title: string;
  preheader: string;
  format: "markdown" | "html";
  body: string;
};

const names = ["title", "preheader", "format", "body"] as const;

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
    format: text("format") === "html" ? "html" : "markdown",
    body: text("body").replaceAll("\r\n", "\n"),
  };
}
