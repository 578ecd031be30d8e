/** SQLITE_BUSY, in the low byte of an extended result code (https://sqlite.org/rescode.html#busy). */
const sqliteBusy = 5;

/** The write lock could not be had in time. Carries SQLite's own code, so that it is told like SQLite's refusal. */
export class DatabaseLockedError extends Error {
  override name = "DatabaseLockedError";
  readonly errcode = sqliteBusy;

  constructor(waitedMs: number) {
    super(`The database was locked for ${waitedMs} ms.`);
  }
}

/** True where SQLite refused because another connection holds a lock; the same call may succeed later. */
export function isSqliteBusy(error: unknown): boolean {
  return (
    error instanceof Error &&
    "errcode" in error &&
    typeof error.errcode === "number" &&
    (error.errcode & 0xff) === sqliteBusy
  );
}
