import { data } from "react-router";
import type { SiteServices } from "../site-services.ts";

/**
 * A posted field as trimmed text; empty where it is missing or is a file. Line breaks are one character each, as the
 * field's `maxlength` counts them and as scripts read them; a post without scripts spells each with two.
 */
export function postedText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.replace(/\r\n?/g, "\n").trim() : "";
}

type Failure = { error?: unknown; isRefusal?: boolean; retryAfterSeconds?: number };

/** The answer to a posted form that wasn't taken: what came of it, with the status that its reason stands for. */
export function refusePostedForm<Outcome extends Failure>(
  reportError: SiteServices["reportError"],
  { error, isRefusal, ...answer }: Outcome,
  statusOfReason: number,
) {
  // What the function can't take, such as words past a limit that browsers keep to, is no failure of the site.
  if (error && !isRefusal) reportError(error);
  const { retryAfterSeconds } = answer;
  return data(answer, {
    status: isRefusal ? 422 : statusOfReason,
    // Goes with status 429 (RFC 9110, section 10.2.3).
    headers: retryAfterSeconds ? { "Retry-After": String(retryAfterSeconds) } : {},
  });
}
