import { type ActionFunctionArgs, data } from "react-router";
import { isRefusal, serverFunctions } from "../backend-client.ts";
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
  const outcome = await submitSubscribeForm(backend, await readPostedForm(request), {
    site: services.settings,
  });
  if (outcome.ok) return outcome;
  const { error, ...answer } = outcome;
  // What the function can't take, such as half a character, is no failure of the site.
  const refused = isRefusal(error);
  if (error && !refused) services.reportError(error);
  return data(answer satisfies SubscribeOutcome, {
    status: refused ? 422 : statuses[outcome.reason],
    headers: retryAfterHeader(outcome),
  });
}

const statuses = {
  missing: 400,
  refused: 400,
  rate_limited: 429,
  // Its own backend, whose database is away; a hosted one that fails is a bad gateway.
  unavailable: 503,
  function_error: 502,
  unexpected: 502,
};
