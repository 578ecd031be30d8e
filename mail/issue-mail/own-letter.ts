import { colord } from "colord";
import { raw } from "hono/html";
import juice from "juice";
import { parse } from "parse5";
import type { Colours } from "#content/colours.ts";
import {
  type Element,
  elementsBelow,
  type Fragment,
  getAttribute,
  isText,
} from "#issue-body/body-tree.ts";
import { lengthInPx, parseWrittenStyle, readStyle } from "#issue-body/inline-style.ts";
import { type Html, html, mailHead } from "../mail-document.ts";
import { footWords, type MailParts, preheaderLine } from "./letterhead.ts";

/** Whether an issue is a whole document with its own design, as mail programs export it. */
export function isOwnDocument(markup: string): boolean {
  return /<(?:!doctype\s+html|html|body)\b/i.test(markup);
}

/** Inlines the document's style sheets, since the sanitiser drops them. */
export function inlineOwnStyles(markup: string): string {
  return juice(markup, { preserveMediaQueries: false, preserveFontFaces: false });
}

/** The document's own background colour, in hexadecimal. */
export function canvasOf(markup: string): string | null {
  const body = elementsBelow(parse(markup)).find(({ tagName }) => tagName === "body");
  const style = readStyle((body && getAttribute(body, "style")) ?? "").kept;
  const colour = colord(
    style.get("background-color") ?? (body && getAttribute(body, "bgcolor")) ?? "",
  );
  return colour.isValid() ? colour.alpha(1).toHex() : null;
}

/** The sanitiser drops font names, and mail programs would fall back to Times. */
const stylesIn = ({ accent }: Colours) => `
.own, .own table, .own td, .own th, .own p, .own li, .own h1, .own h2, .own h3, .own h4 { font-family: Arial, Helvetica, sans-serif; }
.own div { box-sizing: border-box; }
.own img { max-width: 100%; height: auto; }
.own pre { white-space: pre-wrap; word-break: break-word; }
.own-foot { padding: 20px 24px 32px; background-color: #ffffff; color: #46526a; font: 13px/20px Arial, Helvetica, sans-serif; text-align: center; }
.own-foot p { margin: 0 0 8px; }
.own-foot a { color: ${accent}; text-decoration: underline; }
@media (max-width: 620px) {
  .own table, .own td, .own th, .own div { max-width: 100% !important; min-width: 0 !important; }
  .own table { width: 100% !important; }
  .own td, .own th { width: auto !important; overflow-wrap: break-word; }
  .own img { max-width: 100% !important; height: auto !important; }
  .own .wide { width: 100% !important; }
  .own .stacks { display: block !important; width: auto !important; }
  .own .data td, .own .data th { padding-left: 4px !important; padding-right: 4px !important; font-size: 14px !important; }
  .bare { padding: 0 16px !important; }
}
`;

/**
 * A document with its own design, above the footer that the law asks for. Its style sheets for phones are lost, so
 * columns stack there and text at the edge gets a margin. It stays light in dark mode, since its colours can't be
 * inverted.
 */
export function ownLetter(
  { title, preheader, colours, body, foot }: MailParts,
  { canvas, isBare }: { canvas: string | null; isBare: boolean },
): Html {
  const colour = canvas ?? "#ffffff";
  return html`${mailHead(title, "light", stylesIn(colours))}
<body style="margin:0;padding:0;background-color:${colour}" bgcolor="${colour}">
${preheaderLine(preheader)}<div class="${isBare ? "own bare" : "own"}">
${raw(body) as Html}
</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#ffffff"><tr><td class="own-foot" align="center">${footWords(foot)}</td></tr></table>
</body>
</html>
`;
}

/** Text this far from the edge needs no margin, in pixels. */
const roomPx = 8;

/** Whether most text would start at the edge of a phone's screen. */
export function touchesEdges(body: Fragment): boolean {
  const holders = elementsBelow(body).filter(({ childNodes }) =>
    childNodes.some((node) => isText(node) && node.value.trim().length > 20),
  );
  const touching = holders.filter((holder) => roomBeside(holder) < roomPx);
  return touching.length > holders.length / 2;
}

function roomBeside(holder: Element): number {
  let room = 0;
  for (let at: Element | null = holder; at; at = parentOf(at)) {
    const style = parseWrittenStyle(getAttribute(at, "style") ?? "");
    if (at.tagName === "table") room += Number(getAttribute(at, "cellpadding") ?? 0);
    for (const name of ["padding", "margin"]) {
      const all = style.get(name)?.split(" ");
      room += lengthInPx(style.get(`${name}-left`) ?? all?.[3] ?? all?.[1] ?? all?.[0] ?? "0") ?? 0;
    }
  }
  return room;
}

function parentOf({ parentNode }: Element): Element | null {
  return parentNode && "tagName" in parentNode ? parentNode : null;
}
