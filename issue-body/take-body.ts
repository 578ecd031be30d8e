import { type Token, Tokenizer, TokenizerMode } from "parse5";
import type { RemovalReport } from "./sanitise-body.ts";

/** Longest body that is prepared, in UTF-16 code units; the rest is cut off and reported. */
export const maxBodyLength = 2_000_000;
/** Deep nesting takes quadratic time. Real newsletters have under 5,000 tags. */
const maxTags = 40_000;

const documentTags = new Set(["html", "head", "body"]);

type Tag = { name: string; isEnd: boolean; from: number; to: number };

/**
 * The body of a stored issue (specification, section 5): the content of the body tag, or everything but the head and
 * the document's tags. The HTML standard's tokeniser finds the tags, so a `<body` in a comment or script isn't one.
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

/** Up to its own end tag: a forwarded mail may contain a second document. */
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

/** Elements whose content is text; the tokeniser alone doesn't know them. */
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

export function holdsTextAlone(tagName: string): boolean {
  return textModes.has(tagName);
}

/**
 * Reports an HTML text's tags, with their locations, and the text between them. It builds no tree, so that deep nesting
 * costs no more.
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
