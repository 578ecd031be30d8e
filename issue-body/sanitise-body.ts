import { type Token, Tokenizer, TokenizerMode } from "parse5";
import sanitizeHtml from "sanitize-html";
import { bodyId, imageAddress, isBlank, linkAddress } from "./body-tree.ts";
import { type Declarations, lengthInPx, readStyle, writeStyle } from "./inline-style.ts";

export type RemovedItem = { what: string; count: number };

export type RemovalReport = ReturnType<typeof startRemovalReport>;

/** Counts what is removed, in words that a terminal can show. */
export function startRemovalReport() {
  const counts = new Map<string, number>();
  return {
    add(what: string) {
      const printable = what.replace(/[^\x20-\x7e]/g, "?").slice(0, 80);
      counts.set(printable, (counts.get(printable) ?? 0) + 1);
    },
    items: (): RemovedItem[] => Array.from(counts, ([what, count]) => ({ what, count })),
  };
}

/** In UTF-16 code units; the rest is cut off and reported. */
export const maxBodyLength = 2_000_000;
/** Real newsletters have under 5,000. Deep nesting takes quadratic time. */
const maxTags = 40_000;

/** The body tag's content, or everything (specification, section 5). Comments and scripts may hold a `<body`. */
export function takeBody(content: string, report: RemovalReport): string {
  let html = content
    .replace(/^\ufeff/, "")
    .replace(/\r\n?/g, "\n")
    .replaceAll("\0", "");
  if (html.length > maxBodyLength) {
    html = html.slice(0, maxBodyLength);
    report.add(`text after the first ${maxBodyLength} characters`);
  }
  const { tags, tooMany } = findBodyTags(html);
  if (tooMany !== null) {
    html = html.slice(0, tooMany);
    report.add(`text after the first ${maxTags} tags`);
  }
  const first = tags.findIndex(({ isEnd }) => !isEnd);
  if (first === -1) return html;
  // A forwarded mail may contain a second document.
  let open = 0;
  const end = tags.slice(first).find(({ isEnd }) => {
    open += isEnd ? -1 : 1;
    return open === 0;
  });
  return html.slice(tags[first]?.to, end?.from);
}

type Tag = { isEnd: boolean; from: number; to: number };

/** The tokeniser alone doesn't know these. */
const textModes = new Map<string, Tokenizer["state"]>([
  ["title", TokenizerMode.RCDATA],
  ["textarea", TokenizerMode.RCDATA],
  ["script", TokenizerMode.SCRIPT_DATA],
  ["plaintext", TokenizerMode.PLAINTEXT],
  ...["style", "xmp", "iframe", "noembed", "noframes", "noscript"].map(
    (name): [string, Tokenizer["state"]] => [name, TokenizerMode.RAWTEXT],
  ),
]);

function findBodyTags(html: string): { tags: Tag[]; tooMany: number | null } {
  const tags: Tag[] = [];
  let count = 0;
  let tooMany: number | null = null;
  function read({ tagName, location }: Token.TagToken, isEnd: boolean): void {
    if (location === null || tooMany !== null) return;
    const { startOffset, endOffset } = location;
    count += 1;
    if (count > maxTags) tooMany = startOffset;
    else if (tagName === "body") tags.push({ isEnd, from: startOffset, to: endOffset });
  }
  const ignore = () => {};
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag(token) {
        read(token, false);
        tokenizer.state = textModes.get(token.tagName) ?? tokenizer.state;
      },
      onEndTag: (token) => read(token, true),
      onCharacter: ignore,
      onWhitespaceCharacter: ignore,
      onNullCharacter: ignore,
      onComment: ignore,
      onDoctype: ignore,
      onEof: ignore,
    },
  );
  tokenizer.write(html, true);
  return { tags, tooMany };
}

const textTags =
  "a abbr b bdi bdo br cite code del dfn em i ins kbd mark q s samp small span strong sub sup time u var wbr";
const blockTags =
  "address blockquote dd div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p pre section ul";
const tableTags = "caption col colgroup table tbody td tfoot th thead tr";

export const allowedTags = new Set(`${textTags} ${blockTags} ${tableTags} img`.split(" "));

const droppedWithContent = (
  "script style title noscript template iframe frameset noframes noembed object embed applet " +
  "audio video canvas svg math xml select option optgroup datalist textarea button label xmp plaintext"
).split(" ");

const renamedTags = new Map<string, string>([
  ...["article", "aside", "center", "details", "footer", "header", "main", "nav", "summary"].map(
    (name): [string, string] => [name, "div"],
  ),
  ["font", "span"],
  ["big", "span"],
  ["strike", "s"],
  ["tt", "code"],
]);

const cell = "align valign width height bgcolor colspan rowspan headers".split(" ");

const allowedAttributes: Record<string, string[]> = {
  "*": ["id", "style", "title", "lang", "dir", "align"],
  a: ["href", "target", "rel"],
  img: ["src", "alt", "width", "height", "loading", "decoding", "referrerpolicy", "border"],
  table: ["width", "bgcolor", "cellpadding", "cellspacing", "border"],
  col: ["span", "width"],
  colgroup: ["span", "width"],
  tr: ["valign", "bgcolor"],
  td: cell,
  th: [...cell, "scope", "abbr"],
  tbody: ["valign"],
  thead: ["valign"],
  tfoot: ["valign"],
  ol: ["start", "type", "reversed"],
  li: ["value"],
  time: ["datetime"],
};

const [size, gap, count] = [
  /^\d{1,4}(?:\.\d{1,3})?(?:px)?$|^\d{1,3}%$/,
  /^(?:[01]?\d|2[0-4])$/,
  /^[1-9]\d{0,2}$/,
];

const layoutShapes: Readonly<Record<string, RegExp>> = {
  width: size,
  height: size,
  cellpadding: gap,
  cellspacing: gap,
  border: gap,
  colspan: count,
  rowspan: count,
  span: count,
  align: /^(?:left|right|center|justify)$/,
  valign: /^(?:top|middle|bottom|baseline)$/,
  bgcolor: /^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$|^[a-z]{3,20}$/,
  dir: /^(?:ltr|rtl|auto)$/,
  lang: /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/,
  scope: /^(?:row|col|rowgroup|colgroup)$/,
  start: /^-?\d{1,6}$/,
  value: /^-?\d{1,6}$/,
  target: /^_blank$/,
};

export function mayHave(tag: string, name: string): boolean {
  const lists = [allowedAttributes["*"], allowedAttributes[tag]];
  return lists.some((names) => names?.includes(name));
}

function layoutValue(name: string, value: string): string | null {
  if (name === "type") return /^\s*[1ai]\s*$/i.test(value) ? value.trim() : null;
  const shape = layoutShapes[name];
  if (!shape) return value.slice(0, 500);
  const text = value.trim().toLowerCase();
  return shape.test(text) ? text.replace(/^([\d.]+)px$/, "$1") : null;
}

/** Shows an incomplete address in full, any other by its scheme. */
function describeAddress(raw: string): string {
  const squeezed = raw.replace(/[\u0000-\u0020]+/g, "");
  const scheme = /^([a-z][a-z0-9+.-]{0,20}):/i.exec(squeezed)?.[1];
  return scheme ? `a ${scheme.toLowerCase()}: address` : `an incomplete address: ${squeezed}`;
}

type Attributes = Record<string, string>;

const options = {
  allowedTags: [...allowedTags],
  nonTextTags: droppedWithContent,
  allowedAttributes,
  parseStyleAttributes: false,
  allowedSchemes: ["http", "https", "mailto", "tel"],
  allowedSchemesByTag: { img: ["http", "https", "data"] },
  allowProtocolRelative: false,
  // Real newsletters stay under 60. Deeper tags go and leave their text.
  nestingLimit: 120,
};

/** Removes what isn't allowed, hidden text and tracking pixels, and counts it. */
export function sanitiseBody(html: string, report: RemovalReport): string {
  const unseen = new WeakMap<Attributes, "hidden text" | "tracking pixel">();
  return sanitizeHtml(html, {
    ...options,
    transformTags: {
      "*": (tagName, given) => {
        const { tag, attribs, isHidden, isPixel } = readElement(tagName, given, report);
        if (isHidden || isPixel) unseen.set(attribs, isPixel ? "tracking pixel" : "hidden text");
        return { tagName: tag, attribs };
      },
    },
    exclusiveFilter({ tag, attribs, text }) {
      const what = unseen.get(attribs);
      // The frame of a picture without an address would be empty.
      if (what === undefined) return tag === "img" && attribs.src === undefined;
      if (what === "tracking pixel" || !isBlank(text)) report.add(what);
      return true;
    },
  });
}

function readElement(tagName: string, given: Attributes, report: RemovalReport) {
  const tag = renamedTags.get(tagName) ?? tagName;
  if (!allowedTags.has(tag)) {
    // Not worth a report.
    if (!tag.includes(":") && !/^(?:html|head|body|xml)$/.test(tag)) report.add(`${tag} element`);
    return { tag, attribs: given };
  }
  const { kept, seen, refused } = readStyle(given.style ?? "");
  const isHidden = hides(given, seen);
  const attribs: Attributes = {};
  for (const [name, value] of Object.entries(given)) {
    const read = name === "style" ? null : readAttribute(tag, name, value, report);
    if (read !== null) attribs[name] = read;
  }
  if (tagName === "center") attribs.align = "center";
  const fontColour = tagName === "font" ? (given.color ?? "").toLowerCase() : "";
  if (/^#[0-9a-f]{3,6}$/.test(fontColour) && !kept.has("color")) kept.set("color", fontColour);
  if (tag === "a") finishLink(attribs, given);
  const isPixel = tag === "img" && finishImage(attribs, kept, seen);
  if (!isHidden) for (const what of refused) report.add(what);
  if (kept.size > 0) attribs.style = writeStyle(kept);
  return { tag, attribs, isHidden, isPixel };
}

function readAttribute(tag: string, name: string, value: string, report: RemovalReport) {
  if (name === "href" && tag === "a") return reported(linkAddress(value), "link", value, report);
  if (name === "src" && tag === "img") return reported(imageAddress(value), "image", value, report);
  if (name === "id" || name === "headers") return bodyId(value);
  if (!mayHave(tag, name)) {
    if (/^on/.test(name) || /^(?:action|formaction|srcdoc|ping|background)$/.test(name)) {
      report.add(`${name} attribute`);
    }
    return null;
  }
  return layoutValue(name, value);
}

function reported(address: string | null, what: string, raw: string, report: RemovalReport) {
  // Placeholders aren't reported.
  if (address === null && !/^#?$/.test(raw.trim())) {
    report.add(`${what} with ${describeAddress(raw)}`);
  }
  return address;
}

// No nofollow: the links are the operator's own.
function finishLink(attribs: Attributes, given: Attributes): void {
  const anchor = given.id === undefined && given.name ? bodyId(given.name) : null;
  if (anchor !== null) attribs.id = anchor;
  const chosen = (given.rel ?? "").toLowerCase().split(/\s+/);
  delete attribs.rel;
  if (attribs.href === undefined || !/^https?:/i.test(attribs.href)) {
    delete attribs.target;
    return;
  }
  const kept = ["nofollow", "sponsored", "ugc"].filter((token) => chosen.includes(token));
  attribs.rel = ["noopener", ...kept].join(" ");
}

/** Whether it is a tracking pixel. */
function finishImage(attribs: Attributes, kept: Declarations, seen: Declarations): boolean {
  const side = (name: string) => lengthInPx(seen.get(name) ?? "") ?? number(attribs[name]);
  const [width, height] = [side("width"), side("height")];
  if (attribs.width === undefined && width !== null && width > 0) {
    attribs.width = String(Math.round(width));
  }
  // A height alone would squash a shrunk picture.
  if (attribs.width === undefined || attribs.width.endsWith("%")) delete attribs.height;
  if (!/^\d+%$/.test(kept.get("width") ?? "")) kept.delete("width");
  attribs.alt ??= "";
  delete attribs.border;
  Object.assign(attribs, { loading: "lazy", decoding: "async", referrerpolicy: "no-referrer" });
  const isTiny = [width, height].every((px) => px !== null && px <= 3);
  return isTiny || (width === 0 && height === null);
}

function number(text: string | undefined): number | null {
  return text !== undefined && /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : null;
}

// mso-hide alone hides only from Outlook.
function hides(given: Attributes, seen: Declarations): boolean {
  const isZero = (name: string) => lengthInPx(seen.get(name) ?? "") === 0;
  return (
    given.hidden !== undefined ||
    seen.get("display") === "none" ||
    /^(?:hidden|collapse)$/.test(seen.get("visibility") ?? "") ||
    /^0?\.?0+%?$/.test(seen.get("opacity") ?? "") ||
    isZero("max-height") ||
    ((isZero("height") || isZero("width")) && seen.get("overflow") === "hidden") ||
    /^-\d{3,}/.test(seen.get("text-indent") ?? "")
  );
}
