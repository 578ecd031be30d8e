import sanitizeHtml from "sanitize-html";
import {
  allowedAttributes,
  allowedTags,
  bodyId,
  describeAddress,
  droppedWithContent,
  flags,
  imageAddress,
  layoutValue,
  linkAddress,
  renamedTags,
} from "./allowed-markup.ts";
import {
  allowedProperties,
  allowedValue,
  type Declarations,
  lengthInPx,
  readStyle,
  writeStyle,
} from "./inline-style.ts";

/** One kind of thing that was taken out of an issue's body, in words for the operator, and how many times. */
export type RemovedItem = { what: string; count: number };

/** Counts what is taken out of one body while it is prepared. */
export type RemovalReport = { add(what: string, count?: number): void; items(): RemovedItem[] };

/** Longest description of a removed thing, in characters: a body must not be able to flood the operator's terminal. */
const maxWhatLength = 80;
/** Most kinds of things reported for one body; the rest is summed up in a last line. */
const maxKinds = 60;

/** An empty report. Items come out with style properties last, since those matter least. */
export function startRemovalReport(): RemovalReport {
  const counts = new Map<string, number>();
  return {
    add(what, count = 1) {
      const printable = what.replace(/[^\x20-\x7e]/g, "?").slice(0, maxWhatLength);
      const key = counts.has(printable) || counts.size < maxKinds ? printable : "something else";
      counts.set(key, (counts.get(key) ?? 0) + count);
    },
    items() {
      const items = Array.from(counts, ([what, count]) => ({ what, count }));
      return items.sort((a, b) => Number(isStyle(a)) - Number(isStyle(b)));
    },
  };
}

function isStyle(item: RemovedItem): boolean {
  return item.what.startsWith("style property");
}

type Attributes = Record<string, string>;

/** Largest size, in pixels, at which a heading keeps the size that its writer gave it. */
const smallHeadingPx = 20;

const known = new Set(allowedTags);
const options = {
  allowedTags: [...allowedTags],
  nonTextTags: [...droppedWithContent],
  allowedAttributes: Object.fromEntries(
    Object.entries(allowedAttributes).map(([tag, names]) => [tag, [...names]]),
  ),
  allowedStyles: {
    "*": Object.fromEntries(allowedProperties.map((property) => [property, [allowedValue]])),
  },
  allowedSchemes: ["http", "https", "mailto", "tel"],
  allowedSchemesByTag: { img: ["http", "https", "data"] },
  allowProtocolRelative: false,
  // Real newsletters stay under 60. Deeper tags go, and their text stays.
  nestingLimit: 120,
};

/**
 * What an allowlist leaves of a body: email layout, text, pictures, links and plain inline styles. Everything taken
 * out is counted in `report`. Hidden text and tracking pixels are only flagged here, since telling them from layout
 * takes their surroundings. Uses sanitize-html, which is kept against the known ways round an allowlist.
 */
export function sanitiseBody(html: string, report: RemovalReport): string {
  return sanitizeHtml(html, {
    ...options,
    transformTags: { "*": (tagName, attribs) => readElement(tagName, attribs, report) },
  });
}

function readElement(tagName: string, given: Attributes, report: RemovalReport) {
  const tag = renamedTags.get(tagName) ?? tagName;
  if (!known.has(tag)) {
    // Namespaced tags are Outlook's; html, head and body are the document's, not the body's.
    if (!tag.includes(":") && !/^(?:html|head|body|xml)$/.test(tag)) report.add(`${tag} element`);
    return { tagName: tag, attribs: given };
  }
  const { kept, seen, refused } = readStyle(given.style ?? "");
  const hidden = isHidden(given, seen);
  const attribs: Attributes = {};
  for (const [name, value] of Object.entries(given)) {
    if (name === "style") continue;
    const read = readAttribute(tag, name, value, report);
    if (read !== null) attribs[name] = read;
  }
  if (tagName === "center") attribs.align = "center";
  if (tagName === "font" && given.color) Object.assign(attribs, fontColour(given.color, kept));
  // Headings take the site's own scale; only a heading set as small print keeps its size.
  if (/^h[1-6]$/.test(tag) && (lengthInPx(kept.get("font-size") ?? "0") ?? 0) > smallHeadingPx) {
    kept.delete("font-size");
  }
  if (tag === "a") finishLink(attribs, given);
  if (tag === "img") finishImage(attribs, kept, seen);
  if (!hidden) for (const what of refused) report.add(what);
  if (hidden) attribs[flags.hidden] = "1";
  if (isTiny(seen)) attribs[flags.tiny] = "1";
  if (kept.size > 0) attribs.style = writeStyle(kept);
  return { tagName: tag, attribs };
}

function readAttribute(tag: string, name: string, value: string, report: RemovalReport) {
  if (name === "href" && tag === "a") return reported(linkAddress(value), "link", value, report);
  if (name === "src" && tag === "img") return reported(imageAddress(value), "image", value, report);
  if (name === "id" || name === "headers") return bodyId(value);
  const allowed = allowedAttributes["*"]?.includes(name) || allowedAttributes[tag]?.includes(name);
  if (!allowed || name.startsWith("data-")) {
    if (/^on/.test(name) || /^(?:action|formaction|srcdoc|ping|background)$/.test(name)) {
      report.add(`${name} attribute`);
    }
    return null;
  }
  return layoutValue(name, value);
}

function reported(address: string | null, what: string, raw: string, report: RemovalReport) {
  // An empty link and a bare "#" are placeholders: they go without a word.
  if (address === null && !/^#?$/.test(raw.trim())) {
    report.add(`${what} with a ${describeAddress(raw)}`);
  }
  return address;
}

function fontColour(value: string, kept: Declarations): Attributes {
  if (/^#[0-9a-f]{3,6}$/i.test(value) && !kept.has("color")) kept.set("color", value.toLowerCase());
  return {};
}

// The links are the operator's own, so search engines may follow them: no nofollow is added, and one that the writer
// chose (nofollow, sponsored, ugc) is kept. noopener goes on every link that leaves the site.
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

function finishImage(attribs: Attributes, kept: Declarations, seen: Declarations): void {
  const side = (name: string) => lengthInPx(seen.get(name) ?? "") ?? number(attribs[name]);
  const [width, height] = [side("width"), side("height")];
  const isPixel = [width, height].every((px) => px !== null && px <= 3);
  if (isPixel || (width === 0 && height === null)) attribs[flags.pixel] = "1";
  if (attribs.width === undefined && width !== null && width > 0) {
    attribs.width = String(Math.round(width));
  }
  // A height without its width would squash the picture once the stylesheet lets it shrink.
  if (attribs.width === undefined || attribs.width.endsWith("%")) delete attribs.height;
  if (!/^\d+%$/.test(kept.get("width") ?? "")) kept.delete("width");
  attribs.alt ??= "";
  delete attribs.border;
  Object.assign(attribs, { loading: "lazy", decoding: "async", referrerpolicy: "no-referrer" });
}

function number(text: string | undefined): number | null {
  return text !== undefined && /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : null;
}

// mso-hide alone hides only from Outlook (the usual way to write a button), so it is not a sign of hidden text.
function isHidden(given: Attributes, seen: Declarations): boolean {
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

function isTiny(seen: Declarations): boolean {
  const size = lengthInPx(seen.get("font-size") ?? "");
  return size !== null && size <= 4;
}
