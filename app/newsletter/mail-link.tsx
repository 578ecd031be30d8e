import {
  type ActionFunctionArgs,
  data,
  Form,
  Link,
  type LoaderFunctionArgs,
  useNavigation,
} from "react-router";
import { mailLinks } from "#content/pages/mail-links.ts";
import { type MailLinkResult, mailLinkTokenMaxLength } from "#contracts/ports.ts";
import { useNamed } from "../site-facts.ts";
import { siteContext } from "../site-services.ts";
import { Nameplate, Paper } from "./paper.tsx";

type MailLinkProps = {
  words: (typeof mailLinks)["confirm" | "unsubscribe"];
  outcome: MailLinkOutcome | null | undefined;
};

/** The page of a link in mail: an explanation and a button on the paper of an issue. */
export function MailLink({ words, outcome }: MailLinkProps) {
  const isBusy = useNavigation().state !== "idle";
  const { heading, text } = useNamed(wordsFor(outcome, words));
  // Pressed again, a refused link would only fail again.
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
            <Form method="post">
              <button
                type="submit"
                className="button button-primary"
                disabled={isBusy}
                {...mailLinkButton}
              >
                {isBusy ? words.busy : words.button}
              </button>
            </Form>
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

function wordsFor(outcome: MailLinkProps["outcome"], words: MailLinkProps["words"]) {
  if (!outcome) return words;
  return outcome.ok ? words.done : { heading: mailLinks.failed.heading, text: outcome.message };
}

type MailLinkOutcome = { ok: true } | { ok: false; isRefused: boolean; message: string };

/** What the page's button posts, unlike a scanner that submits forms. */
const mailLinkButton = { name: "by", value: "button" } as const;

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
  const isByProgram = isOneClick(posted, request.headers);
  if (!isByProgram && !isOwnButton(posted)) return null;
  const way = isByProgram ? "one_click" : "link";
  return answerWith(await context.get(siteContext).forms.unsubscribe(token, way));
}

/** In any case and spacing. Some mail programs post nothing; a browser, as a scanner may be, sends Sec-Fetch-Mode. */
function isOneClick(posted: FormData, headers: Headers): boolean {
  const fields = [...posted].map(([name, value]) => `${name.trim()}=${String(value).trim()}`);
  if (fields.length === 0) return !headers.has("Sec-Fetch-Mode");
  return fields.some((field) => field.toLowerCase() === "list-unsubscribe=one-click");
}

function isOwnButton(posted: FormData): boolean {
  return posted.get(mailLinkButton.name) === mailLinkButton.value;
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

/** Throws a 404 without a plausible token in the address. */
function requireToken(request: Request): string {
  const token = new URL(request.url).searchParams.get("token");
  if (!token || token.length > mailLinkTokenMaxLength) throw data(null, { status: 404 });
  return token;
}
