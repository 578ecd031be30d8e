import { plainLine, plainParagraphs } from "./plain-paragraphs.ts";
import type { PreparedBody } from "./prepare-issue-body.ts";
import { maxBodyLength } from "./take-body.ts";

/** Most words that are shown of a body that could not be prepared, in UTF-16 code units. */
const maxTextLength = 100_000;

/** Elements whose content is no text of the body; each is over with its end tag. */
const silent = new Set(["script", "style", "title", "head", "template", "noscript", "svg", "math"]);

const tagName = /^(\/?)([a-z][a-z0-9]*)/i;

/**
 * The words of a body as plain paragraphs, for one whose markup takes more time or memory than preparing may: no markup
 * of the body is kept, so nothing in it can matter. One pass over the text, whatever is in it.
 */
export function plainFallback(contentMarkdown: string): PreparedBody {
  const lines: string[] = [];
  let length = 0;
  let inside: string | null = null;
  for (const piece of contentMarkdown.slice(0, maxBodyLength).split("<")) {
    const [, end, name = ""] = tagName.exec(piece) ?? [];
    const element = name.toLowerCase();
    if (inside === null && !end && silent.has(element)) inside = element;
    else if (inside === element && end) inside = null;
    if (inside !== null) continue;
    const isTag = name !== "" || piece.startsWith("!");
    const afterTag = piece.includes(">") ? piece.slice(piece.indexOf(">") + 1) : "";
    const text = isTag ? afterTag : piece;
    const line = plainLine(text);
    if (line === "") continue;
    length += line.length;
    if (length > maxTextLength) break;
    lines.push(line);
  }
  return {
    html: plainParagraphs(lines),
    removed: [{ what: "all markup, since it takes too long to read", count: 1 }],
    plainText: lines.join("\n"),
  };
}
