import { html as markup } from "hono/html";
import {
  type DefaultTreeAdapterTypes,
  defaultTreeAdapter,
  html as htmlNames,
  parse,
  parseFragment,
  serialize,
} from "parse5";

export type Fragment = DefaultTreeAdapterTypes.DocumentFragment;
export type Element = DefaultTreeAdapterTypes.Element;
export type Node = DefaultTreeAdapterTypes.ChildNode;
type Parent = DefaultTreeAdapterTypes.ParentNode;

/** As a browser builds it inside a div: only that shows what a misnested end tag closes. */
export function parseBody(html: string): Fragment {
  return parseFragment(createElement("div"), html, {});
}

export function writeBody(fragment: Fragment): string {
  return serialize(fragment);
}

export function createElement(tagName: string, attributes: Record<string, string> = {}): Element {
  const attrs = Object.entries(attributes).map(([name, value]) => ({ name, value }));
  return defaultTreeAdapter.createElement(tagName, htmlNames.NS.HTML, attrs);
}

export function isElement(node: Node | Parent | null): node is Element {
  return node !== null && "tagName" in node;
}

export function isText(node: Node): node is DefaultTreeAdapterTypes.TextNode {
  return node.nodeName === "#text";
}

export function childElements(parent: Parent): Element[] {
  return parent.childNodes.filter(isElement);
}

/** Parents first; `stopAt` elements are listed but not entered. */
export function elementsBelow(parent: Parent, stopAt?: ReadonlySet<string>): Element[] {
  const found: Element[] = [];
  const waiting = childElements(parent).reverse();
  for (let element = waiting.pop(); element; element = waiting.pop()) {
    found.push(element);
    if (stopAt?.has(element.tagName)) continue;
    for (const child of childElements(element).reverse()) waiting.push(child);
  }
  return found;
}

/** Real newsletters stay under 60; deeper trees overflow the stack. */
export const maxNesting = 500;

export function isNestedTooDeep(html: string): boolean {
  let level: Parent[] = [parse(html)];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxNesting) return true;
    level = level.flatMap((parent) => childElements("content" in parent ? parent.content : parent));
  }
  return false;
}

export function textOf(node: Node | Parent): string {
  if ("value" in node) return node.value;
  return "childNodes" in node ? node.childNodes.map(textOf).join("") : "";
}

// Exports pad their previews with them.
const zeroWidth = /\u00ad|\u034f|\u180e|\u200b|\u200e|\u200f|[\u2060-\u2064]|\ufeff/g;

// Between letters and emoji they have a meaning.
const idleJoiners =
  /(?<![^\u0000-\u007f\s\u200c\u200d])[\u200c\u200d]|[\u200c\u200d](?![^\u0000-\u007f\s\u200c\u200d])/g;

/** Collapses and trims spaces. */
export function seenText(text: string): string {
  return text.replace(zeroWidth, "").replace(idleJoiners, "").replace(/\s+/g, " ").trim();
}

export function withoutEmptyCharacters(text: string): string {
  return isBlank(text) ? text.replace(zeroWidth, "").replace(idleJoiners, "") : text;
}

export function isBlank(text: string): boolean {
  return seenText(text) === "";
}

export function isEmptyElement(element: Element): boolean {
  const shows = (tagName: string) => tagName === "img" || tagName === "hr";
  if (shows(element.tagName) || !isBlank(textOf(element))) return false;
  return !elementsBelow(element).some(({ tagName }) => shows(tagName));
}

export function getAttribute(element: Element, name: string): string | undefined {
  return element.attrs.find((attribute) => attribute.name === name)?.value;
}

export function setAttribute(element: Element, name: string, value: string | null): void {
  const present = element.attrs.find((attribute) => attribute.name === name);
  if (value === null) element.attrs = element.attrs.filter((attribute) => attribute.name !== name);
  else if (present) present.value = value;
  else element.attrs.push({ name, value });
}

export function removeNode(node: Node): void {
  defaultTreeAdapter.detachNode(node);
}

export function wrapElement(element: Element, wrapper: Element): void {
  const parent = element.parentNode;
  if (parent === null) return;
  defaultTreeAdapter.insertBefore(parent, wrapper, element);
  defaultTreeAdapter.detachNode(element);
  defaultTreeAdapter.appendChild(wrapper, element);
}

/** SHA-256 of the bytes. */
const ownPicturePath = /^\/pictures\/([\w-]{43})\.(png|jpg|gif|webp)$/;

/** In base64 characters. */
const maxDataImageLength = 300_000;
const maxAddressLength = 4_000;
/** So that a body can't use the page's own ids. */
export const idPrefix = "issue-";

/** http, https, mailto, tel, a path or an anchor; otherwise null. */
export function linkAddress(raw: string): string | null {
  const address = withoutBlanks(raw);
  if (address.startsWith("#")) {
    const id = bodyId(address.slice(1));
    return id === null ? null : `#${id}`;
  }
  const isOther = /^(?:mailto|tel):[^<>"'\\]{1,1000}$|^\/(?![/\\])[^\\]{0,1000}$/i.test(address);
  return isOther ? address : webAddress(address);
}

/** http, https, a path or a small base64 image; otherwise null. */
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

/** As browsers do: drops line ends and tabs, encodes blanks. */
function withoutBlanks(raw: string): string {
  return raw
    .trim()
    .replace(/[\t\n\r]/g, "")
    .replace(/[\s\u0000-\u001f]/g, encodeURIComponent);
}

/** Prefixed once; null for unusual characters. */
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

export type AddressPlace = {
  is: "link" | "picture";
  address: string;
  from: number;
  to: number;
};

/** Keeps everything but the replaced addresses letter for letter. */
export function withAddresses(text: string, replace: (place: AddressPlace) => string | null) {
  let written = "";
  let at = 0;
  for (const place of addressesIn(text)) {
    const address = replace(place);
    if (address === null || address === place.address) continue;
    const name = place.is === "link" ? "href" : "src";
    written += `${text.slice(at, place.from)}${name}="${markup`${address}`}"`;
    at = place.to;
  }
  return written + text.slice(at);
}

/** In the order of the text. */
function addressesIn(text: string): AddressPlace[] {
  const found = new Map<number, AddressPlace>();
  for (const element of elementsBelow(parse(text, { sourceCodeLocationInfo: true }))) {
    const isLink = element.tagName === "a";
    if (!isLink && element.tagName !== "img") continue;
    const name = isLink ? "href" : "src";
    const address = getAttribute(element, name)?.trim();
    const place = element.sourceCodeLocation?.attrs?.[name];
    if (!address || !place) continue;
    const { startOffset: from, endOffset: to } = place;
    // The parser may copy a link that isn't closed.
    if (!found.has(from)) found.set(from, { is: isLink ? "link" : "picture", address, from, to });
  }
  return [...found.values()].sort((a, b) => a.from - b.from);
}

/** Unchanged if it can't be decoded. */
export function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
