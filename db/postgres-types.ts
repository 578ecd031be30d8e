import pg from "pg";

const { builtins } = pg.types;

/**
 * How values come out of PostgreSQL: bigint as a number (ids stay below 2^53), dates and times as the text that
 * PostgREST gives, never as a Date, which would move a day across time zones. For one pool; the rest of the process
 * keeps pg's own.
 */
export const postgresTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") => {
    if (format === "binary") {
      return pg.types.getTypeParser(oid, format);
    }
    switch (oid) {
      case builtins.INT8:
        return Number;
      case builtins.DATE:
        return String;
      case builtins.TIMESTAMP:
        return toIsoTime;
      case builtins.TIMESTAMPTZ:
        return (text: string) => toIsoTime(text).replace(/([+-]\d\d)$/, "$1:00");
      default:
        return pg.types.getTypeParser(oid, format);
    }
  }) as typeof pg.types.getTypeParser,
};

// `2026-11-21 14:05:09+00` as PostgreSQL writes it becomes `2026-11-21T14:05:09+00:00`.
function toIsoTime(text: string): string {
  return text.replace(" ", "T");
}
