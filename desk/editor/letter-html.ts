import { DOMSerializer, DOMParser as LetterParser, type Node } from "prosemirror-model";
import { letterSchema, type Piece, type Pieces, unfaithful } from "./letter-schema.ts";

const parser = LetterParser.fromSchema(letterSchema);
const serializer = DOMSerializer.fromSchema(letterSchema);

/** Cuts HTML into its outer elements, where each can be read as one block and written back. Runs in a browser. */
export function htmlPieces(text: string): Pieces {
  if (/<(?:!doctype|html|head|body|style)\b/i.test(text)) {
    return { ok: false, why: "it is a page with a layout of its own" };
  }
  if (/<script|<[^>]*\son\w+\s*=/i.test(text)) return { ok: false, why: "it holds scripts" };
  const page = parse(text);
  const pieces: Piece[] = [];
  let lead: string | null = null;
  let at = 0;
  for (const element of page.children) {
    const start = at + (/^\s*/.exec(text.slice(at))?.[0].length ?? 0);
    const end = endOf(element, text, start);
    if (end === null) return { ok: false, why: "its HTML is written in an unusual way" };
    const last = pieces.at(-1);
    if (last) last.gap = text.slice(at, start);
    else lead = text.slice(0, start);
    const node = blockOf(element);
    if (node === null) return { ok: false, why: "it has a layout of its own" };
    pieces.push({ node, source: text.slice(start, end), gap: "" });
    at = end;
  }
  const rest = text.slice(at);
  if (rest.trim() !== "" || page.textContent !== textIn(page)) {
    return { ok: false, why: unfaithful };
  }
  const last = pieces.at(-1);
  if (last) last.gap = rest;
  return { ok: true, lead: lead ?? "", pieces };
}

/** Into a document of its own, in which nothing is fetched and nothing runs. */
function parse(html: string): HTMLElement {
  return new DOMParser().parseFromString(html, "text/html").body;
}

function textIn(page: HTMLElement): string {
  let text = "";
  for (const child of page.childNodes) {
    if (child instanceof Element || child.textContent?.trim() === "") text += child.textContent;
  }
  return text;
}

/** The end of the element that begins at `start`; null if its source isn't HTML as a program writes it. */
function endOf(element: Element, text: string, start: number): number | null {
  const closing = /^(?:IMG|HR|BR)$/.test(element.tagName) ? ">" : `</${element.localName}>`;
  for (let at = text.indexOf(closing, start); at >= 0; at = text.indexOf(closing, at + 1)) {
    const end = at + closing.length;
    const [first, ...more] = parse(text.slice(start, end)).childNodes;
    if (more.length === 0 && first?.isEqualNode(element)) return end;
  }
  return null;
}

function blockOf(element: Element): Node | null {
  const holder = parse("");
  holder.append(element.cloneNode(true));
  const doc = parser.parse(holder);
  const [node] = doc.children;
  if (!node || doc.childCount > 1) return null;
  return canonical(parse(writeHtml(node))) === canonical(holder) ? node : null;
}

function canonical(holder: HTMLElement): string {
  const copy = parse(holder.innerHTML);
  for (const [tag, other] of Object.entries({ b: "strong", i: "em", del: "s", strike: "s" })) {
    for (const element of copy.querySelectorAll(tag)) {
      if (element.attributes.length === 0) rename(element, other);
    }
  }
  for (const part of copy.querySelectorAll("thead, tbody")) unwrap(part);
  for (const head of copy.querySelectorAll("th[scope=col]")) head.removeAttribute("scope");
  for (const element of copy.querySelectorAll("*")) {
    const attributes = [...element.attributes].sort((a, b) => a.name.localeCompare(b.name));
    for (const { name, value } of attributes) {
      element.removeAttribute(name);
      element.setAttribute(name, value);
    }
  }
  const blocks = "p|h[1-6]|ul|ol|li|blockquote|pre|hr|table|tr|th|td";
  return copy.innerHTML
    .replace(/[ \t\n\r]+/g, " ")
    .replace(new RegExp(` ?(</?(?:${blocks})(?: [^>]*)?>) ?`, "g"), "$1")
    .trim();
}

export function unwrap(element: Element): void {
  element.replaceWith(...element.childNodes);
}

export function rename(element: Element, tag: string): void {
  const renamed = element.ownerDocument.createElement(tag);
  renamed.append(...element.childNodes);
  element.replaceWith(renamed);
}

export function writeHtml(node: Node): string {
  const holder = parse("");
  const inert = holder.ownerDocument;
  holder.append(serializer.serializeNode(node, { document: inert }));
  for (const cell of holder.querySelectorAll("th > p, td > p")) unwrap(cell);
  for (const list of holder.querySelectorAll("[data-tight]")) {
    for (const item of list.querySelectorAll(":scope > li > p")) unwrap(item);
    list.removeAttribute("data-tight");
  }
  for (const rule of holder.querySelectorAll("div > hr")) {
    if (rule.parentElement !== holder && rule.parentElement) unwrap(rule.parentElement);
  }
  for (const head of holder.querySelectorAll("th")) head.setAttribute("scope", "col");
  for (const body of holder.querySelectorAll("tbody")) {
    const [first] = body.rows;
    if (!first?.querySelector("th")) continue;
    const head = inert.createElement("thead");
    head.append(first);
    body.before(head);
  }
  const [only] = holder.children;
  const [inner, ...more] = only?.tagName === "P" ? only.childNodes : [];
  if (only && inner?.nodeName === "IMG" && more.length === 0) unwrap(only);
  return holder.innerHTML;
}
