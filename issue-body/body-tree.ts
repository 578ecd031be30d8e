import {
  type DefaultTreeAdapterTypes,
  defaultTreeAdapter,
  html as htmlNames,
  parseFragment,
  serialize,
} from "parse5";

export type Fragment = DefaultTreeAdapterTypes.DocumentFragment;
export type Element = DefaultTreeAdapterTypes.Element;
export type Node = DefaultTreeAdapterTypes.ChildNode;
type Parent = DefaultTreeAdapterTypes.ParentNode;

/**
 * The tree that a browser builds from `markup` inside a div. parse5 follows the HTML standard's tree construction,
 * which is the only way to know what a misnested end tag will close.
 */
export function parseBody(markup: string): Fragment {
  return parseFragment(createElement("div"), markup, {});
}

/** Markup of a tree. */
export function writeBody(fragment: Fragment): string {
  return serialize(fragment);
}

/** A new HTML element with no parent. */
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

/** Every element below `parent`, parents before children; those of `stopAt` are listed but not entered. */
export function elementsBelow(parent: Parent, stopAt?: ReadonlySet<string>): Element[] {
  const found: Element[] = [];
  function visit(inner: Parent): void {
    for (const child of inner.childNodes) {
      if (!isElement(child)) continue;
      found.push(child);
      if (!stopAt?.has(child.tagName)) visit(child);
    }
  }
  visit(parent);
  return found;
}

/** The text below a node, as written. */
export function textOf(node: Node | Parent): string {
  if ("value" in node) return node.value;
  return "childNodes" in node ? node.childNodes.map(textOf).join("") : "";
}

// Soft hyphens, zero-width characters and the combining joiner that exports pad their previews with.
const zeroWidth = /\u00ad|\u034f|\u180e|[\u200b-\u200f]|[\u2060-\u2064]|\ufeff/g;

/** A text as it is seen: nothing of no width, spaces of every kind collapsed, none at the ends. */
export function seenText(text: string): string {
  return text.replace(zeroWidth, "").replace(/\s+/g, " ").trim();
}

/** A text without the characters of no width where it has no others. */
export function withoutEmptyCharacters(text: string): string {
  return isBlank(text) ? text.replace(zeroWidth, "") : text;
}

/** Whether a text shows nothing at all. */
export function isBlank(text: string): boolean {
  return seenText(text) === "";
}

/** Whether an element shows neither text, nor a picture, nor a line. */
export function isEmptyElement(element: Element): boolean {
  const shows = (tagName: string) => tagName === "img" || tagName === "hr";
  if (shows(element.tagName) || !isBlank(textOf(element))) return false;
  return !elementsBelow(element).some(({ tagName }) => shows(tagName));
}

export function getAttribute(element: Element, name: string): string | undefined {
  return element.attrs.find((attribute) => attribute.name === name)?.value;
}

/** Sets an attribute, or takes it away when `value` is null. */
export function setAttribute(element: Element, name: string, value: string | null): void {
  const present = element.attrs.find((attribute) => attribute.name === name);
  if (value === null) element.attrs = element.attrs.filter((attribute) => attribute.name !== name);
  else if (present) present.value = value;
  else element.attrs.push({ name, value });
}

export function removeNode(node: Node): void {
  defaultTreeAdapter.detachNode(node);
}

/** Puts `wrapper` where `element` stands, and `element` inside it. */
export function wrapElement(element: Element, wrapper: Element): void {
  const parent = element.parentNode;
  if (parent === null) return;
  defaultTreeAdapter.insertBefore(parent, wrapper, element);
  defaultTreeAdapter.detachNode(element);
  defaultTreeAdapter.appendChild(wrapper, element);
}
