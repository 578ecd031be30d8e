import { randomBytes } from "node:crypto";

/** Length of a nonce in bytes: nobody guesses it in the moment in which it means something. */
const nonceBytes = 16;

/**
 * A nonce for one answer. What the site's own code puts inline carries it, so that a script or style that came into a
 * page any other way isn't taken for the site's. A cached page is sent many times, so the nonce never leaves the server:
 * finishing the document puts hashes in its place.
 */
export function newNonce(): string {
  return randomBytes(nonceBytes).toString("hex");
}
