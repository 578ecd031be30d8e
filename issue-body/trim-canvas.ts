import {
  childElements,
  type Element,
  type Fragment,
  getAttribute,
  isBlank,
  isEmptyElement,
  isText,
  setAttribute,
} from "./body-tree.ts";
import { contrastRatio, luminance, parseColour } from "./colours.ts";
import { parseWrittenStyle, writeStyle } from "./inline-style.ts";
import { sheetColour } from "./readable-colours.ts";

/** A grey this light, or lighter, around the whole of a letter is the mail's canvas and not a choice of the writer. */
const canvasLuminance = 0.7;

const wrappers = new Set(["div", "section", "table", "tbody", "tr", "td"]);

/**
 * An exported letter stands on a canvas of its own: a chain of boxes around everything, with the mail's background and
 * margins. On the page the sheet is the canvas, so those boxes lose their light backgrounds, side padding and frames.
 * Backgrounds further in that can't be told from the sheet go too.
 */
export function trimCanvas(body: Fragment): void {
  let around = onlyChild(body);
  while (around !== null && wrappers.has(around.tagName)) {
    trimWrapper(around);
    around = onlyChild(around);
  }
}

function onlyChild(parent: Fragment | Element): Element | null {
  if (parent.childNodes.some((node) => isText(node) && !isBlank(node.value))) return null;
  const children = childElements(parent).filter((child) => !isEmptyElement(child));
  return children.length === 1 ? (children[0] ?? null) : null;
}

function trimWrapper(element: Element): void {
  const style = parseWrittenStyle(getAttribute(element, "style") ?? "");
  for (const side of ["left", "right"]) {
    for (const name of [`padding-${side}`, `border-${side}`]) style.delete(name);
  }
  const padding = style.get("padding")?.split(" ");
  if (padding !== undefined) style.set("padding", `${padding[0] ?? "0"} 0 ${padding[2] ?? "0"} 0`);
  const background = style.get("background-color") ?? getAttribute(element, "bgcolor");
  if (background !== undefined && isCanvas(background)) {
    style.delete("background-color");
    setAttribute(element, "bgcolor", null);
  }
  setAttribute(element, "style", style.size > 0 ? writeStyle(style) : null);
}

function isCanvas(value: string): boolean {
  const colour = parseColour(value);
  if (colour === null || colour.alpha < 1) return true;
  const spread =
    Math.max(colour.red, colour.green, colour.blue) -
    Math.min(colour.red, colour.green, colour.blue);
  return (
    luminance(colour) > canvasLuminance && (spread < 24 || contrastRatio(colour, sheetColour) < 1.1)
  );
}
