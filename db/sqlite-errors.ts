/** Result codes (https://sqlite.org/rescode.html). */
const sqliteCodes = { busy: 5, corrupt: 11, notADatabase: 26 };

/** The write lock could not be had in time. Carries SQLite's own code, so that it is told like SQLite's refusal. */
export class DatabaseLockedError extends Error {
  override name = "DatabaseLockedError";
  readonly errcode = sqliteCodes.busy;

  constructor(waitedMs: number) {
    super(`The database was locked for ${waitedMs} ms.`);
  }
}

/** True where SQLite refused because another connection holds a lock; the same call may succeed later. */
export function isSqliteBusy(error: unknown): boolean {
  return resultCode(error) === sqliteCodes.busy;
}

/** True where what SQLite was given to open is damaged, or no database at all. */
export function isSqliteDamaged(error: unknown): boolean {
  const code = resultCode(error);
  return code === sqliteCodes.corrupt || code === sqliteCodes.notADatabase;
}

/** The primary one, which is in the lowest byte of an extended one. */
function resultCode(error: unknown): number | null {
  const code = error instanceof Error && "errcode" in error ? error.errcode : null;
  return typeof code === "number" ? code & 0xff : null;
}
