import { readdirSync, readFileSync } from "node:fs";
import { EditorState } from "prosemirror-state";
import { expect, test } from "vitest";
import { createMarkdown } from "#issue-body/create-markdown.ts";
import { readLetter } from "./letter-text.ts";

const documents = ["docs", "docs/decisions", "."].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .map((name) => readFileSync(`${folder}/${name}`, "utf8")),
);

const letters = [
  ...documents,
  "",
  "\n\nBegins late",
  "Setext\n===\nand a line\nbelow it\n\n* star\n* list\n\n+ loose\n\n+ list\n\nTrailing  \nbreak\\\nand one\n\n***\n",
  "# At once\ntext\n> said\n> twice\n\n    code\n\n~~~js\nlet a\n~~~\n",
  '<img src="/pictures/a.jpg" alt="&lt;a&gt; &quot;b&quot; & c" width="534">\n\nWords <img src="/pictures/b.png" alt=""> and <br> more\n',
  "See [a][x], ~~old~~ & <https://a.example/b_c>, https://a.example/b_c.\n\n[x]: /y 'z'\n\nMore [of it][x].\n",
  "| a | b |\n|:--|--:|\n| 1 \\| 2 | `c` |\n\n3) three\n4) four\n   - and\n\n     more\n",
  "1. one\n2. two\n\n1) another\n\n1. third\n",
  "- [ ] to do\n- [x] done\n\nשלום\n\n5 \\* 3 \\< 20 &copy; AT&T\n",
].map((text) => {
  const read = readLetter(text, "markdown");
  return { text, letter: read.ok ? read.letter : null };
});

test("Markdown is written back byte for byte, and an edit changes no other block", () => {
  let edited = 0;
  for (const { text, letter } of letters) {
    if (!letter) continue;
    expect(letter.write(letter.doc)).toBe(text);
    letter.doc.forEach((block, at, index) => {
      // One in five, of documents.
      if (!block.isTextblock || (index % 5 > 0 && letter.doc.childCount > 20)) return;
      const state = EditorState.create({ doc: letter.doc });
      const typed = letter.write(state.tr.insertText("typed ", at + 1).doc);
      const again = readLetter(typed, "markdown");
      if (!again.ok) throw new Error(typed);
      const others = again.letter.doc.children.filter((_, place) => place !== index);
      expect(others.length).toBe(letter.doc.childCount - 1);
      others.forEach((other, place) => {
        expect(other.eq(letter.doc.child(place < index ? place : place + 1))).toBe(true);
      });
      edited += 1;
    });
  }
  expect(edited).toBeGreaterThan(150);
});

test("every block written anew means on the page what it meant before", () => {
  const page = (text: string) => createMarkdown().render(text).replace(/\s+/g, " ");
  for (const { text, letter } of letters) {
    if (!letter) continue;
    // As a change of each block and its undoing: nothing of the source is left.
    const copy = readLetter("", "markdown");
    if (!copy.ok) throw new Error("An empty text is a letter.");
    expect(page(copy.letter.write(letter.doc))).toBe(page(text));
  }
});

test.each([
  ["A note.[^1]\n\n[^1]: At the foot.", "it has footnotes"],
  ["<div align=center>\n\nMiddle\n\n</div>", "it holds HTML"],
  ["One <kbd>key</kbd>", "it holds HTML"],
  ['<img src="/a.png" style="float:left">', "it holds HTML"],
  ["<!-- a remark -->\n\nWords", "it holds HTML"],
  ["---\ntitle: At the top\n---\n\nWords", "it begins with a block of settings"],
])("%j is left to the source", (text, why) => {
  expect(readLetter(text, "markdown")).toEqual({ ok: false, why });
});

test("an undone change leaves the source as it was", () => {
  const { text, letter } = letters.find((one) => one.text.startsWith("Setext")) ?? {};
  if (!letter || !text) throw new Error("It is a letter.");
  const state = EditorState.create({ doc: letter.doc });
  const typed = state.apply(state.tr.insertText("x", 1));
  expect(letter.write(typed.doc)).not.toBe(text);
  expect(letter.write(typed.tr.delete(1, 2).doc)).toBe(text);
});
