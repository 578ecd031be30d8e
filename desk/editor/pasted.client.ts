import { rename, unwrap } from "./letter-html.ts";

/** HTML from another program's clipboard with its headings, lists, links, tables and bold, and none of its looks. */
export function cleanPasted(html: string): string {
  // Copied in this editor.
  if (html.includes("data-pm-slice")) return html;
  // Even in a document where nothing runs, a browser complains of each handler.
  const inert = html.replace(/<[^>]+>/g, (tag) => tag.replace(/\son\w+\s*=/gi, " data-was="));
  const { body } = new DOMParser().parseFromString(inert, "text/html");
  const all = (selector: string) => [...body.querySelectorAll<HTMLElement>(selector)];
  for (const element of all(
    "script, style, title, meta, link, template, svg, form, iframe, button, input, select, textarea",
  ))
    element.remove();
  for (const element of all("[style]")) {
    if (/display:\s*none|mso-hide:\s*all/i.test(element.getAttribute("style") ?? ""))
      element.remove();
  }
  for (const picture of body.querySelectorAll("img")) {
    const path = URL.parse(picture.src)?.pathname ?? "";
    if (path.startsWith("/pictures/") && picture.src.startsWith(location.origin))
      picture.setAttribute("src", path);
    else picture.remove();
  }
  makeLists(all("p, h1, h2, h3, h4, h5, h6, div").filter((element) => levelOf(element) > 0));
  for (const heading of all("[role=heading]")) {
    const level = heading.getAttribute("aria-level") ?? "2";
    rename(heading, /^[1-6]$/.test(level) ? `h${level}` : "p");
  }
  for (const title of all("p.MsoTitle")) rename(title, "h1");
  for (const table of all("table").reverse()) makeTable(table as HTMLTableElement);
  // What is bold or larger as a heading is that by being one.
  const heads = ":is(h1, h2, h3, h4, h5, h6, th)";
  for (const head of all(heads)) head.removeAttribute("style");
  for (const bold of all(`${heads} :is(b, strong, span), b[id^=docs-internal]`)) unwrap(bold);
  for (const link of all("a")) {
    const address = addressOf(link.getAttribute("href") ?? "");
    if (address) link.setAttribute("href", address);
    else unwrap(link);
  }
  const blocks = "p, h1, h2, h3, h4, h5, h6, ul, ol, table, blockquote, div, pre";
  for (const line of all("br")) {
    const isBetween = line.parentElement?.querySelector(`:scope > :is(${blocks})`);
    if (isBetween || line.className === "Apple-interchange-newline") line.remove();
  }
  for (const block of all("p, h1, h2, h3, h4, h5, h6, li").reverse()) {
    if (block.textContent?.trim() === "" && !block.querySelector("img")) block.remove();
  }
  for (const words of all("li > p:first-child")) {
    if (!words.parentElement?.querySelector(":scope > p + p")) unwrap(words);
  }
  return body.innerHTML;
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

/** Word and Outlook write a list's item as a paragraph with its level: `mso-list:l0 level2 lfo1`. */
function levelOf(element: Element): number {
  return Number(/mso-list:[^;"]*\blevel(\d)/i.exec(element.getAttribute("style") ?? "")?.[1] ?? 0);
}

function makeLists(items: HTMLElement[]): void {
  let open: HTMLElement[] = [];
  let last: Element | null = null;
  for (const paragraph of items) {
    const level = levelOf(paragraph);
    const mark = paragraph.querySelector("[style*='mso-list:Ignore' i]");
    const isNumbered = /^\s*\(?[\da-z]{1,4}[.)]/i.test(mark?.textContent ?? "");
    mark?.remove();
    if (!last || paragraph.previousElementSibling !== last) open = [];
    open.length = Math.min(open.length, level);
    while (open.length < level) {
      const list = paragraph.ownerDocument.createElement(isNumbered ? "ol" : "ul");
      const parent = open.at(-1);
      if (parent) (parent.lastElementChild ?? parent).append(list);
      else paragraph.before(list);
      open.push(list);
    }
    const item = paragraph.ownerDocument.createElement("li");
    item.append(...paragraph.childNodes);
    open.at(-1)?.append(item);
    paragraph.remove();
    last = open[0] ?? null;
  }
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
  const widest = Math.max(
    ...rows.map(({ cells }) => [...cells].reduce((sum, { colSpan }) => sum + colSpan, 0)),
  );
  for (const [index, row] of rows.entries()) {
    for (const cell of [...row.cells]) {
      const lines = [...cell.querySelectorAll("p, div, li")].filter(
        (line) => !line.querySelector("p, div, li"),
      );
      for (const line of lines.slice(0, -1)) line.append(make("br"));
      for (const wrapper of [
        ...cell.querySelectorAll("p, div, li, ul, ol, h1, h2, h3, h4, h5, h6"),
      ])
        unwrap(wrapper);
      for (let extra = cell.colSpan; extra > 1; extra -= 1) cell.after(make("td"));
      for (const name of ["colspan", "rowspan", "style"]) cell.removeAttribute(name);
    }
    while (row.cells.length < widest) row.append(make("td"));
    if (index === 0) for (const cell of [...row.cells]) rename(cell, "th");
    else for (const head of row.querySelectorAll("th")) rename(head, "td");
  }
  const body = make("tbody");
  body.append(...rows);
  table.replaceChildren(body);
}

/** Whether plain text is most likely Markdown. */
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
