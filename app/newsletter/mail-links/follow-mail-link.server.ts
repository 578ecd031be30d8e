import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from "react-router";
import { mailLinks } from "#content/pages/mail-links.ts";
import { serverFunctions } from "../../backend-client.ts";
import { readPostedForm } from "../../forms/posted-form.ts";
import { siteContext } from "../../site-services.ts";
import { mailLinkButton } from "./mail-link-button.ts";

export type MailLinkOutcome = { ok: true } | { ok: false; message: string };

const timeoutMs = 15_000;

/** No link of ours is longer; far more would be refused by the function that it is sent to. */
const tokenMaxLength = 200;

/** The page behind a link in mail: never without a token. */
export function mailLinkLoader({ request }: LoaderFunctionArgs) {
  requireToken(request);
  return null;
}

/** Leaves: by the page's own button, or by a mail program's (RFC 8058). A POST that is neither only shows the page. */
export async function leaveByLink(args: ActionFunctionArgs) {
  const way = await readLeavingWay(args.request);
  return way === null ? null : await followMailLink(args, "newsletter-unsubscribe", { way });
}

/**
 * By what the body says. A mail program posts `List-Unsubscribe=One-Click`, without cookies and without having seen the
 * page (RFC 8058, section 3.1); scanners that try forms post what they find, or nothing.
 */
async function readLeavingWay(request: Request): Promise<"link" | "one_click" | null> {
  const posted = await readPostedForm(request);
  if (posted.get("List-Unsubscribe") === "One-Click") return "one_click";
  return posted.get(mailLinkButton.name) === mailLinkButton.value ? "link" : null;
}

/** Acts on a link in mail. */
export async function followMailLink(
  { request, context }: ActionFunctionArgs,
  functionName: "newsletter-confirm" | "newsletter-unsubscribe",
  body: { way?: "link" | "one_click" } = {},
) {
  const services = context.get(siteContext);
  const token = requireToken(request);
  const { client } = serverFunctions(services, request);
  const answer = await client.invoke<{ success: boolean; message: string }>(functionName, {
    body: { token, ...body },
    timeout: timeoutMs,
  });
  if (answer.error || !answer.data) return failed(mailLinks.failed.unreachable, 503);
  const { success, message } = answer.data;
  return success ? data<MailLinkOutcome>({ ok: true }) : failed(message, 404);
}

function failed(message: string, status: number) {
  return data<MailLinkOutcome>({ ok: false, message }, { status });
}

function requireToken(request: Request): string {
  const token = new URL(request.url).searchParams.get("token");
  if (!token || token.length > tokenMaxLength) throw data(null, { status: 404 });
  return token;
}
