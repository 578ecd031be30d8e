import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from "react-router";
import { mailLinks } from "#content/pages/mail-links.ts";
import { type MailLinkResult, mailLinkTokenMaxLength } from "#contracts/ports.ts";
import { siteContext } from "../../site-services.ts";

export type MailLinkOutcome = { ok: true } | { ok: false; message: string };

/** What the page's button posts, unlike a scanner that submits forms. */
export const mailLinkButton = { name: "by", value: "button" } as const;

/** The page behind a link in mail; 404 without a token. */
export function mailLinkLoader({ request }: LoaderFunctionArgs) {
  requireToken(request);
  return null;
}

/** Confirms on the page's button. Any other POST only shows the page. */
export async function confirmByLink({ request, context }: ActionFunctionArgs) {
  const token = requireToken(request);
  if (!isOwnButton(await request.formData())) return null;
  return answerWith(await context.get(siteContext).forms.confirm(token));
}

/**
 * Unsubscribes on the page's button, or on a mail program's `List-Unsubscribe=One-Click` (RFC 8058, section 3.1), which
 * comes without cookies. Any other POST only shows the page.
 */
export async function leaveByLink({ request, context }: ActionFunctionArgs) {
  const token = requireToken(request);
  const posted = await request.formData();
  const isOneClick = posted.get("List-Unsubscribe") === "One-Click";
  if (!isOneClick && !isOwnButton(posted)) return null;
  const way = isOneClick ? "one_click" : "link";
  return answerWith(await context.get(siteContext).forms.unsubscribe(token, way));
}

function isOwnButton(posted: FormData): boolean {
  return posted.get(mailLinkButton.name) === mailLinkButton.value;
}

function answerWith(result: MailLinkResult) {
  if (result.ok) return data<MailLinkOutcome>({ ok: true });
  return result.reason === "refused"
    ? data<MailLinkOutcome>({ ok: false, message: result.message }, { status: 404 })
    : data<MailLinkOutcome>({ ok: false, message: mailLinks.failed.unreachable }, { status: 503 });
}

/** Throws a 404 without a plausible token in the address. */
function requireToken(request: Request): string {
  const token = new URL(request.url).searchParams.get("token");
  if (!token || token.length > mailLinkTokenMaxLength) throw data(null, { status: 404 });
  return token;
}
