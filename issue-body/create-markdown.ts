import MarkdownIt from "markdown-it";
import footnotes from "markdown-it-footnote";

export function createMarkdown(): InstanceType<typeof MarkdownIt> {
  const markdown = new MarkdownIt({ html: true, linkify: true }).use(footnotes);
  // "notes.md" is no link.
  markdown.linkify.set({ fuzzyLink: false });
  return markdown;
}
