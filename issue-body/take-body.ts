import { type Token, Tokenizer, TokenizerMode } from "parse5";
import type { RemovalReport } from "./sanitise-body.ts";

/** Longest body that is prepared, in UTF-16 code units; the rest is cut off and reported. */
export const maxBodyLength = 2_000_000;
/** Deep nesting takes quadratic time. Real newsletters have under 5,000 tags. */
const maxTags = 40_000;

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
  const { tags, tooMany } = findDocumentTags(html);
  if (tooMany !== null) {
    html = html.slice(0, tooMany);
    report.add(`text after the first ${maxTags} tags`);
  }
  const { from, to } = findBody(html, tags);
  let kept = "";
  let at = from;
  for (const tag of tags) {
    if (tag.from < at || tag.to > to) continue;
    kept += html.slice(at, tag.from);
    const isHead = tag.name === "head" && !tag.isEnd;
    const headEnd =
      isHead && tags.find(({ name, isEnd, from }) => name === "head" && isEnd && from >= tag.to);
    at = headEnd ? headEnd.to : tag.to;
  }
  return kept + html.slice(at, Math.max(at, to));
}

type Tag = { name: string; isEnd: boolean; from: number; to: number };

/** Up to its own end tag: a forwarded mail may contain a second document. */
function findBody(html: string, tags: Tag[]): { from: number; to: number } {
  const bodies = tags.filter(({ name }) => name === "body");
  const first = bodies.findIndex(({ isEnd }) => !isEnd);
  const from = bodies[first]?.to ?? 0;
  let open = 0;
  for (const tag of first === -1 ? [] : bodies.slice(first)) {
    open += tag.isEnd ? -1 : 1;
    if (open === 0) return { from, to: tag.from };
  }
  return { from, to: html.length };
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

/** The html, head and body tags, and where the first tag over the limit is. */
function findDocumentTags(html: string): { tags: Tag[]; tooMany: number | null } {
  const tags: Tag[] = [];
  let count = 0;
  let tooMany: number | null = null;
  function read({ tagName, location }: Token.TagToken, isEnd: boolean): void {
    if (location === null || tooMany !== null) return;
    const { startOffset, endOffset } = location;
    count += 1;
    if (count > maxTags) tooMany = startOffset;
    else if (/^(?:html|head|body)$/.test(tagName)) {
      tags.push({ name: tagName, isEnd, from: startOffset, to: endOffset });
    }
  }
  const ignore = () => {};
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag(token) {
        read(token, false);
        tokenizer.state = textModes.get(token.tagName) ?? tokenizer.state;
      },
      onEndTag: (token) => read(token, true),
      onCharacter: ignore,
      onWhitespaceCharacter: ignore,
      onNullCharacter: ignore,
      onComment: ignore,
      onDoctype: ignore,
      onEof: ignore,
    },
  );
  tokenizer.write(html, true);
  return { tags, tooMany };
}
