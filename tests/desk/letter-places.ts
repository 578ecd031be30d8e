import { expect } from "@playwright/test";
import type { JSONContent } from "@tiptap/core";
import { writeBody } from "#issue-body/body-tree.ts";
import { prepareIssueBody, prepareMailBody } from "#issue-body/prepare-issue-body.ts";
import { readIssueText } from "#newsletter/issues/read-issue-text.ts";
import type { Json, Tab } from "../engines/tab.ts";

type Window = Pick<Tab, "run">;

/** The editor, as it hangs on its element. */
type Letter = HTMLElement & {
  editor: {
    commands: {
      setContent(content: JSONContent | string): void;
      setHardBreak(): void;
      toggleBold(): void;
      focus(): void;
    };
    getJSON(): JSONContent;
  };
};

/** The HTML that the form would save of each document. */
async function storedOf(tab: Window, docs: JSONContent[]): Promise<string[]> {
  return await tab.run((given) => {
    const letter = document.querySelector(".letter") as Letter;
    return given.map((doc) => {
      letter.editor.commands.setContent(doc as JSONContent);
      return String(new FormData(letter.closest("form") ?? undefined).get("body"));
    });
  }, docs as Json[]);
}

/** The document that the editor reads each HTML as. */
async function readBack(tab: Window, html: string[]): Promise<JSONContent[]> {
  return await tab.run((given) => {
    const { editor } = document.querySelector(".letter") as Letter;
    return given.map((one) => {
      editor.commands.setContent(one);
      return editor.getJSON();
    });
  }, html);
}

/** The HTML that readers get on the site and in the mail. */
function shownOf(stored: string): string[] {
  const read = readIssueText({ text: stored, format: "html", title: "A letter", now: new Date() });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const { html } = read.issue.words;
  const mail = prepareMailBody(html, "#1f4fd8");
  return [html, prepareIssueBody(html).html, writeBody(mail.body)];
}

/** A document as it looks: a blank is as wide as a no-break one, and nobody sees one at the end of a line. */
function asSeen(node: JSONContent): JSONContent {
  const { type = "", text } = node;
  if (text !== undefined) return { ...node, text: text.replaceAll("\u00a0", " ") };
  const content = (node.content ?? []).map(asSeen);
  const isLineEnd = (at: number) => [undefined, "hardBreak"].includes(content[at + 1]?.type);
  const seen = content
    .map((child, at) =>
      child.text !== undefined && type !== "codeBlock" && isLineEnd(at)
        ? { ...child, text: child.text.trimEnd() }
        : child,
    )
    .filter(({ text }) => text !== "");
  const isEmpty = (block?: JSONContent) =>
    block?.type === "paragraph" && (block.content ?? []).length === 0;
  while (type === "doc" && isEmpty(seen.at(-1))) seen.pop();
  return { type, attrs: node.attrs ?? {}, content: seen };
}

/** Each document is the same where it is stored, on the site and in the mail. */
export async function expectSame(tab: Window, docs: JSONContent[]): Promise<void> {
  const stored = await storedOf(tab, docs);
  const shown = stored.map(shownOf);
  const read = await readBack(tab, shown.flat());
  for (const [at, doc] of docs.entries()) {
    for (const place of [0, 1, 2]) {
      const [seen, html] = [read[at * 3 + place] ?? {}, shown[at]?.[place]];
      expect(asSeen(seen), html).toEqual(asSeen(doc));
    }
  }
}

const signs =
  "* _ ** # ## > - + 1. 1) ~ ~~ ` [x] (c) <b> &amp; \\\\ | --- https://example.com/a_b*c~d".split(
    " ",
  );

/** Sixty letters of few keys, as a driver takes its time for each; "\v" breaks the line and "\b" turns bold on or off. */
const typed = signs
  .slice(0, 20)
  .flatMap((sign) => [`${sign} a ${sign}`, `a \bb${sign}\b, c`, `a\v${sign}b  c${sign}`]);

async function command(tab: Window, name: "setHardBreak" | "toggleBold"): Promise<void> {
  await tab.run(
    (wanted) => (document.querySelector(".letter") as Letter).editor.commands[wanted](),
    name,
  );
}

/** Types each letter by the keyboard into the empty editor, and expects it everywhere as the editor has it. */
export async function typeLetters(tab: Pick<Tab, "run" | "type">): Promise<void> {
  const docs: JSONContent[] = [];
  for (const letter of typed) {
    await tab.run(() => {
      const { editor } = document.querySelector(".letter") as Letter;
      editor.commands.setContent("");
      editor.commands.focus();
    });
    for (const part of letter.split(/([\v\b])/)) {
      if (part === "\v") await command(tab, "setHardBreak");
      else if (part === "\b") await command(tab, "toggleBold");
      else if (part) await tab.type(part);
    }
    docs.push(await tab.run(() => (document.querySelector(".letter") as Letter).editor.getJSON()));
  }
  await expectSame(tab, docs);
}
