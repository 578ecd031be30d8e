/** A script, style or link, or another element that carries the nonce. */
export type PageElement = {
  name: string;
  /** As they are written, without the nonce. */
  attributes: ReadonlyMap<string, string>;
  /** Whether the site's own code wrote it: it carries the nonce. */
  isNonced: boolean;
  /** As it is written, without the nonce. */
  startTag: string;
  /** What stands in a script or a style, as it is written; of other elements nothing. */
  content: string;
};

/** A rendered page in its order: elements that may matter, and all between them as it is written. */
export type DocumentPart = string | PageElement;

const elementNames = new Set(["script", "style", "link"]);

/** What a browser reads as text up to its own end tag. A tag in there is none. */
const textNames = new Set(["script", "style", "title", "textarea"]);

/** A comment's beginning, or a start tag as React and the sanitiser of issues write it: values in double quotes. */
const token = /<(?:!--|([a-z][\w-]*)((?:\s+[^\s"'<>/=]+(?:="[^"]*")?)*)\s*\/?>)/gi;
const attribute = /([^\s"'<>/=]+)(?:="([^"]*)")?/g;

/**
 * Reads a page once. Put together again, the parts are the page without nonces. Not by an HTML parser: that takes five
 * times as long, and a page that is made for one visitor is read in the visitor's time. A tag that is written in another
 * way is left as it is, and without a hash nothing runs.
 */
export function readDocument(html: string, nonce: string): DocumentPart[] {
  const nonceAttribute = ` nonce="${nonce}"`;
  const parts: DocumentPart[] = [];
  let readTo = 0;
  function takeUpTo(end: number): string {
    const text = html.slice(readTo, end);
    readTo = end;
    return text;
  }

  token.lastIndex = 0;
  for (let found = token.exec(html); found; found = token.exec(html)) {
    const [written, name = "", attributes = ""] = found;
    const contentStart = token.lastIndex;
    const end = name === "" ? "-->" : `</${name}`;
    if (name === "" || textNames.has(name)) token.lastIndex = indexOrEnd(html, end, contentStart);
    const isNonced = attributes.includes(nonceAttribute);
    if (!isNonced && !elementNames.has(name)) continue;
    parts.push(takeUpTo(found.index));
    readTo = contentStart;
    parts.push({
      name,
      isNonced,
      attributes: readAttributes(attributes.replace(nonceAttribute, "")),
      startTag: written.replace(nonceAttribute, ""),
      content: takeUpTo(token.lastIndex),
    });
  }
  parts.push(takeUpTo(html.length));
  return parts;
}

function indexOrEnd(html: string, searched: string, from: number): number {
  const index = html.indexOf(searched, from);
  return index === -1 ? html.length : index;
}

function readAttributes(written: string): Map<string, string> {
  return new Map(
    [...written.matchAll(attribute)].map(([, name = "", value = ""]) => [name, value]),
  );
}
