/** A call of a function, after its body has been read. */
type FunctionCall = {
  body: Record<string, unknown>;
  /** The same as it came, which is what a signature is about. */
  text: string;
  headers: Headers;
  url: string;
  /** The visitor's network address, where known. */
  clientAddress: string | null;
  /** Names the request in the log. */
  requestId: string | null;
};

export type FieldErrors = Record<string, string>;

/**
 * 400: not what the function can read. 401: not signed as it has to be. 422: read, and a field breaks a rule. 429: too
 * many in a short time.
 */
export type FunctionRefusal = {
  ok: false;
  status: 400 | 401 | 422 | 429;
  error: string;
  fields?: FieldErrors;
  /** With 429: when the sender may try again. */
  retryAfterSeconds?: number;
};

export type FunctionAnswer = { ok: true; body: Record<string, unknown> } | FunctionRefusal;

export type BackendFunction = {
  /** What the body of every refusal has beside `error` and `fields`. */
  refusalShape: Record<string, unknown>;
  run(call: FunctionCall): Promise<FunctionAnswer>;
};
