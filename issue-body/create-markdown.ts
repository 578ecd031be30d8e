import MarkdownIt from "markdown-it";
import footnotes from "markdown-it-footnote";

export function createMarkdown(): InstanceType<typeof MarkdownIt> {
  const markdown = new MarkdownIt({ html: true, linkify: true })
    .use(footnotes)
    .use(taskLists)
    .use(directions);
  // "notes.md" is no link.
  markdown.linkify.set({ fuzzyLink: false });
  return markdown;
}

/** `- [ ]` and `- [x]`: mail programs show no form fields. */
function taskLists(markdown: InstanceType<typeof MarkdownIt>): void {
  markdown.core.ruler.after("inline", "task_lists", ({ tokens }) => {
    for (const [index, { children }] of tokens.entries()) {
      const [words] = children ?? [];
      if (words?.type !== "text" || tokens[index - 2]?.type !== "list_item_open") continue;
      words.content = words.content.replace(/^\[([ xX])\] /, (_, mark) =>
        mark === " " ? "\u2610 " : "\u2611 ",
      );
    }
  });
}

/** For Hebrew and Arabic. */
function directions(markdown: InstanceType<typeof MarkdownIt>): void {
  markdown.core.ruler.after("inline", "directions", ({ tokens }) => {
    for (const [index, { type, content }] of tokens.entries()) {
      if (type !== "inline" || !/[\p{sc=Hebr}\p{sc=Arab}]/u.test(content)) continue;
      tokens[index - 1]?.attrSet("dir", "auto");
      const item = tokens[index - 2];
      if (item?.type === "list_item_open") item.attrSet("dir", "auto");
    }
  });
}
