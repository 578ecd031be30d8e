import { decoded } from "#issue-body/body-tree.ts";

const blocks =
  "body, p, h1, h2, h3, h4, h5, h6, ul, ol, li, table, td, th, blockquote, div, pre, hr, section, article, figure, figcaption";

/**
 * HTML from another program's clipboard with its headings, lists, links, tables and bold, and none of its looks. `lost` says
 * which pictures can't come along.
 */
export function cleanPasted(html: string): { html: string; lost: string | null } {
  if (html.includes("data-pm-slice")) return { html, lost: null };
  // Even in a document where nothing runs, a browser complains of each handler.
  const inert = html.replace(/<[^>]+>/g, (tag) => tag.replace(/\son\w+\s*=/gi, " data-was="));
  const { body } = new DOMParser().parseFromString(inert, "text/html");
  const all = <Kind extends HTMLElement>(selector: string) =>
    Array.from(body.querySelectorAll<Kind>(selector));
  for (const element of all("[style]")) {
    // Word breaks its lines anywhere.
    const style = (element.getAttribute("style") ?? "").replace(/\s*([:;])\s*/g, "$1");
    element.setAttribute("style", style);
    if (/display:none|mso-hide:all|mso-element:comment-list/i.test(style)) element.remove();
  }
  const notText =
    "script, style, title, meta, link, template, svg, form, iframe, button, input, select, textarea";
  // A document's own words, without what its writers deleted and remarked.
  for (const one of all(`${notText}, .msoDel, del[datetime], .MsoCommentReference`)) one.remove();
  const lost = withoutPictures(all("img"));
  for (const digits of all("sup, sub, a.sdfootnotesym")) writeDigits(digits);
  for (const text of textsIn(body)) text.data = text.data.replace(/\s{2,}|^\s|\s$/g, " ");
  for (const paragraph of all("p, h1, h2, h3, h4, h5, h6, div")) makeItem(paragraph);
  for (const box of all("div:has(> .ListContainerWrapper), .ListContainerWrapper")) unwrap(box);
  for (const item of all("li:has(> :is(ul, ol):only-child)"))
    if (item.textContent?.trim() === item.firstElementChild?.textContent?.trim()) unwrap(item);
  for (const list of all("ul, ol")) makeList(list);
  for (const heading of all("[role=heading], p.MsoTitle"))
    rename(heading, `h${heading.getAttribute("aria-level") ?? 1}`);
  // A letter's title is above it.
  const isDeep = body.querySelector("h1") === null;
  for (const heading of isDeep ? [] : all("h1, h2, h3, h4, h5"))
    rename(heading, `h${Number(heading.tagName[1]) + 1}`);
  for (const table of all<HTMLTableElement>("table").reverse()) makeTable(table);
  // Headings are bold already.
  for (const heading of all("h2, h3, h4, h5, h6")) heading.removeAttribute("style");
  for (const bold of all(":is(h2, h3, h4, h5, h6, th) :is(b, strong, span)")) unwrap(bold);
  for (const link of all("a"))
    link.setAttribute("href", addressOf(link.getAttribute("href") ?? ""));
  for (const node of [...textsIn(body), ...all("br")].reverse()) {
    const isEdge = isAtEdge(node, "previousSibling") || isAtEdge(node, "nextSibling");
    if (isEdge && node.textContent?.trim() === "") node.remove();
  }
  for (const block of all("p, div, h2, h3, h4, h5, h6, li, ul, ol").reverse()) {
    if (block.textContent?.trim() === "" && !block.querySelector("img, hr")) block.remove();
  }
  return { html: body.innerHTML, lost };
}

function unwrap(element: Element): void {
  element.replaceWith(...element.childNodes);
}

function rename(element: Element, tag: string): void {
  const renamed = element.ownerDocument.createElement(tag);
  for (const { name, value } of element.attributes) renamed.setAttribute(name, value);
  renamed.append(...element.childNodes);
  element.replaceWith(renamed);
}

/** Pictures of this site stay. The others' files are out of reach, and are named. */
function withoutPictures(pictures: HTMLImageElement[]): string | null {
  const others = pictures.filter((picture) => {
    const address = URL.parse(picture.src, location.href);
    const isOwn = address?.origin === location.origin && /^\/pictures\//.test(address.pathname);
    if (isOwn) picture.setAttribute("src", address.pathname);
    else picture.remove();
    // A single point counts who has read a mail.
    return !isOwn && picture.getAttribute("width") !== "1";
  });
  if (others.length === 0) return null;
  const names = others.map(({ alt, src }) => alt.trim() || decoded(src.split("/").at(-1) ?? ""));
  const named = names.filter((name) => /^.{1,60}$/.test(name)).map((name) => `“${name}”`);
  const many = others.length === 1 ? "A picture" : `${others.length} pictures`;
  return `${many} can’t come along this way${named.length > 0 ? `: ${named.join(", ")}` : ""}. Save them as files, and drop those here.`;
}

function textsIn(body: HTMLElement): Text[] {
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  return texts.filter((text) => !text.parentElement?.closest("pre"));
}

/** Raised and lowered digits, as in m² and a footnote's mark, are letters of their own. */
function writeDigits(script: HTMLElement): void {
  const digits = script.tagName === "SUB" ? "₀₁₂₃₄₅₆₇₈₉" : "⁰¹²³⁴⁵⁶⁷⁸⁹";
  const text = script.textContent ?? "";
  if (/^\d+$/.test(text)) script.textContent = text.replace(/\d/g, (digit) => digits[+digit] ?? "");
}

/** Whether nothing is written before it, or after it, in its paragraph. */
function isAtEdge(node: Node, side: "previousSibling" | "nextSibling"): boolean {
  let beside = node[side];
  while (beside && !isBlock(beside) && !isSeen(beside)) beside = beside[side];
  if (beside) return isBlock(beside);
  const { parentElement: parent } = node;
  return parent === null || isBlock(parent) || isAtEdge(parent, side);
}

function isBlock(node: Node): boolean {
  return node instanceof Element && node.matches(blocks);
}

/** A link's own address, where a program has put one of its own around it. */
function addressOf(href: string): string {
  const url = URL.parse(href);
  const isAround =
    /(?:^|\.)(?:google\.com|safelinks\.protection\.outlook\.com)$/.test(url?.hostname ?? "") &&
    /^\/(?:url)?$/.test(url?.pathname ?? "");
  const inner = url?.searchParams.get("q") ?? url?.searchParams.get("url");
  const own = isAround && inner ? inner : href;
  return /^(?:https?|mailto|tel):/i.test(own) ? own : "";
}

const isList = (element?: Element | null) => element?.matches("ul, ol") ?? false;

/** Word and Outlook write a list's item as a paragraph with its level: `mso-list:l0 level2 lfo1`. */
function levelOf(paragraph: HTMLElement): number {
  const style = paragraph.getAttribute("style") ?? "";
  return Number(/mso-list:[^;"]*\blevel(\d)/i.exec(style)?.[1] ?? 0);
}

function depthOf({ style }: HTMLElement): number {
  const [, length, unit] = /^([\d.]+)(pt|in|cm|px)$/.exec(style.marginLeft) ?? [];
  const perLevel = { pt: 36, in: 0.5, cm: 1.27, px: 48 }[unit as "pt"] ?? 36;
  return Math.max(1, Math.round(Number(length ?? 0) / perLevel));
}

function makeItem(paragraph: HTMLElement): void {
  const make = (tag: string) => paragraph.ownerDocument.createElement(tag);
  const own = (selector: string) =>
    [...paragraph.querySelectorAll(selector)].find((part) => part.closest(blocks) === paragraph);
  const gap = own("span[style*='font:7pt'], span[style*='font:7.0pt']");
  const mark = own("[style*='mso-list:Ignore' i]") ?? gap?.parentElement;
  const level = levelOf(paragraph) || (gap ? depthOf(paragraph) : 0);
  if (level === 0) {
    const list = paragraph.previousElementSibling;
    if (/^MsoListParagraph/.test(paragraph.className) && isList(list))
      [...(list?.querySelectorAll("li") ?? [])].at(-1)?.append(paragraph);
    return;
  }
  const text = mark?.textContent?.trim() ?? "";
  const isNumbered = /^\(?(?:\d|[a-z]{1,4}[.)])/i.test(text);
  const isHeading = /^H\d/.test(paragraph.tagName);
  if (isHeading && isNumbered) mark?.replaceWith(`${text} `);
  else mark?.remove();
  if (isHeading) return;
  let list = make(isNumbered ? "ol" : "ul");
  const letter = /^\W*([a-h])\W/i.exec(text)?.[1];
  // A Roman numeral goes on from the one before.
  const number = /\d+(?=\D*$)/.exec(text)?.[0] ?? (letter ? letter.charCodeAt(0) % 32 : "");
  if (isNumbered) list.setAttribute("start", String(number));
  const item = make("li");
  item.append(...paragraph.childNodes);
  list.append(item);
  for (let deep = 1; deep < level; deep += 1) {
    const outer = make(list.tagName);
    outer.append(list);
    list = outer;
  }
  paragraph.replaceWith(list);
}

/**
 * Joins the pieces of a list, and puts each inner list into its item: Word on the web writes a list an item, LibreOffice and
 * Google Docs write lists directly in lists.
 */
function makeList(list: HTMLElement): void {
  if (!list.isConnected || isList(list.parentElement)) return;
  const level = list.querySelector(":scope > li")?.getAttribute("data-aria-level");
  for (let deep = 1; deep < Math.min(Number(level), 9); deep += 1) {
    const inner = list.cloneNode() as Element;
    inner.append(...list.childNodes);
    list.append(inner);
  }
  while (list.previousSibling && !isSeen(list.previousSibling)) list.previousSibling.remove();
  const before = list.previousSibling;
  let whole = before as Element | null;
  if (!(before instanceof Element && isList(before) && goesOn(before, list))) {
    let first: Element = list;
    while (isList(first.firstElementChild)) first = first.firstElementChild as Element;
    whole = first.cloneNode() as Element;
    list.before(whole);
  }
  for (const part of [...list.children]) putInto(whole as Element, part);
  list.remove();
}

function isSeen(node: Node): boolean {
  const seen = "hr, img, br";
  if (node instanceof Element && (node.matches(seen) || node.querySelector(seen))) return true;
  return node instanceof Comment ? false : node.textContent?.trim() !== "";
}

function putInto(list: Element, part: Element): void {
  const item = list.lastElementChild;
  let inner = item ? item.lastElementChild : list;
  if (!isList(part)) list.append(part);
  else {
    if (item && !(inner && isList(inner) && goesOn(inner, part))) {
      inner = part.cloneNode() as Element;
      item.append(inner);
    }
    for (const child of [...part.children]) putInto(inner as Element, child);
  }
}

function goesOn(list: Element, rest: Element): boolean {
  if (isList(rest.firstElementChild)) return true;
  if (list.tagName !== rest.tagName) return false;
  const { start } = rest as HTMLOListElement;
  const next = (list as HTMLOListElement).start + list.childElementCount;
  return rest.tagName === "UL" || rest.getAttribute("start") === "" || start === next;
}

/** A head for a table of words; a table that only places things becomes what it holds. */
function makeTable(table: HTMLTableElement): void {
  const rows = [...table.rows];
  const isLayout =
    table.querySelector("table") !== null ||
    table.role === "presentation" ||
    rows.length < 2 ||
    rows.every(({ cells }) => cells.length < 2);
  if (isLayout) {
    for (const cell of rows.flatMap(({ cells }) => [...cells])) {
      const part = table.ownerDocument.createElement("div");
      part.append(...cell.childNodes);
      table.before(part);
    }
    table.remove();
    return;
  }
  const { caption } = table;
  if (caption) {
    table.before(caption);
    rename(caption, "p");
  }
  for (const cell of rows[0]?.querySelectorAll("td") ?? []) rename(cell, "th");
}

export function looksLikeMarkdown(text: string): boolean {
  return [
    /^#{1,6} \S/m,
    /^\s*(?:[-*+]|\d{1,3}[.)]) \S.*\n(?:.*\n)*?\s*(?:[-*+]|\d{1,3}[.)]) \S/m,
    /\[[^\]\n]+\]\([^)\s]+\)/,
    /\*\*[^*\s][^*\n]*\*\*/,
    /^\|.+\|\s*\n\|[\s:|-]+\|/m,
    /^> \S/m,
  ].some((sign) => sign.test(text));
}
