import { randomBytes } from "node:crypto";

const tokenBytes = 32;

/** A new subscriber's secret: 256 random bits as 43 characters that a link takes as they are. */
export function newSubscriberToken(): string {
  return randomBytes(tokenBytes).toString("base64url");
}

/** Whether a text has the form of a token. Anything else is unknown without a look at the database. */
export function isSubscriberToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}
