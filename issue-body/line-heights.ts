import { elementsBelow, type Fragment, getAttribute, setAttribute } from "./body-tree.ts";
import { type Declarations, parseWrittenStyle, writeStyle } from "./inline-style.ts";
import { lengthInPx, lineHeightShare } from "./style-rules.ts";

/** What text has where nobody gave it a size, in pixels. */
const plainTextPx = 16;

/**
 * A line height in pixels is inherited as it is by larger text inside, whose lines would then lie over each other, and text
 * may be shown in another size than it was written in. So it's kept as its share of the text's size, which goes along with
 * both, where that holds the line: of an element that says both.
 */
export function shareLineHeight(kept: Declarations): void {
  const size = kept.get("font-size");
  if (size !== undefined) replaceLineHeight(kept, size);
}

/** The same of elements whose text has its size from further up. */
export function shareLineHeights(body: Fragment): void {
  const sizes = new Map<unknown, string>();
  // Parents come before their children.
  for (const element of elementsBelow(body)) {
    const sizeAbove = sizes.get(element.parentNode) ?? `${plainTextPx}px`;
    const style = parseWrittenStyle(getAttribute(element, "style") ?? "");
    sizes.set(element, style.get("font-size") ?? sizeAbove);
    if (!isInPixels(style)) continue;
    replaceLineHeight(style, sizeAbove);
    setAttribute(element, "style", style.size > 0 ? writeStyle(style) : null);
  }
}

function isInPixels(style: Declarations): boolean {
  return style.get("line-height")?.endsWith("px") ?? false;
}

function replaceLineHeight(style: Declarations, textSize: string): void {
  if (!isInPixels(style)) return;
  const line = lengthInPx(style.get("line-height") ?? "") ?? 0;
  const share = lineHeightShare(line / (lengthInPx(textSize) ?? plainTextPx));
  if (share === null) style.delete("line-height");
  else style.set("line-height", share);
}
