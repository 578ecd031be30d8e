import { createHash, randomBytes } from "node:crypto";

/** Length of a nonce in bytes: nobody guesses it in the moment in which it means something. */
const nonceBytes = 16;

/** `'sha256-…'` as a content security policy writes it, for scripts and for styles. */
export type InlineHashes = { scripts: Set<string>; styles: Set<string> };

/**
 * A nonce for one answer. What the site's own code puts inline carries it, so that a script or style that came into a
 * page any other way isn't taken for the site's. A cached page is sent many times, so the nonce never leaves the server:
 * {@link hashNonced} puts hashes in its place.
 */
export function newNonce(): string {
  return randomBytes(nonceBytes).toString("hex");
}

/** Takes the nonce off everything in a page, and gives the hashes of the scripts and styles that carried it. */
export function hashNonced(html: string, nonce: string): { html: string; hashes: InlineHashes } {
  const attribute = ` nonce="${nonce}"`;
  const hashes: InlineHashes = { scripts: new Set(), styles: new Set() };
  const nonced = new RegExp(`<(script|style)\\b([^>]*)${attribute}([^>]*)>(.*?)</\\1>`, "gs");
  for (const [, tag, before, after, content = ""] of html.matchAll(nonced)) {
    // A script with an address is allowed by its address, and an empty one does nothing.
    if (/\ssrc=/.test(`${before}${after}`) || content === "") continue;
    const hash = `'sha256-${createHash("sha256").update(content).digest("base64")}'`;
    (tag === "script" ? hashes.scripts : hashes.styles).add(hash);
  }
  return { html: html.replaceAll(attribute, ""), hashes };
}
