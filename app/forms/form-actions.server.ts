import { type ActionFunctionArgs, data } from "react-router";
import { submitSubscribeForm } from "../newsletter/submit-subscribe-form.ts";
import type { SiteServices } from "../ports.ts";
import { siteContext } from "../site-services.ts";
import { type Failure, postedOpenForMs } from "./form-parts.tsx";
import { submitContactForm } from "./submit-contact-form.ts";

/** Needs no redirect: a refresh posts the same key and words, which make one message. */
export async function contactAction({ request, context }: ActionFunctionArgs) {
  const site = context.get(siteContext);
  const form = await request.formData();
  const outcome = await submitContactForm(site.forms, form, {
    site: site.settings,
    openForMs: postedOpenForMs(form, Date.now()),
  });
  return answerPost(site, outcome);
}

export async function subscribeAction({ request, context }: ActionFunctionArgs) {
  const site = context.get(siteContext);
  const { forms, settings } = site;
  const form = await request.formData();
  return answerPost(site, await submitSubscribeForm(forms, form, { site: settings }));
}

const statuses: Partial<Record<string, number>> = {
  missing: 400,
  invalid_email: 400,
  refused: 400,
  rate_limited: 429,
  unavailable: 503,
};

function answerPost<Outcome extends { ok: true } | ({ ok: false; reason: string } & Failure)>(
  { reportError }: Pick<SiteServices, "reportError">,
  outcome: Outcome,
) {
  if (outcome.ok) return data(outcome);
  const { reason, retryAfterSeconds } = outcome;
  const { error, isRefusal, ...answer } = outcome;
  if (error && !isRefusal) reportError(error);
  return data(answer as Outcome, {
    status: isRefusal ? 422 : (statuses[reason] ?? 500),
    headers: retryAfterSeconds ? { "Retry-After": String(retryAfterSeconds) } : {},
  });
}
