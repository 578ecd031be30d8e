import { type ActionFunctionArgs, data } from "react-router";
import { mailLinks } from "#content/pages/mail-links.ts";
import { emailMaxLength } from "#contracts/text.ts";
import { serverFunctions } from "../../backend-client.ts";
import { postedText } from "../../forms/posted-text.ts";
import { siteContext } from "../../site-services.ts";
import { mailLinkTimeoutMs, requireToken } from "./follow-mail-link.server.ts";

/** `fault` is the address's, `message` is about everything else. What was typed stays in the field. */
export type ChangeAddressOutcome =
  | { ok: true }
  | { ok: false; fault: "missing" | "invalid"; email: string }
  | { ok: false; message: string; email: string };

type Answer = { success: boolean; reason?: string; message: string };

const tooManyStatus = 429;

/** Asks for another address. A POST without the form's field only shows the page. */
export async function changeAddress({ request, context }: ActionFunctionArgs) {
  const services = context.get(siteContext);
  const token = requireToken(request);
  const posted = await request.formData();
  if (!posted.has("email")) return null;
  const email = postedText(posted, "email");
  if (email === "") return refused({ fault: "missing", email }, 400);
  if (email.length > emailMaxLength) return refused({ fault: "invalid", email: "" }, 400);
  const { client } = serverFunctions(services, request);
  const answer = await client.invoke<Answer>("newsletter-change-address", {
    body: { token, email },
    timeout: mailLinkTimeoutMs,
  });
  if (answer.error?.context?.status === tooManyStatus) {
    return refused({ message: mailLinks.preferences.limited, email }, tooManyStatus);
  }
  if (answer.error || !answer.data) {
    return refused({ message: mailLinks.failed.unreachable, email }, 503);
  }
  const { success, reason, message } = answer.data;
  if (success) return data<ChangeAddressOutcome>({ ok: true });
  if (reason === "invalid_email") return refused({ fault: "invalid", email }, 400);
  return refused({ message, email }, 404);
}

function refused(
  outcome: { email: string } & ({ fault: "missing" | "invalid" } | { message: string }),
  status: number,
) {
  return data<ChangeAddressOutcome>({ ok: false, ...outcome }, { status });
}
