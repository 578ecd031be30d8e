const causesMax = 5;

/** An error and what caused it, outermost first; of one that stands for several, the first of them. */
export function causesOf(error: unknown): unknown[] {
  const causes = [error];
  let last = error;
  while (last instanceof Error && causes.length <= causesMax) {
    last = last instanceof AggregateError ? last.errors[0] : last.cause;
    if (last === undefined) break;
    causes.push(last);
  }
  return causes;
}

/** The words of an error and of what caused it, outermost first, in one line. */
export function describeCauses(error: unknown): string {
  const causes = causesOf(error);
  const words = causes.map((cause, at) => {
    if (!(cause instanceof Error)) return String(cause);
    // An AggregateError of Node's (each address of a host refused) has no words of its own.
    if (cause.message === "" && at < causes.length - 1) return null;
    const own = cause.message || ("code" in cause ? String(cause.code) : cause.name);
    return own.replace(/\.$/, "");
  });
  return words.filter((word) => word !== null).join(": ");
}

/** What names an error where it comes from, such as Node's `ENOENT` or a SQLSTATE of PostgreSQL; empty where nothing does. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
