const escapes: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Markup that may stand in a document as it is. Only the `html` tag makes it. */
export class Html {
  readonly markup: string;
  constructor(markup: string) {
    this.markup = markup;
  }
  toString(): string {
    return this.markup;
  }
}

/** Markup from a template: every text put into it is escaped, other markup and lists of markup stand as they are. */
export function html(parts: TemplateStringsArray, ...values: (string | Html | Html[])[]): Html {
  let markup = parts[0] ?? "";
  values.forEach((value, index) => {
    markup += render(value) + (parts[index + 1] ?? "");
  });
  return new Html(markup);
}

/** Text over several lines as markup, with its line breaks kept. */
export function htmlLines(text: string): Html {
  return new Html(text.split("\n").map(escapeHtml).join("<br>\n"));
}

function render(value: string | Html | Html[]): string {
  if (Array.isArray(value)) return value.map(String).join("");
  return value instanceof Html ? value.markup : escapeHtml(value);
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? "");
}
