import { describeCauses } from "#db/describe-causes.ts";

/** Longest error text kept with a delivery, in characters. */
const errorMaxLength = 1000;

/**
 * An error in one line of text that any database takes: what it says, and what it says of its cause. Another server's
 * words may be in it, so control characters and broken pairs go.
 */
export function describeError(error: unknown): string {
  return describeCauses(error)
    .replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ")
    .slice(0, errorMaxLength)
    .toWellFormed();
}
