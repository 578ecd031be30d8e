import juice from "juice";
import { parse, serialize } from "parse5";
import { type Element, elementsBelow, getAttribute, setAttribute } from "#issue-body/body-tree.ts";

/** Whether an issue is a whole document, as mail programs export it, with a look of its own. */
export function isOwnDocument(markup: string): boolean {
  return /<(?:!doctype\s+html|html|body)\b/i.test(markup);
}

/** A document's style sheets, written to where they apply, since what is sanitised keeps inline styles alone. */
export function inlineOwnStyles(markup: string): string {
  return juice(markup, { preserveMediaQueries: false, preserveFontFaces: false });
}

/** Every relative address of a link or picture, as the site's own page would resolve it. */
export function withAbsoluteAddresses(markup: string, base: string): string {
  const document = parse(markup);
  for (const element of elementsBelow(document)) {
    for (const name of ["href", "src"]) {
      const value = getAttribute(element, name)?.trim();
      if (!value || !isRelative(value)) continue;
      const address = URL.parse(value, base)?.href ?? null;
      setAttribute(element, name, address);
    }
  }
  return serialize(document);
}

function isRelative(value: string): boolean {
  return !value.startsWith("#") && !/^[a-z][a-z0-9+.-]*:/i.test(value);
}

/** The colour that a document puts behind everything; null where it says none that mail programs know. */
export function canvasOf(markup: string): string | null {
  const body = elementsBelow(parse(markup)).find(({ tagName }) => tagName === "body");
  const colour = body && (styledCanvas(body) ?? getAttribute(body, "bgcolor"));
  return colour && /^#(?:[0-9a-f]{3}){1,2}$/i.test(colour) ? colour : null;
}

function styledCanvas(body: Element): string | null {
  const style = getAttribute(body, "style") ?? "";
  return /background(?:-color)?\s*:\s*(#[0-9a-f]{3,6})/i.exec(style)?.[1] ?? null;
}
