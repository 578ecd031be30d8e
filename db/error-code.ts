/** What names an error where it comes from, such as Node's `ENOENT` or a SQLSTATE of PostgreSQL; empty where nothing does. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
