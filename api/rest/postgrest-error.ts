/** The body of PostgREST's errors (https://docs.postgrest.org/en/stable/references/errors.html). */
type PostgrestErrorBody = {
  code: string;
  message: string;
  details: string | null;
  hint: string | null;
};

type PostgrestErrorOptions = {
  status: 400 | 401 | 404 | 405 | 406 | 416 | 431 | 503;
  /** PostgREST's own (`PGRST…`), or the SQLSTATE that PostgreSQL would give. */
  code: string;
  message: string;
  details?: string | null;
  hint?: string | null;
  headers?: Record<string, string>;
};

/** An answer other than the rows asked for. Thrown while a request is read and answered, caught once by the routes. */
export class PostgrestError extends Error {
  readonly status: PostgrestErrorOptions["status"];
  readonly body: PostgrestErrorBody;
  readonly headers: Record<string, string>;

  constructor({ status, code, message, details, hint, headers }: PostgrestErrorOptions) {
    super(message);
    this.status = status;
    // In PostgREST's order.
    this.body = { code, details: details ?? null, hint: hint ?? null, message };
    this.headers = headers ?? {};
  }
}

/** A part of the query string that the grammar doesn't know, quoted as PostgREST quotes it. */
export function parseError(what: string, text: string, expected: string): PostgrestError {
  return new PostgrestError({
    status: 400,
    code: "PGRST100",
    message: `"failed to parse ${what} (${text})" (line 1, column 1)`,
    details: `expecting ${expected}`,
  });
}

/** More was asked than one request may ask; in PostgreSQL's words, its program_limit_exceeded. */
export function overLimit(message: string, hint: string | null = null): PostgrestError {
  return new PostgrestError({ status: 400, code: "54000", message, hint });
}
