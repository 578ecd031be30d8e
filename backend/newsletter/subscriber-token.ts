import { randomFillSync } from "node:crypto";

const tokenBytes = 32;
const drawnTokens = 64;

/** Drawn for several at a time, as Node does it for UUIDs: asking the system for each takes as long as hashing a page. */
const drawn = Buffer.alloc(tokenBytes * drawnTokens);
let usedBytes = drawn.length;

/** A new subscriber's secret: 256 random bits as 43 characters that a link takes as they are. */
export function newSubscriberToken(): string {
  if (usedBytes === drawn.length) {
    randomFillSync(drawn);
    usedBytes = 0;
  }
  const end = usedBytes + tokenBytes;
  const token = drawn.toString("base64url", usedBytes, end);
  drawn.fill(0, usedBytes, end);
  usedBytes = end;
  return token;
}

/** Whether a text has the form of a token. Anything else is unknown without a look at the database. */
export function isSubscriberToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}
