import { type ActionFunctionArgs, data } from "react-router";
import { isRefusal, serverFunctions } from "../backend-client.ts";
import { siteContext } from "../site-services.ts";
import { postedOpenForMs } from "./form-evidence.ts";
import { readPostedForm } from "./read-posted-form.ts";
import { retryAfterHeader } from "./retry-after-header.ts";
import { type ContactOutcome, submitContactForm } from "./submit-contact-form.ts";

/**
 * The action of the contact page: takes the form where scripts are off or not there yet. The page that answers is the
 * page itself, with the fields kept after a failure. A visitor who refreshes it posts the same words with the same key
 * again, which the backend makes one message of, so there is no redirect to protect.
 */
export async function contactAction({ request, context }: ActionFunctionArgs) {
  const services = context.get(siteContext);
  const backend = serverFunctions(services, request);
  const form = await readPostedForm(request);
  const outcome = await submitContactForm(backend, form, {
    site: services.settings,
    openForMs: postedOpenForMs(form, Date.now()),
  });
  if (outcome.ok) return outcome;
  const { error, ...answer } = outcome;
  // What the function can't take, such as words past a limit that browsers keep to, is no failure of the site.
  const refused = isRefusal(error);
  if (error && !refused) services.reportError(error);
  return data(answer satisfies ContactOutcome, {
    status: refused ? 422 : statuses[outcome.reason],
    headers: retryAfterHeader(outcome),
  });
}

const statuses = {
  missing: 400,
  invalid_email: 400,
  rate_limited: 429,
  // Its own backend, whose database is away; a hosted one that fails is a bad gateway.
  unavailable: 503,
  failed: 502,
};
