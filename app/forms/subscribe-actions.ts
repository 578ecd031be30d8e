import { type ActionFunctionArgs, data } from "react-router";
import { serverFunctions } from "../backend-client.ts";
import { siteContext } from "../site-services.ts";
import { readPostedForm } from "./read-posted-form.ts";
import { retryAfterHeader } from "./retry-after-header.ts";
import { type SubscribeOutcome, submitSubscribeForm } from "./submit-subscribe-form.ts";

/**
 * The action of the archive's page: takes the subscribe form where scripts are off or not there yet. In a browser with
 * scripts the form calls the function by itself, with the same checks and words.
 */
export async function subscribeAction({ request, context }: ActionFunctionArgs) {
  const services = context.get(siteContext);
  const backend = serverFunctions(services, request);
  // The archive's page is made anew each second and kept as long as its bytes stay the same, so they say no time.
  const outcome = await submitSubscribeForm(backend, await readPostedForm(request), {
    site: services.settings,
    openForMs: null,
  });
  const headers = outcome.ok ? {} : retryAfterHeader(outcome);
  return data(outcome, { status: statusOf(outcome), headers });
}

function statusOf(outcome: SubscribeOutcome): number {
  if (outcome.ok) return 200;
  if (outcome.reason === "rate_limited") return 429;
  return outcome.reason === "missing" || outcome.reason === "refused" ? 400 : 502;
}
