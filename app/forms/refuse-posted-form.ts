import { data } from "react-router";
import { isRefusal } from "../backend-client.ts";
import type { SiteServices } from "../site-services.ts";

type Failure = { error?: unknown; retryAfterSeconds?: number };

/** The answer to a posted form that wasn't taken: what came of it, with the status that its reason stands for. */
export function refusePostedForm<Outcome extends Failure>(
  services: SiteServices,
  { error, ...answer }: Outcome,
  statusOfReason: number,
) {
  // What the function can't take, such as words past a limit that browsers keep to, is no failure of the site.
  const refused = isRefusal(error);
  if (error && !refused) services.reportError(error);
  const { retryAfterSeconds } = answer;
  return data(answer, {
    status: refused ? 422 : statusOfReason,
    // Goes with status 429 (RFC 9110, section 10.2.3).
    headers: retryAfterSeconds ? { "Retry-After": String(retryAfterSeconds) } : {},
  });
}
