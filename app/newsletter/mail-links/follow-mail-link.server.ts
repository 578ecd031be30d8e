import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from "react-router";
import { mailLinks } from "#content/pages/mail-links.ts";
import { mailLinkTokenMaxLength } from "#contracts/mail-link.ts";
import { serverFunctions } from "../../backend-client.ts";
import { siteContext } from "../../site-services.ts";
import { mailLinkButton } from "./mail-link-button.ts";

export type MailLinkOutcome = { ok: true } | { ok: false; message: string };

const mailLinkTimeoutMs = 15_000;

/** The page behind a link in mail: never without a token. */
export function mailLinkLoader({ request }: LoaderFunctionArgs) {
  requireToken(request);
  return null;
}

/** Confirms by the page's own button. A POST that isn't the button's only shows the page. */
export async function confirmByLink(args: ActionFunctionArgs) {
  const posted = await args.request.formData();
  return isOwnButton(posted) ? await followMailLink(args, "newsletter-confirm") : null;
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
  const posted = await request.formData();
  if (posted.get("List-Unsubscribe") === "One-Click") return "one_click";
  return isOwnButton(posted) ? "link" : null;
}

function isOwnButton(posted: FormData): boolean {
  return posted.get(mailLinkButton.name) === mailLinkButton.value;
}

/** Acts on a link in mail. */
async function followMailLink(
  { request, context }: ActionFunctionArgs,
  functionName: "newsletter-confirm" | "newsletter-unsubscribe",
  body: { way?: "link" | "one_click" } = {},
) {
  const services = context.get(siteContext);
  const token = requireToken(request);
  const { client } = serverFunctions(services, request);
  const answer = await client.invoke<{ success: boolean; message: string }>(functionName, {
    body: { token, ...body },
    timeout: mailLinkTimeoutMs,
  });
  if (answer.error || !answer.data) return failed(mailLinks.failed.unreachable, 503);
  const { success, message } = answer.data;
  return success ? data<MailLinkOutcome>({ ok: true }) : failed(message, 404);
}

function failed(message: string, status: number) {
  return data<MailLinkOutcome>({ ok: false, message }, { status });
}

/** The token in the address. Throws a 404, as for a page that isn't there, where it has none that could be ours. */
function requireToken(request: Request): string {
  const token = new URL(request.url).searchParams.get("token");
  if (!token || token.length > mailLinkTokenMaxLength) throw data(null, { status: 404 });
  return token;
}
