/** SQLSTATE classes of what a caller can't be given: data exceptions and exceeded limits. */
const callersClasses = ["22", "54"];

/** Whether PostgreSQL refused a value of the query itself: the caller's mistake, and nothing that the log should hold. */
export function isRefusedValue(error: unknown): error is Error {
  return (
    error instanceof Error &&
    "code" in error &&
    typeof error.code === "string" &&
    callersClasses.some((start) => String(error.code).startsWith(start)) &&
    error.code.length === 5
  );
}
