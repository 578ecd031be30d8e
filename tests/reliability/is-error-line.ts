/** Lines of the log at this level or above tell of a failure of the server's own (pino's levels). */
const errorLevel = 50;

/** Whatever isn't the log's own form, such as the runtime's last words, is worth a look too. */
export function isErrorLine(line: string): boolean {
  if (line === "") return false;
  try {
    return (JSON.parse(line) as { level: number }).level >= errorLevel;
  } catch {
    return true;
  }
}
