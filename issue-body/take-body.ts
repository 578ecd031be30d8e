import { type Token, Tokenizer, TokenizerMode } from "parse5";
import type { RemovalReport } from "./sanitise-body.ts";

/** Longest body that is prepared, in UTF-16 code units; the rest is cut off and reported. */
export const maxBodyLength = 2_000_000;
/** Most tags: deeply nested ones take time by the square of their number. Real newsletters have under 5,000. */
const maxTags = 40_000;

const documentTags = new Set(["html", "head", "body"]);

type Tag = { name: string; isEnd: boolean; from: number; to: number };

/**
 * The part of a stored issue that is its body (specification, section 5): what stands inside the body tag when there is
 * one; otherwise everything but the head element and the html, head and body tags. Tags are found by the HTML
 * standard's own tokeniser, so a `<body` in a comment, an attribute, a script or a title is not taken for one.
 */
export function takeBody(content: string, report: RemovalReport): string {
  let html = content
    .replace(/^\ufeff/, "")
    .replace(/\r\n?/g, "\n")
    .replaceAll("\0", "");
  if (html.length > maxBodyLength) {
    html = html.slice(0, maxBodyLength);
    report.add(`text after the first ${maxBodyLength} characters`);
  }
  const tags = findTags(html);
  const firstTooMany = tags[maxTags];
  if (firstTooMany) {
    tags.length = maxTags;
    html = html.slice(0, firstTooMany.from);
    report.add(`text after the first ${maxTags} tags`);
  }
  const { from, to } = findBody(html, tags);
  const inside = tags.filter((tag) => tag.from >= from && tag.to <= to);
  const cuts = [...headElement(inside), ...inside.filter((tag) => documentTags.has(tag.name))];
  return without(html, from, to, [...cuts]);
}

function findTags(html: string): Tag[] {
  const tags: Tag[] = [];
  function keep(token: Token.TagToken, isEnd: boolean): void {
    if (token.location === null) return;
    const { startOffset, endOffset } = token.location;
    tags.push({ name: token.tagName, isEnd, from: startOffset, to: endOffset });
  }
  tokenizeHtml(html, {
    onStartTag: (token) => keep(token, false),
    onEndTag: (token) => keep(token, true),
  });
  return tags;
}

/** From after the first body tag to its own end tag: a forwarded mail may carry a second document inside. */
function findBody(html: string, tags: Tag[]): { from: number; to: number } {
  const bodies = tags.filter((tag) => tag.name === "body");
  const first = bodies.findIndex((tag) => !tag.isEnd);
  if (first === -1) return { from: 0, to: html.length };
  let open = 0;
  for (const tag of bodies.slice(first)) {
    open += tag.isEnd ? -1 : 1;
    if (open === 0) return { from: bodies[first]?.to ?? 0, to: tag.from };
  }
  return { from: bodies[first]?.to ?? 0, to: html.length };
}

function headElement(tags: Tag[]): { from: number; to: number }[] {
  const start = tags.find((tag) => tag.name === "head" && !tag.isEnd);
  const end = tags.find((tag) => tag.name === "head" && tag.isEnd && tag.from >= (start?.to ?? 0));
  return start && end ? [{ from: start.from, to: end.to }] : [];
}

function without(
  html: string,
  from: number,
  to: number,
  cuts: { from: number; to: number }[],
): string {
  const ordered = cuts.toSorted((a, b) => a.from - b.from);
  let kept = "";
  let at = from;
  for (const cut of ordered) {
    if (cut.from > at) kept += html.slice(at, cut.from);
    at = Math.max(at, cut.to);
  }
  return kept + html.slice(at, Math.max(at, to));
}

/** Elements whose content is text, however it is written. A parser knows them; the tokeniser alone has to be told. */
const textModes = new Map<string, Tokenizer["state"]>([
  ["title", TokenizerMode.RCDATA],
  ["textarea", TokenizerMode.RCDATA],
  ["script", TokenizerMode.SCRIPT_DATA],
  ["plaintext", TokenizerMode.PLAINTEXT],
  ...["style", "xmp", "iframe", "noembed", "noframes", "noscript"].map(
    (name): [string, Tokenizer["state"]] => [name, TokenizerMode.RAWTEXT],
  ),
]);

type TokenHandlers = {
  onStartTag: (token: Token.TagToken) => void;
  onEndTag: (token: Token.TagToken) => void;
  onText?: (token: Token.CharacterToken) => void;
};

/** Whether an element holds text alone, and no other elements. */
export function holdsTextAlone(tagName: string): boolean {
  return textModes.has(tagName);
}

/**
 * Tells of the tags of an HTML text, each with its location, and of the text between them. By the HTML standard's own
 * tokeniser and without building a tree, so that the time grows with the length and not with the nesting.
 */
export function tokenizeHtml(html: string, handlers: TokenHandlers): void {
  const { onStartTag, onEndTag, onText = ignore } = handlers;
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag(token) {
        onStartTag(token);
        tokenizer.state = textModes.get(token.tagName) ?? tokenizer.state;
      },
      onEndTag,
      onCharacter: onText,
      onWhitespaceCharacter: onText,
      onNullCharacter: ignore,
      onComment: ignore,
      onDoctype: ignore,
      onEof: ignore,
    },
  );
  tokenizer.write(html, true);
}

function ignore(): void {}
