import type { ActionFunctionArgs } from "react-router";
import { siteContext } from "../site-services.ts";
import { postedOpenForMs } from "./form-evidence.ts";
import { refusePostedForm } from "./refuse-posted-form.ts";
import { submitContactForm } from "./submit-contact-form.ts";

/**
 * The action of the contact page: takes the form where scripts are off or not there yet. The page that answers is the
 * page itself, with the fields kept after a failure. A visitor who refreshes it posts the same words with the same key
 * again, which the backend makes one message of, so there is no redirect to protect.
 */
export async function contactAction({ request, context }: ActionFunctionArgs) {
  const { settings, forms, reportError } = context.get(siteContext);
  const form = await request.formData();
  const outcome = await submitContactForm(forms, form, {
    site: settings,
    openForMs: postedOpenForMs(form, Date.now()),
  });
  return outcome.ok ? outcome : refusePostedForm(reportError, outcome, statuses[outcome.reason]);
}

const statuses = {
  missing: 400,
  invalid_email: 400,
  rate_limited: 429,
  // Its own backend, whose database is away; a hosted one that fails is a bad gateway.
  unavailable: 503,
  failed: 502,
};
