import { type CallFormFunction, defaultRetrySeconds, type FormSender } from "#contracts/ports.ts";
import type { Functions } from "./functions.ts";

/** Calls the functions for the site's own pages: in this process, with the limits that others have. */
export function callsInProcess(
  functions: Functions,
  siteUrl: string,
  { page, clientAddress, requestId = "" }: FormSender,
): CallFormFunction {
  return async (name, body, headers) => {
    const answer = await functions.run(name, {
      body: { ...body },
      text: "",
      headers: new Headers({ ...headers, Referer: page }),
      url: siteUrl,
      clientAddress,
      requestId: requestId || null,
    });
    if (answer.ok) return { ok: true, data: answer.body };
    const { status, retryAfterSeconds = defaultRetrySeconds, cause } = answer;
    const error = cause ?? new Error(answer.error);
    if (status !== 429 && status !== 503)
      return { ok: false, reason: "function_error", isRefusal: true, error };
    const reason = status === 429 ? "rate_limited" : "unavailable";
    return { ok: false, reason, retryAfterSeconds, error };
  };
}
