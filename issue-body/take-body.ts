import { type Token, Tokenizer, TokenizerMode } from "parse5";
import type { RemovalReport } from "./sanitise-body.ts";

/** Longest body that is prepared, in UTF-16 code units; the rest is cut off and reported. */
export const maxBodyLength = 2_000_000;
/** Deep nesting takes quadratic time. Real newsletters have under 5,000 tags. */
const maxTags = 40_000;

/**
 * The body of a stored issue (specification, section 5): the content of the body tag, or everything; the sanitiser drops
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
  const { tags, tooMany } = findBodyTags(html);
  if (tooMany !== null) {
    html = html.slice(0, tooMany);
    report.add(`text after the first ${maxTags} tags`);
  }
  const first = tags.findIndex(({ isEnd }) => !isEnd);
  if (first === -1) return html;
  // Up to its own end tag: a forwarded mail may contain a second document.
  let open = 0;
  const end = tags.slice(first).find(({ isEnd }) => {
    open += isEnd ? -1 : 1;
    return open === 0;
  });
  return html.slice(tags[first]?.to, end?.from);
}

type Tag = { isEnd: boolean; from: number; to: number };

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

/** The body's tags, and where the first tag over the limit is. */
function findBodyTags(html: string): { tags: Tag[]; tooMany: number | null } {
  const tags: Tag[] = [];
  let count = 0;
  let tooMany: number | null = null;
  function read({ tagName, location }: Token.TagToken, isEnd: boolean): void {
    if (location === null || tooMany !== null) return;
    const { startOffset, endOffset } = location;
    count += 1;
    if (count > maxTags) tooMany = startOffset;
    else if (tagName === "body") tags.push({ isEnd, from: startOffset, to: endOffset });
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
