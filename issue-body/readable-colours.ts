import {
  childElements,
  type Element,
  type Fragment,
  getAttribute,
  setAttribute,
} from "./body-tree.ts";
import { type Colour, contrastRatio, paintOver, parseColour } from "./colours.ts";
import { parseWrittenStyle, writeStyle } from "./inline-style.ts";

/** The sheet that an issue lies on, and the colours of its text and links (issue-body.css has the same). */
export const sheetColour: Colour = { red: 0xfa, green: 0xfc, blue: 0xf6, alpha: 1 };
const ink: Colour = { red: 0x10, green: 0x1a, blue: 0x2b, alpha: 1 };
const white: Colour = { red: 0xff, green: 0xff, blue: 0xff, alpha: 1 };
const chalk: Colour = { red: 0x1f, green: 0x4f, blue: 0xd8, alpha: 1 };

/** WCAG 2.2, success criterion 1.4.3: text against what is behind it. */
const minContrast = 4.5;
/** Backgrounds whose channels differ by no more than this, of 255, look the same; the inner one is left out. */
const sameBackground = 10;

type Paint = { background: Colour; text: Colour };

/** Goes down the tree with the colours that apply, and mends each text colour that can't be read. */
export function makeColoursReadable(body: Fragment): void {
  for (const child of childElements(body)) mend(child, { background: sheetColour, text: ink });
}

function mend(element: Element, around: Paint): void {
  const style = parseWrittenStyle(getAttribute(element, "style") ?? "");
  const bgcolor = getAttribute(element, "bgcolor");
  if (bgcolor !== undefined && !style.has("background-color")) {
    const value = /^[0-9a-f]{3,6}$/.test(bgcolor) ? `#${bgcolor}` : bgcolor;
    if (parseColour(value) !== null) style.set("background-color", value);
  }
  setAttribute(element, "bgcolor", null);

  const own = parseColour(style.get("background-color") ?? "");
  const painted = own === null ? around.background : paintOver(own, around.background);
  const isSame = channelDifference(painted, around.background) <= sameBackground;
  if (isSame) style.delete("background-color");
  const background = isSame ? around.background : painted;

  const given = parseColour(style.get("color") ?? "");
  const natural = element.tagName === "a" ? chalk : around.text;
  const text = given === null ? natural : paintOver(given, background);
  const readable = contrastRatio(text, background) >= minContrast ? text : readableOn(background);
  if (readable !== text) {
    const isAround = readable === around.text && element.tagName !== "a";
    if (isAround) style.delete("color");
    else style.set("color", readable === ink ? "#101a2b" : "#ffffff");
  }
  setAttribute(element, "style", style.size > 0 ? writeStyle(style) : null);
  for (const child of childElements(element)) mend(child, { background, text: readable });
}

function channelDifference(a: Colour, b: Colour): number {
  return Math.max(Math.abs(a.red - b.red), Math.abs(a.green - b.green), Math.abs(a.blue - b.blue));
}

function readableOn(background: Colour): Colour {
  return contrastRatio(ink, background) >= contrastRatio(white, background) ? ink : white;
}
