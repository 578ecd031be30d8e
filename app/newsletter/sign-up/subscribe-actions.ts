import type { ActionFunctionArgs } from "react-router";
import { refusePostedForm } from "../../forms/refuse-posted-form.ts";
import { siteContext } from "../../site-services.ts";
import { submitSubscribeForm } from "./submit-subscribe-form.ts";

/**
 * The action of the archive's page: takes the subscribe form where scripts are off or not there yet. In a browser with
 * scripts the form calls the function by itself, with the same checks and words.
 */
export async function subscribeAction({ request, context }: ActionFunctionArgs) {
  const { settings, forms, reportError } = context.get(siteContext);
  const outcome = await submitSubscribeForm(forms, await request.formData(), { site: settings });
  return outcome.ok ? outcome : refusePostedForm(reportError, outcome, statuses[outcome.reason]);
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
