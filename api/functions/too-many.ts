import type { FunctionRefusal } from "./backend-function.ts";

/** The refusal of a sender past a limit. Which limit that is stays unsaid. */
export function tooMany(
  what: "messages" | "sign-ups" | "changes of address",
  { retryAfterSeconds }: { retryAfterSeconds: number },
): FunctionRefusal {
  return {
    ok: false,
    status: 429,
    error: `Too many ${what} in a short time. Try again in ${retryAfterSeconds} seconds.`,
    retryAfterSeconds,
  };
}
