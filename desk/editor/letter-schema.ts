import { Image } from "@tiptap/extension-image";
import { Table, TableCell, TableHeader, TableRow } from "@tiptap/extension-table";
import { Placeholder } from "@tiptap/extensions";
import { DOMSerializer, Fragment, type Node } from "@tiptap/pm/model";
import { StarterKit } from "@tiptap/starter-kit";
import { imageAddress, linkAddress } from "#issue-body/body-tree.ts";
import { pictureView } from "./pictures.client.ts";

const asWritten = (name: string) => ({
  default: null,
  // The library would read "007" as a number.
  parseHTML: (element: HTMLElement) => element.getAttribute(name),
});

function withoutWidth(this: { parent: (() => object) | undefined }) {
  const colwidth = { default: null, rendered: false, parseHTML: () => null };
  return { ...this.parent?.(), colwidth };
}

const Starter = StarterKit.extend({
  addExtensions() {
    const all = this.parent?.() ?? [];
    return all.map((extension) => {
      if (extension.name === "link") {
        return extension.extend({
          inclusive: false,
          addAttributes: () => ({
            href: {
              parseHTML: (link: HTMLElement) => linkAddress(link.getAttribute("href") ?? ""),
              renderHTML: ({ href }: { href: string }) => ({ href: linkAddress(href) }),
            },
            title: asWritten("title"),
          }),
        });
      }
      const isCode = extension.name === "codeBlock";
      return isCode ? extension.extend({ addAttributes: () => ({}) }) : extension;
    });
  },
});

/** A letter's document and its HTML are two forms of one thing. The sanitiser keeps all that it can hold. */
export const letterExtensions = [
  Starter.configure({
    heading: { levels: [2, 3, 4, 5, 6] },
    underline: false,
    link: {
      openOnClick: false,
      defaultProtocol: "https",
      HTMLAttributes: { target: null, rel: null },
      isAllowedUri: (address) => linkAddress(address) !== null,
      shouldAutoLink: (address) => /^https?:\/\//.test(address),
    },
  }),
  Image.extend({
    addAttributes: () => ({
      src: { parseHTML: (image: HTMLElement) => imageAddress(image.getAttribute("src") ?? "") },
      alt: { ...asWritten("alt"), default: "" },
      title: asWritten("title"),
      // Outlook shows a picture as wide as it says, or as its file is.
      width: asWritten("width"),
      height: asWritten("height"),
    }),
    addNodeView: () => pictureView,
  }).configure({ inline: true, allowBase64: true }),
  Table.extend({ renderHTML: () => ["table", ["tbody", 0]] }),
  TableRow,
  // Columns are as wide as their words.
  ...[TableCell, TableHeader].map((cell) => cell.extend({ addAttributes: withoutWidth })),
  Placeholder.configure({ placeholder: "Type here, paste, or drop a Markdown file (.md)" }),
];

/** A document as HTML that every browser and mail program shows as the editor does. */
export function writeLetter(doc: Node): string {
  let { content } = doc;
  while (content.lastChild && isEmptyLine(content.lastChild)) {
    content = content.cut(0, content.size - content.lastChild.nodeSize);
  }
  const shown = content.content.map((block) =>
    isEmptyLine(block) ? block.copy(Fragment.from(doc.type.schema.text("\u00a0"))) : inFull(block),
  );
  // In a document of its own, in which no picture is fetched.
  const inert = document.implementation.createHTMLDocument();
  const serializer = DOMSerializer.fromSchema(doc.type.schema);
  serializer.serializeFragment(Fragment.from(shown), { document: inert }, inert.body);
  return inert.body.innerHTML;
}

export function forReading(html: string): string {
  return html.replaceAll("<p>\u00a0</p>", "<p></p>").replaceAll("<p>&nbsp;</p>", "<p></p>");
}

function isEmptyLine({ type, childCount }: Node): boolean {
  return type.name === "paragraph" && childCount === 0;
}

/** HTML drops blanks at the beginning of a line and after another. */
function inFull(node: Node): Node {
  if (node.type.spec.code || node.isLeaf) return node;
  if (!node.isTextblock) return node.copy(Fragment.from(node.children.map(inFull)));
  let isAfterBlank = true;
  const children = node.children.map((child) => {
    const { text } = child;
    if (text === undefined) {
      isAfterBlank = child.type.name === "hardBreak";
      return child;
    }
    const written = text.replace(/ +/g, (blanks, at) =>
      at === 0 && isAfterBlank
        ? "\u00a0".repeat(blanks.length)
        : ` ${"\u00a0".repeat(blanks.length - 1)}`,
    );
    isAfterBlank = text.endsWith(" ");
    return written === text ? child : child.type.schema.text(written, child.marks);
  });
  return node.copy(Fragment.from(children));
}

/** The same for the same letter: each text and picture with what it stands in, whoever wrote the tags. */
export function meaningOf(html: string): string {
  const page = new DOMParser().parseFromString(html, "text/html");
  const walker = page.createTreeWalker(page);
  const runs: [inside: string, text: string][] = [];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.hasChildNodes()) continue;
    const text = node instanceof Element ? "" : (node.textContent ?? "").replace(/\s/g, "");
    if (node instanceof Text && text === "") continue;
    const inside = kindsAround(node);
    const last = runs.at(-1);
    if (node instanceof Text && last?.[0] === inside) last[1] += text;
    else if (inside !== "") runs.push([inside, text]);
  }
  return JSON.stringify(runs);
}

const otherNames: Record<string, string> = { b: "strong", i: "em", del: "s", strike: "s" };
const sayNothing = /^(?:html|head|body|p|tbody|thead|tfoot)$/;
const onlyOnPages = /^(?:class|rel|target|scope)$/;

function kindsAround(node: globalThis.Node): string {
  const kinds = node.nodeType === node.COMMENT_NODE ? ["comment"] : [];
  let element = node instanceof Element ? node : node.parentElement;
  for (; element; element = element.parentElement) kinds.push(kindOf(element));
  return kinds.filter(Boolean).sort().join(" ");
}

function kindOf(element: Element): string {
  const { localName } = element;
  const attributes = [...element.attributes]
    .filter(({ name, value }) => value !== "" && !onlyOnPages.test(name))
    .map(({ name, value }) => `${name}=${value.replace(/[\s;]/g, "")}`);
  if (attributes.length === 0 && sayNothing.test(localName)) return "";
  return [otherNames[localName] ?? localName, ...attributes.sort()].join();
}
