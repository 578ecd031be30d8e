import { html } from "hono/html";

/** Lines of text as paragraphs, for a body whose markup is not shown. */
export function plainParagraphs(lines: readonly string[]): string {
  return lines.map((line) => html`<p>${line}</p>`).join("");
}

/** The text that markup without tags stands for, with its white space folded: the references that nearly all markup has. */
export function plainLine(markup: string): string {
  return markup
    .replaceAll("&nbsp;", " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ")
    .trim();
}
