import { rename, unwrap } from "./letter-html.ts";

const blocks =
  "body, p, h1, h2, h3, h4, h5, h6, ul, ol, li, table, td, th, blockquote, div, pre, hr, section, article, figure, figcaption";

/** HTML from another program's clipboard with its headings, lists, links, tables and bold, and none of its looks. */
export function cleanPasted(html: string): string {
  if (html.includes("data-pm-slice")) return html;
  // Even in a document where nothing runs, a browser complains of each handler.
  const inert = html.replace(/<[^>]+>/g, (tag) => tag.replace(/\son\w+\s*=/gi, " data-was="));
  const { body } = new DOMParser().parseFromString(inert, "text/html");
  const all = <Kind extends HTMLElement>(selector: string) => [
    ...body.querySelectorAll<Kind>(selector),
  ];
  for (const element of all("[style]")) {
    // Word breaks its lines anywhere.
    const style = (element.getAttribute("style") ?? "").replace(/\s*([:;])\s*/g, "$1");
    element.setAttribute("style", style);
    if (/display:none|mso-hide:all|mso-element:comment-list/i.test(style)) element.remove();
  }
  const notText =
    "script, style, title, meta, link, template, svg, form, iframe, button, input, select, textarea";
  // A document's own words, without what its writers deleted and remarked.
  for (const element of all(`${notText}, .msoDel, del[datetime], .MsoCommentReference`)) {
    element.remove();
  }
  for (const picture of all<HTMLImageElement>("img")) {
    const path = URL.parse(picture.src)?.pathname ?? "";
    if (path.startsWith("/pictures/") && picture.src.startsWith(location.origin))
      picture.setAttribute("src", path);
    else picture.remove();
  }
  for (const note of all("a.sdfootnotesym")) {
    note.after(" ");
    rename(note, "sup");
  }
  for (const digits of all("sup, sub")) writeDigits(digits);
  for (const text of textsIn(body)) text.data = text.data.replace(/\s{2,}|^\s|\s$/g, " ");
  for (const paragraph of all("p, h1, h2, h3, h4, h5, h6, div")) makeItem(paragraph);
  for (const box of all("div:has(> .ListContainerWrapper), .ListContainerWrapper")) unwrap(box);
  for (const item of all<HTMLLIElement>("ol > li[value]:first-child")) {
    item.parentElement?.setAttribute("start", String(item.value));
  }
  for (const item of all("li:has(> :is(ul, ol):only-child)")) {
    if (item.textContent?.trim() === item.firstElementChild?.textContent?.trim()) unwrap(item);
  }
  for (const list of all("ul, ol")) makeList(list);
  for (const heading of all("[role=heading]")) {
    const level = heading.getAttribute("aria-level") ?? "2";
    rename(heading, /^[1-6]$/.test(level) ? `h${level}` : "p");
  }
  for (const title of all("p.MsoTitle")) rename(title, "h1");
  for (const heading of all("h1, h2, h3, h4, h5, h6")) {
    // LibreOffice writes no blank after a heading's number.
    const [words] = textsIn(heading);
    if (words) words.data = words.data.replace(/^((?:\d+\.)+\d*)(?=\p{L})/u, "$1 ");
  }
  for (const table of all<HTMLTableElement>("table").reverse()) makeTable(table);
  // Headings are bold and large already: bold and sizes inside them go.
  const heads = ":is(h1, h2, h3, h4, h5, h6, th)";
  for (const head of all(heads)) head.removeAttribute("style");
  for (const bold of all(`${heads} :is(b, strong, span), b[id^=docs-internal]`)) unwrap(bold);
  for (const link of all("a")) {
    const address = addressOf(link.getAttribute("href") ?? "");
    if (address) link.setAttribute("href", address);
    else unwrap(link);
  }
  for (const line of all("br").reverse()) breakLine(line);
  for (const block of all("p, h1, h2, h3, h4, h5, h6, li, ul, ol").reverse()) {
    if (block.textContent?.trim() === "" && !block.querySelector("img")) block.remove();
  }
  for (const words of all("li > p:first-child")) {
    if (!words.parentElement?.querySelector(":scope > p + p")) unwrap(words);
  }
  return `<div>${body.innerHTML}</div>`;
}

function textsIn(body: HTMLElement): Text[] {
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  return texts.filter((text) => !text.parentElement?.closest("pre"));
}

/** Raised and lowered digits, as in m² and a footnote's mark, are letters of their own. */
function writeDigits(script: HTMLElement): void {
  const digits = script.tagName === "SUP" ? "⁰¹²³⁴⁵⁶⁷⁸⁹" : "₀₁₂₃₄₅₆₇₈₉";
  const text = script.textContent ?? "";
  if (/^\d+$/.test(text)) script.textContent = text.replace(/\d/g, (digit) => digits[+digit] ?? "");
}

/** Keeps a break only between two lines of words; two breaks part paragraphs. */
function breakLine(line: HTMLElement): void {
  const block = line.closest(blocks);
  const isCell = block?.matches("td, th");
  if (block?.matches("pre")) {
    line.replaceWith("\n");
    return;
  }
  const [before, after] = (["previousNode", "nextNode"] as const).map((step) => {
    const walker = document.createTreeWalker(block ?? line);
    walker.currentNode = line;
    while (walker[step]()) {
      const node = walker.currentNode;
      const element = node instanceof Element ? node : node.parentElement;
      if (node === block || element?.closest(blocks) !== block) return null;
      if (/^(?:BR|IMG)$/.test(node.nodeName)) return node;
      if (!(node instanceof Text)) continue;
      if (node.data.trim() !== "") return node;
      node.data = "";
    }
    return null;
  });
  if (!before || !after || (isCell && before.nodeName === "BR")) line.remove();
  else if (before.nodeName === "BR") line.replaceWith(line.ownerDocument.createElement("div"));
  else before.textContent = before.textContent?.trimEnd() ?? "";
}

/** A link's own address, where a program has put one of its own around it; null for what leads nowhere. */
function addressOf(href: string): string | null {
  const url = URL.parse(href);
  if (!url) return null;
  const isAround = /(?:^|\.)(?:google\.com|safelinks\.protection\.outlook\.com)$/.test(
    url.hostname,
  );
  const inner =
    isAround && /^\/(?:url)?$/.test(url.pathname)
      ? (url.searchParams.get("q") ?? url.searchParams.get("url"))
      : null;
  const own = inner ?? href;
  return /^(?:https?|mailto|tel):/i.test(own) ? own : null;
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
  let before = list.previousSibling;
  while (before && !isSeen(before)) {
    before.remove();
    before = list.previousSibling;
  }
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
  if (node instanceof Element && (node.matches("hr, img") || node.querySelector("hr, img")))
    return true;
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

/** One line of words a cell, and a head; a table that only places things becomes what it holds. */
function makeTable(table: HTMLTableElement): void {
  const rows = [...table.rows];
  const make = (tag: string) => table.ownerDocument.createElement(tag);
  const isLayout =
    table.querySelector("table") !== null ||
    table.role === "presentation" ||
    rows.length < 2 ||
    rows.every(({ cells }) => cells.length < 2);
  if (isLayout) {
    const parts = rows.flatMap(({ cells }) => [...cells]);
    table.replaceWith(
      ...parts.flatMap((cell) => {
        const part = make("div");
        part.append(...cell.childNodes);
        return part;
      }),
    );
    return;
  }
  for (const [index, row] of rows.entries()) {
    for (const cell of [...row.cells]) {
      for (const line of [...cell.querySelectorAll(blocks)]) {
        line.before(make("br"));
        line.after(make("br"));
        unwrap(line);
      }
      for (const below of rows.slice(index + 1, index + cell.rowSpan)) {
        const place = below.cells[cell.cellIndex] ?? null;
        for (let wide = cell.colSpan; wide > 0; wide -= 1) below.insertBefore(make("td"), place);
      }
      for (let extra = cell.colSpan; extra > 1; extra -= 1) cell.after(make("td"));
      for (const name of ["colspan", "rowspan", "style"]) cell.removeAttribute(name);
    }
  }
  const widest = Math.max(...rows.map(({ cells }) => cells.length));
  for (const [index, row] of rows.entries()) {
    while (row.cells.length < widest) row.append(make("td"));
    if (index === 0) for (const cell of [...row.cells]) rename(cell, "th");
    else for (const head of row.querySelectorAll("th")) rename(head, "td");
  }
  const { caption } = table;
  if (caption) {
    table.before(caption);
    rename(caption, "p");
  }
  const body = make("tbody");
  body.append(...rows);
  table.replaceChildren(body);
}

export function looksLikeMarkdown(text: string): boolean {
  const signs = [
    /^#{1,6} \S/m,
    /^\s*(?:[-*+]|\d{1,3}[.)]) \S.*\n(?:.*\n)*?\s*(?:[-*+]|\d{1,3}[.)]) \S/m,
    /\[[^\]\n]+\]\([^)\s]+\)/,
    /\*\*[^*\s][^*\n]*\*\*/,
    /^\|.+\|\s*\n\|[\s:|-]+\|/m,
    /^> \S/m,
  ];
  return signs.some((sign) => sign.test(text));
}
