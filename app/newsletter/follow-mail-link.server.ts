import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from "react-router";
import { mailLinks } from "#content/pages/mail-links.ts";
import { serverFunctions } from "../backend-client.ts";
import { siteContext } from "../site-services.ts";

export type MailLinkOutcome = { ok: true } | { ok: false; message: string };

const timeoutMs = 15_000;

/** No link of ours is longer; far more would be refused by the function that it is sent to. */
const tokenMaxLength = 200;

/** The page behind a link in mail exists for the built-in backend's links only, and never without a token. */
export function mailLinkLoader({ request, context }: LoaderFunctionArgs) {
  requireToken(request, context.get(siteContext).backendFetch !== null);
  return null;
}

/**
 * Acts on a link in mail: the page's own button, or a mail program's one-click unsubscribe, which posts without cookies
 * and without having seen the page (RFC 8058, section 3.1).
 */
export async function followMailLink(
  { request, context }: ActionFunctionArgs,
  functionName: "newsletter-confirm" | "newsletter-unsubscribe",
) {
  const services = context.get(siteContext);
  const token = requireToken(request, services.backendFetch !== null);
  const { client } = serverFunctions(services, request);
  const answer = await client.invoke<{ success: boolean; message: string }>(functionName, {
    body: { token },
    timeout: timeoutMs,
  });
  if (answer.error || !answer.data) return failed(mailLinks.failed.unreachable, 503);
  const { success, message } = answer.data;
  return success ? data<MailLinkOutcome>({ ok: true }) : failed(message, 404);
}

function failed(message: string, status: number) {
  return data<MailLinkOutcome>({ ok: false, message }, { status });
}

function requireToken(request: Request, isBuiltIn: boolean): string {
  const token = new URL(request.url).searchParams.get("token");
  if (!token || token.length > tokenMaxLength || !isBuiltIn) throw data(null, { status: 404 });
  return token;
}
