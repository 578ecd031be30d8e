const causesMax = 5;

/** The words of an error and of what caused it, outermost first, in one line. */
export function describeCauses(error: unknown): string {
  return causesOf(error, 0).join(": ");
}

function causesOf(error: unknown, depth: number): string[] {
  if (!(error instanceof Error)) return [String(error)];
  const cause = error instanceof AggregateError ? error.errors[0] : error.cause;
  const inner = cause === undefined || depth === causesMax ? [] : causesOf(cause, depth + 1);
  // An AggregateError of Node's (each address of a host refused) has no words of its own.
  if (error.message === "" && inner.length > 0) return inner;
  const own = error.message || ("code" in error ? String(error.code) : error.name);
  return [own.replace(/\.$/, ""), ...inner];
}
