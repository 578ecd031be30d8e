import type { Token } from "parse5";
import { holdsTextAlone, tokenizeHtml } from "#issue-body/take-body.ts";

export type Heading = {
  text: string;
  line: number;
  /** Where the element stands in the source, its tags included; null where it is never closed. */
  range: { from: number; to: number } | null;
  /** True when no visible word stands before it and it holds words alone. */
  leads: boolean;
};

type HtmlOutline = {
  title: { text: string; line: number } | null;
  firstHeading: Heading | null;
};

const voidTags = new Set("area base br col embed hr img input link meta source wbr".split(" "));
const headingTag = /^h[1-6]$/;
// Mails hide a preview line this way above everything else.
const hiddenStyle = /display\s*:\s*none|mso-hide\s*:\s*all|visibility\s*:\s*hidden/i;

/**
 * Finds an HTML text's title element and its first heading that holds words. By the tokeniser alone, so that the time
 * grows with the length and not with the nesting.
 */
export function outlineHtml(html: string): HtmlOutline {
  const outline: HtmlOutline = { title: null, firstHeading: null };
  let wordsBefore = false;
  let raw: { name: string; text: string; line: number } | null = null;
  let hidden: { name: string; depth: number } | null = null;
  let heading: (Heading & { name: string; from: number }) | null = null;
  let drawings = 0;

  function words(chars: string): void {
    if (raw !== null) raw.text += chars;
    else if (heading !== null) heading.text += chars;
    else if (hidden === null && chars.trim() !== "") wordsBefore = true;
  }

  function startTag({ tagName, attrs, location }: Token.TagToken): void {
    const isText = holdsTextAlone(tagName);
    if (isText) raw = { name: tagName, text: "", line: location?.startLine ?? 1 };
    if (tagName === "svg") drawings += 1;
    if (hidden !== null) {
      if (tagName === hidden.name) hidden.depth += 1;
    } else if (!voidTags.has(tagName) && !isText && isHidden(attrs)) {
      hidden = { name: tagName, depth: 1 };
    }
    if (heading !== null) {
      if (tagName === "img" || tagName === "svg") heading.leads = false;
      if (tagName === "br") heading.text += " ";
    } else if (headingTag.test(tagName) && hidden === null && outline.firstHeading === null) {
      heading = {
        name: tagName,
        text: "",
        line: location?.startLine ?? 1,
        from: location?.startOffset ?? 0,
        range: null,
        leads: !wordsBefore,
      };
    }
  }

  function endTag({ tagName, location }: Token.TagToken): void {
    if (raw?.name === tagName) {
      const text = oneLine(raw.text);
      if (tagName === "title" && drawings === 0 && outline.title === null && text !== "") {
        outline.title = { text, line: raw.line };
      }
      raw = null;
    }
    if (tagName === "svg") drawings = Math.max(0, drawings - 1);
    if (hidden?.name === tagName) {
      hidden.depth -= 1;
      if (hidden.depth === 0) hidden = null;
    }
    if (heading !== null && headingTag.test(tagName)) {
      const { from, name: _name, ...found } = heading;
      const text = oneLine(found.text);
      const range = location && { from, to: location.endOffset };
      if (text !== "") outline.firstHeading = { ...found, text, range };
      heading = null;
    }
  }

  tokenizeHtml(html, {
    onStartTag: startTag,
    onEndTag: endTag,
    onText: ({ chars }) => words(chars),
  });
  return outline;
}

/** Text with every run of white space as one space. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function isHidden(attrs: Token.Attribute[]): boolean {
  return attrs.some(
    ({ name, value }) => name === "hidden" || (name === "style" && hiddenStyle.test(value)),
  );
}
