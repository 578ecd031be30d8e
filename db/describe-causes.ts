/** Outermost first; an AggregateError precedes its first error. */
export function causesOf(error: unknown): unknown[] {
  const causes = [error];
  let last = error;
  while (last instanceof Error && causes.length <= 5) {
    last = last instanceof AggregateError ? last.errors[0] : last.cause;
    if (last === undefined) break;
    causes.push(last);
  }
  return causes;
}

export function describeCauses(error: unknown): string {
  const causes = causesOf(error);
  const words = causes.map((cause, at) => {
    if (!(cause instanceof Error)) return String(cause);
    // Node's AggregateError for an unreachable host has no message.
    if (cause.message === "" && at < causes.length - 1) return null;
    const own = cause.message || ("code" in cause ? String(cause.code) : cause.name);
    return own.replace(/\.$/, "");
  });
  return words.filter((word) => word !== null).join(": ");
}

/** Such as `ENOENT` or a SQLSTATE; empty if there is none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

export function isDiskFull(error: unknown): boolean {
  const sqliteFull = 13;
  return causesOf(error).some((cause) => {
    const { errcode = 0 } = (cause ?? {}) as { errcode?: number };
    return (errcode & 0xff) === sqliteFull || ["ENOSPC", "53100"].includes(errorCode(cause));
  });
}

export function isDatabaseAway(error: unknown): boolean {
  const away = /^(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EHOSTUNREACH|ETIMEDOUT|57P0[123]|08...)$/;
  return causesOf(error).some((cause) => away.test(errorCode(cause)));
}
