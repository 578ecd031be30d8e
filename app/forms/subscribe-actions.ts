import { type ActionFunctionArgs, data } from "react-router";
import { serverFunctions } from "../backend-client.ts";
import { siteContext } from "../site-services.ts";
import { type SubscribeOutcome, submitSubscribeForm } from "./submit-subscribe-form.ts";

/**
 * The action of the archive's page: takes the subscribe form where scripts are off or not there yet. In a browser with
 * scripts the form calls the function by itself, with the same checks and words.
 */
export async function subscribeAction({ request, context }: ActionFunctionArgs) {
  const backend = serverFunctions(context.get(siteContext), request);
  const outcome = await submitSubscribeForm(backend, await request.formData());
  return data(outcome, { status: statusOf(outcome) });
}

function statusOf(outcome: SubscribeOutcome): number {
  if (outcome.ok) return 200;
  return outcome.reason === "missing" || outcome.reason === "refused" ? 400 : 502;
}
