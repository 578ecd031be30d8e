import { data, useLocation } from "react-router";
import { mailLinks } from "#content/pages/mail-links.ts";
import { type MailLinkResult, mailLinkTokenMaxLength } from "../ports.ts";
import { pageMeta, rootFacts } from "../seo/page-meta.ts";
import { useNamed } from "../site-facts.ts";
import { siteContext } from "../site-services.ts";
import { Link } from "../ui/link.tsx";
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

export function loader({ request }: Route.LoaderArgs) {
  requireToken(request);
  return null;
}

/** Acts on the page's button or `List-Unsubscribe=One-Click` (RFC 8058, section 3.1) alone. */
export async function action({ request, context }: Route.ActionArgs) {
  const token = requireToken(request);
  const posted = await request.formData();
  const { forms } = context.get(siteContext);
  const isByButton = posted.get(ownButton.name) === ownButton.value;
  if (isConfirmation(new URL(request.url).pathname)) {
    return isByButton ? answerWith(await forms.confirm(token)) : null;
  }
  if (isOneClick(posted, request.headers)) {
    return answerWith(await forms.unsubscribe(token, "one_click"));
  }
  return isByButton ? answerWith(await forms.unsubscribe(token, "link")) : null;
}

export function meta({ matches, location }: Route.MetaArgs) {
  const { head } = wordsAt(location.pathname);
  return pageMeta({ ...head, noIndex: true }, rootFacts(matches).settings);
}

export default function MailLinkPage({ actionData: outcome }: Route.ComponentProps) {
  const words = wordsAt(useLocation().pathname);
  const { heading, text } = useNamed(wordsFor(outcome, words));
  const isRefused = outcome?.ok === false && outcome.isRefused;
  const canAct = !outcome?.ok && !isRefused;
  return (
    <Paper>
      <Nameplate />
      <div className="issue-pane">
        <div role={outcome ? "status" : undefined}>
          <h1>{heading}</h1>
          <p className="lede">{text}</p>
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

function wordsFor(outcome: MailLinkOutcome | null | undefined, words: ReturnType<typeof wordsAt>) {
  if (!outcome) return words;
  return outcome.ok ? words.done : { heading: mailLinks.failed.heading, text: outcome.message };
}

type MailLinkOutcome = { ok: true } | { ok: false; isRefused: boolean; message: string };

/** Some mail programs post nothing; browsers send Sec-Fetch-Mode. */
function isOneClick(posted: FormData, headers: Headers): boolean {
  const fields = [...posted].map(([name, value]) => `${name.trim()}=${String(value).trim()}`);
  if (fields.length === 0) return !headers.has("Sec-Fetch-Mode");
  return fields.some((field) => field.toLowerCase() === "list-unsubscribe=one-click");
}

function answerWith(result: MailLinkResult) {
  if (result.ok) return data<MailLinkOutcome>({ ok: true });
  const isRefused = result.reason === "refused";
  const message = result.reason === "refused" ? result.message : mailLinks.failed.unreachable;
  return data<MailLinkOutcome>(
    { ok: false, isRefused, message },
    { status: isRefused ? 404 : 503 },
  );
}

/** Throws a 404 if implausible. */
function requireToken(request: Request): string {
  const token = new URL(request.url).searchParams.get("token");
  if (!token || token.length > mailLinkTokenMaxLength) throw data(null, { status: 404 });
  return token;
}
