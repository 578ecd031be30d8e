/** Longest error text kept with a delivery, in characters. */
const errorMaxLength = 1000;

/**
 * An error in one line of text that any database takes: what it says, and what it says of its cause. Another server's
 * words may be in it, so control characters and broken pairs go.
 */
export function describeError(error: unknown): string {
  const parts: string[] = [];
  for (let current = error, depth = 0; current !== undefined && depth < 3; depth += 1) {
    parts.push(current instanceof Error ? messageOf(current) : String(current));
    current = current instanceof Error ? current.cause : undefined;
  }
  return parts
    .join(": ")
    .replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ")
    .slice(0, errorMaxLength)
    .toWellFormed();
}

// An AggregateError (each address of a host refused) has an empty message and the words inside.
function messageOf(error: Error): string {
  if (error.message !== "") return error.message;
  if (error instanceof AggregateError) return error.errors.map(describeError).join("; ");
  return error.name;
}
