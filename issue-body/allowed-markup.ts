import { hasMergeTag } from "./merge-tags.ts";

const textTags =
  "a abbr b bdi bdo br cite code del dfn em i ins kbd mark q s samp small span strong sub sup time u var wbr";
const blockTags =
  "address blockquote dd div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p pre section ul";
const tableTags = "caption col colgroup table tbody td tfoot th thead tr";

export const allowedTags: readonly string[] = `${textTags} ${blockTags} ${tableTags} img`.split(
  " ",
);

/** Removed with their content, which means nothing without them or isn't text. */
export const droppedWithContent: readonly string[] = (
  "script style title noscript template iframe frameset noframes noembed object embed applet " +
  "audio video canvas svg math xml select option optgroup datalist textarea button label xmp plaintext"
).split(" ");

/** Renamed: the meaning stays, the effect on the page doesn't. */
export const renamedTags: ReadonlyMap<string, string> = new Map([
  ...["article", "aside", "center", "footer", "header", "main", "nav"].map(
    (name): [string, string] => [name, "div"],
  ),
  ["font", "span"],
  ["big", "span"],
  ["strike", "s"],
  ["tt", "code"],
]);

/** Set by the sanitiser for the next step; they never reach the page. */
export const flags = {
  hidden: "data-issue-hidden",
  tiny: "data-issue-tiny",
  pixel: "data-issue-pixel",
} as const;

const cell = "align valign width height bgcolor colspan rowspan headers".split(" ");

/** Attributes that a stored body may have; `*` is every element. */
export const allowedAttributes: Readonly<Record<string, readonly string[]>> = {
  "*": ["id", "style", "title", "lang", "dir", "align", ...Object.values(flags)],
  a: ["href", "target", "rel"],
  img: ["src", "alt", "width", "height", "loading", "decoding", "referrerpolicy", "border"],
  table: ["width", "bgcolor", "cellpadding", "cellspacing", "border"],
  caption: [],
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
  q: ["cite"],
  blockquote: ["cite"],
};

const layoutShapes: Readonly<Record<string, RegExp>> = {
  width: /^\d{1,4}(?:\.\d{1,3})?(?:px)?$|^\d{1,3}%$/,
  height: /^\d{1,4}(?:\.\d{1,3})?(?:px)?$|^\d{1,3}%$/,
  cellpadding: /^(?:[01]?\d|2[0-4])$/,
  cellspacing: /^(?:[01]?\d|2[0-4])$/,
  border: /^(?:[01]?\d|2[0-4])$/,
  colspan: /^[1-9]\d{0,2}$/,
  rowspan: /^[1-9]\d{0,2}$/,
  span: /^[1-9]\d{0,2}$/,
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

/** Old layout attributes with a valid value; null drops the attribute. */
export function layoutValue(name: string, value: string): string | null {
  if (name === "cite") return linkAddress(value);
  // The one value whose case matters.
  if (name === "type") return /^\s*[1ai]\s*$/i.test(value) ? value.trim() : null;
  const shape = layoutShapes[name];
  if (!shape) return value.slice(0, 500);
  const text = value.trim().toLowerCase();
  return shape.test(text) ? text.replace(/^([\d.]+)px$/, "$1") : null;
}

/** A stored picture, named by the SHA-256 of its bytes. */
export const ownPicturePath = /^\/pictures\/([\w-]{43})\.(png|jpg|gif|webp)$/;

/** Longest `data:` picture, in base64 characters. */
const maxDataImageLength = 300_000;
const maxAddressLength = 4_000;
/** Put before ids and anchors, so that a body can't use the page's own. */
export const idPrefix = "issue-";

/** A link's address: http, https, mailto, tel, a path of this site, or an anchor in this body. Null otherwise. */
export function linkAddress(raw: string): string | null {
  const address = withoutBlanks(raw);
  if (address.startsWith("#")) {
    const id = bodyId(address.slice(1));
    return id === null ? null : `#${id}`;
  }
  const isOther = /^(?:mailto|tel):[^<>"'\\]{1,1000}$|^\/(?![/\\])[^\\]{0,1000}$/i.test(address);
  return isOther ? address : webAddress(address);
}

/** A picture's address: http, https, one of this site, or a small base64 image. Null otherwise. */
export function imageAddress(raw: string): string | null {
  if (/^\s*data:/i.test(raw)) {
    if (raw.length > maxDataImageLength) return null;
    const address = raw.replace(/\s+/g, "");
    return /^data:image\/(?:png|jpe?g|gif|webp);base64,[a-z0-9+/=]+$/i.test(address)
      ? address
      : null;
  }
  const address = withoutBlanks(raw);
  return ownPicturePath.test(address) ? address : webAddress(address);
}

/** As a browser reads an address: line ends and tabs are dropped, and blanks are percent-encoded. */
function withoutBlanks(raw: string): string {
  return raw
    .trim()
    .replace(/[\t\n\r]/g, "")
    .replace(/[\s\u0000-\u001f]/g, encodeURIComponent);
}

/** An id, prefixed once; null where it has unusual characters. */
export function bodyId(raw: string): string | null {
  const id = raw.trim();
  if (!/^[\w.:-]{1,80}$/.test(id)) return null;
  return id.startsWith(idPrefix) ? id : `${idPrefix}${id}`;
}

function webAddress(address: string): string | null {
  if (address.length > maxAddressLength || !/^https?:\/\/[^\\]/i.test(address)) return null;
  const url = URL.parse(address);
  if (url === null || url.username !== "" || url.password !== "") return null;
  return /[^\x21-\x7e]/.test(address) ? url.href : address;
}

/** Names a refused address to the operator: an incomplete one in full, any other by its scheme alone. */
export function describeAddress(raw: string): string {
  const squeezed = raw.replace(/[\u0000-\u0020]+/g, "");
  const scheme = /^([a-z][a-z0-9+.-]{0,20}):/i.exec(squeezed)?.[1];
  if (scheme !== undefined) return `a ${scheme.toLowerCase()}: address`;
  return hasMergeTag(squeezed)
    ? "a merge tag for an address"
    : `an incomplete address: ${squeezed}`;
}
