/** What names an error where it comes from, such as Node's `ENOENT` or a SQLSTATE of PostgreSQL; empty where nothing does. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** Data exceptions and exceeded limits (classes of SQLSTATE). */
const refusedValue = /^(?:22|54)[0-9A-Z]{3}$/;

/** Whether PostgreSQL refused a value of the query itself: the asker's mistake, and nothing that the database is to blame for. */
export function isRefusedValue(error: unknown): error is Error {
  return refusedValue.test(errorCode(error));
}
