import { createContext, data, useLocation } from "react-router";
import { mailLinks } from "#content/pages/mail-links.ts";
import { type MailLinkResult, mailLinkTokenMaxLength } from "../ports.ts";
import { pageMeta, rootFacts } from "../seo/page-meta.ts";
import { useNamed, useSiteFacts } from "../site-facts.ts";
import { siteContext } from "../site-services.ts";
import { EmailLink, Link } from "../ui/link.tsx";
import type { Route } from "./+types/mail-link";
import { Nameplate, Paper } from "./paper.tsx";

/** Scanners that submit forms don't send it. */
const ownButton = { name: "by", value: "button" } as const;

function isConfirmation(pathname: string): boolean {
  return pathname.startsWith(mailLinks.confirm.head.path);
}

function wordsAt(pathname: string) {
  return isConfirmation(pathname) ? mailLinks.confirm : mailLinks.unsubscribe;
}

/** Set by the action, for the title: `meta` is given only what the loader returns. */
const resultContext = createContext<MailLinkResult | null>(null);

export function loader({ request, context }: Route.LoaderArgs) {
  requireToken(request);
  return context.get(resultContext);
}

/** Acts on the page's button or `List-Unsubscribe=One-Click` (RFC 8058, section 3.1) alone. */
export async function action({ request, context }: Route.ActionArgs) {
  const token = requireToken(request);
  const posted = await request.formData();
  const { forms } = context.get(siteContext);
  const isByButton = posted.get(ownButton.name) === ownButton.value;
  const answerWith = (result: MailLinkResult) => {
    context.set(resultContext, result);
    return data(null, result.ok ? 200 : result.reason === "refused" ? 404 : 503);
  };
  if (isConfirmation(new URL(request.url).pathname)) {
    return isByButton ? answerWith(await forms.confirm(token)) : null;
  }
  if (isOneClick(posted, request.headers)) {
    return answerWith(await forms.unsubscribe(token, "one_click"));
  }
  return isByButton ? answerWith(await forms.unsubscribe(token, "link")) : null;
}

export function meta({ matches, location, loaderData: result }: Route.MetaArgs) {
  const words = wordsAt(location.pathname);
  const title = result ? wordsFor(result, words).heading : words.head.title;
  return pageMeta({ ...words.head, title, noIndex: true }, rootFacts(matches).settings);
}

export default function MailLinkPage({ loaderData: result }: Route.ComponentProps) {
  const words = wordsAt(useLocation().pathname);
  const { heading, text } = useNamed(wordsFor(result, words));
  const [before, ...after] = text.split(useSiteFacts().settings.email);
  const isRefused = result?.ok === false && result.reason === "refused";
  const canAct = !result?.ok && !isRefused;
  return (
    <Paper>
      <Nameplate />
      <div className="issue-pane">
        <div role={result ? "status" : undefined}>
          <h1>{heading}</h1>
          <p className="lede">
            {before}
            {after.length > 0 && <EmailLink />}
            {after}
          </p>
        </div>
        <div className="actions cluster">
          {canAct && (
            <form method="post">
              <button type="submit" className="button button-primary" {...ownButton}>
                {words.button}
              </button>
            </form>
          )}
          {isRefused && "again" in words && (
            <Link className="button button-primary" to={words.again.path}>
              {words.again.label}
            </Link>
          )}
          <Link to={mailLinks.archive.path}>{mailLinks.archive.label}</Link>
        </div>
      </div>
    </Paper>
  );
}

function wordsFor(result: MailLinkResult | null, words: ReturnType<typeof wordsAt>) {
  if (!result) return words;
  if (result.ok) return words.done;
  const { heading, unreachable } = mailLinks.failed;
  return { heading, text: result.reason === "refused" ? result.message : unreachable };
}

/** Some mail programs post nothing; browsers send Sec-Fetch-Mode. */
function isOneClick(posted: FormData, headers: Headers): boolean {
  const fields = [...posted].map(([name, value]) => `${name.trim()}=${String(value).trim()}`);
  if (fields.length === 0) return !headers.has("Sec-Fetch-Mode");
  return fields.some((field) => field.toLowerCase() === "list-unsubscribe=one-click");
}

/** Throws a 404 if implausible. */
function requireToken(request: Request): string {
  const token = new URL(request.url).searchParams.get("token");
  if (!token || token.length > mailLinkTokenMaxLength) throw data(null, { status: 404 });
  return token;
}
