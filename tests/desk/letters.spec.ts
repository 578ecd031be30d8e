import { getSchema, type JSONContent } from "@tiptap/core";
import { Fragment, type Node } from "@tiptap/pm/model";
import fc from "fast-check";
import { letterExtensions } from "#desk/editor/letter-schema.ts";
import { linkAddress } from "#issue-body/body-tree.ts";
import type { Tab } from "../engines/tab.ts";
import { startDraft, test } from "./desk-test.ts";
import { expectSame, typeLetters } from "./letter-places.ts";

const schema = getSchema(letterExtensions);

function make(type: string, attrs: object | null, children: readonly Node[] = []): Node {
  return schema.node(type, attrs as Record<string, unknown>, Fragment.fromArray([...children]));
}

function table(rows: Node[][]): Node {
  const made = rows.map((cells, row) => {
    const type = row === 0 ? "tableHeader" : "tableCell";
    const align = (column: number) => (column ? { align: "right" } : null);
    return make(
      "tableRow",
      null,
      cells.map((cell, column) => make(type, align(column), [cell])),
    );
  });
  return make("table", null, made);
}

const words = fc
  .string({
    unit: fc.constantFrom(..."ab1 .,:;!?*_#`~[](){}<>&|\\/+-=%$'\"é漢ש\u00a0"),
    minLength: 1,
  })
  .filter((text) => text.trim() !== "");
const address = fc
  .webUrl({ withQueryParameters: true, withFragments: true })
  .map((url) => linkAddress(url) ?? "https://example.com/");
const link = address.map((href) => schema.mark("link", { href }));
const styles = fc
  .subarray(["bold", "italic", "strike"])
  .map((names) => names.map((name) => schema.mark(name)));
const marks = fc.oneof(
  fc.tuple(styles, fc.option(link)).map(([some, one]) => (one ? [one, ...some] : some)),
  fc.constant([schema.mark("code")]),
);
const picture = fc.record({
  src: fc.constantFrom(`/pictures/${"a".repeat(43)}.png`, "https://pictures.example/van.jpg"),
  alt: words.map((text) => text.replaceAll("\u00a0", " ").trim()),
  width: fc.integer({ min: 4, max: 1200 }).map(String),
});
const inline = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(words, marks).map(([text, some]) => schema.text(text, some)) },
  { weight: 1, arbitrary: fc.constant(make("hardBreak", null)) },
  { weight: 1, arbitrary: picture.map((attrs) => make("image", attrs)) },
);
const line = fc.array(inline, { minLength: 1, maxLength: 4 });
const paragraph = line.map((children) => make("paragraph", null, children));
const block = fc.letrec<{ block: Node; blocks: Node[]; items: Node[] }>((tie) => ({
  block: fc.oneof(
    { depthSize: "small" },
    paragraph,
    fc.constant(make("paragraph", null)),
    fc
      .tuple(fc.integer({ min: 2, max: 6 }), line)
      .map(([level, children]) => make("heading", { level }, children)),
    words.map((text) => make("codeBlock", null, [schema.text(`${text}\n  ${text}`)])),
    fc.constant(make("horizontalRule", null)),
    tie("blocks").map((children) => make("blockquote", null, children)),
    tie("items").map((children) => make("bulletList", null, children)),
    fc
      .tuple(fc.integer({ min: 1, max: 99 }), fc.constantFrom(null, "a", "I"), tie("items"))
      .map(([start, type, children]) => make("orderedList", { start, type }, children)),
    fc
      .array(fc.array(paragraph, { minLength: 2, maxLength: 2 }), { minLength: 2, maxLength: 3 })
      .map(table),
  ),
  blocks: fc.array(tie("block"), { minLength: 1, maxLength: 3 }),
  items: fc.array(
    fc
      .tuple(paragraph, fc.array(tie("block"), { maxLength: 1 }))
      .map(([first, rest]) => make("listItem", null, [first, ...rest])),
    { minLength: 1, maxLength: 3 },
  ),
}));
const letter = block.blocks.map((blocks) => {
  const begin = make("paragraph", null, [schema.text("Begin.")]);
  const doc = make("doc", null, [begin, ...blocks]);
  doc.check();
  return doc.toJSON() as JSONContent;
});

test("any letter is read as it was written: where it is stored, on the site and in the mail", async ({
  page,
}) => {
  test.slow();
  await page.route("**/preview/**", (route) => route.fulfill({ body: "" }));
  await page.route("**/pictures/**", (route) => route.fulfill({ path: "public/icon-192.png" }));
  await startDraft(page);
  const run: Tab["run"] = (script, ...given) =>
    page.evaluate(`(${script})(...${JSON.stringify(given)})`) as never;
  const tab = { run, type: (text: string) => page.keyboard.type(text) };
  await typeLetters(tab);
  await fc.assert(
    fc.asyncProperty(fc.array(letter, { minLength: 40, maxLength: 40 }), (docs) =>
      expectSame(tab, docs),
    ),
    { seed: 20_261_130, numRuns: 4, endOnFailure: true },
  );
});
