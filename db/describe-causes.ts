const causesMax = 5;

/** An error and its causes, outermost first. An AggregateError is followed by its first error. */
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

/** The messages of an error and its causes, outermost first, in one line. */
export function describeCauses(error: unknown): string {
  const causes = causesOf(error);
  const words = causes.map((cause, at) => {
    if (!(cause instanceof Error)) return String(cause);
    // Node's AggregateError, for a host whose every address refused, has no message.
    if (cause.message === "" && at < causes.length - 1) return null;
    const own = cause.message || ("code" in cause ? String(cause.code) : cause.name);
    return own.replace(/\.$/, "");
  });
  return words.filter((word) => word !== null).join(": ");
}

/** Node's code, such as `ENOENT`, or a SQLSTATE of PostgreSQL; empty if the error has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** Whether the disk is full, by SQLite's code, the system's or PostgreSQL's. */
export function isDiskFull(error: unknown): boolean {
  const sqliteFull = 13;
  return causesOf(error).some((cause) => {
    const { errcode = 0 } = (cause ?? {}) as { errcode?: number };
    return (errcode & 0xff) === sqliteFull || ["ENOSPC", "53100"].includes(errorCode(cause));
  });
}

/** Whether the database can't be reached, by the system's code or PostgreSQL's. */
export function isDatabaseAway(error: unknown): boolean {
  const away = /^(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EHOSTUNREACH|ETIMEDOUT|57P0[123]|08...)$/;
  return causesOf(error).some((cause) => away.test(errorCode(cause)));
}
