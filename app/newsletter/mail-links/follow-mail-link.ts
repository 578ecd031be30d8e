import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from "react-router";
import { mailLinks } from "#content/pages/mail-links.ts";
import { type MailLinkResult, mailLinkTokenMaxLength } from "#contracts/ports.ts";
import { siteContext } from "../../site-services.ts";

export type MailLinkOutcome = { ok: true } | { ok: false; message: string };

/** What the page's own button posts: a scanner that tries forms posts nothing. */
export const mailLinkButton = { name: "by", value: "button" } as const;

/** The page behind a link in mail: never without a token. */
export function mailLinkLoader({ request }: LoaderFunctionArgs) {
  requireToken(request);
  return null;
}

/** Confirms by the page's own button. A POST that isn't the button's only shows the page. */
export async function confirmByLink({ request, context }: ActionFunctionArgs) {
  const token = requireToken(request);
  if (!isOwnButton(await request.formData())) return null;
  return answerWith(await context.get(siteContext).forms.confirm(token));
}

/**
 * Leaves: by the page's own button, or by a mail program, which posts `List-Unsubscribe=One-Click` without cookies and
 * without having seen the page (RFC 8058, section 3.1). A POST that is neither only shows the page.
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

/** The token in the address. Throws a 404, as for a page that isn't there, where it has none that could be ours. */
function requireToken(request: Request): string {
  const token = new URL(request.url).searchParams.get("token");
  if (!token || token.length > mailLinkTokenMaxLength) throw data(null, { status: 404 });
  return token;
}
