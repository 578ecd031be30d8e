import { data } from "react-router";
import type { SiteServices } from "../site-services.ts";

/** A posted field as trimmed text; empty if missing or a file. Line breaks become `\n`, as `maxlength` counts them. */
export function postedText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.replace(/\r\n?/g, "\n").trim() : "";
}

type Failure = { error?: unknown; isRefusal?: boolean; retryAfterSeconds?: number };

/** The response to a failed post: the outcome with its status. */
export function refusePostedForm<Outcome extends Failure>(
  reportError: SiteServices["reportError"],
  { error, isRefusal, ...answer }: Outcome,
  statusOfReason: number,
) {
  // Refused input is no failure of the site.
  if (error && !isRefusal) reportError(error);
  const { retryAfterSeconds } = answer;
  return data(answer, {
    status: isRefusal ? 422 : statusOfReason,
    headers: retryAfterSeconds ? { "Retry-After": String(retryAfterSeconds) } : {},
  });
}
