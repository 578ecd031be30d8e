import { createHash, randomBytes } from "node:crypto";

/** Length of a mark in bytes: nobody guesses it in the moment in which it means something. */
const markBytes = 16;

/** `'sha256-…'` as a content security policy writes it, for scripts and for styles. */
export type InlineHashes = { scripts: Set<string>; styles: Set<string> };

/**
 * A mark for one answer. What the site's own code puts inline carries it as its `nonce`, so that a script or style that
 * came into a page any other way isn't taken for the site's. A kept page is sent many times, so the mark never leaves
 * the server: {@link takeMarks} puts hashes in its place.
 */
export function newNonce(): string {
  return randomBytes(markBytes).toString("hex");
}

/** Takes the mark off everything in a page, and gives the hashes of the scripts and styles that carried it. */
export function takeMarks(html: string, mark: string): { html: string; hashes: InlineHashes } {
  const attribute = ` nonce="${mark}"`;
  const hashes: InlineHashes = { scripts: new Set(), styles: new Set() };
  const marked = new RegExp(`<(script|style)\\b([^>]*)${attribute}([^>]*)>(.*?)</\\1>`, "gs");
  for (const [, tag, before, after, content = ""] of html.matchAll(marked)) {
    // A script with an address is allowed by its address, and an empty one does nothing.
    if (/\ssrc=/.test(`${before}${after}`) || content === "") continue;
    const hash = `'sha256-${createHash("sha256").update(content).digest("base64")}'`;
    (tag === "script" ? hashes.scripts : hashes.styles).add(hash);
  }
  return { html: html.replaceAll(attribute, ""), hashes };
}
