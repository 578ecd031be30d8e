import { type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import {
  Await,
  data,
  Form,
  isRouteErrorResponse,
  Link,
  NavLink,
  type ShouldRevalidateFunctionArgs,
  useActionData,
  useLocation,
  useNavigation,
  useRevalidator,
} from "react-router";
import { number } from "#content/amounts.ts";
import { shortDay, shortTorontoTime, timeAgo } from "#content/toronto-time.ts";
import type { NamedFinding } from "#server/health/check-machine.ts";

export function When({ at }: { at: string | null }) {
  if (!at) return <>–</>;
  return <time dateTime={at}>{shortTorontoTime(at)}</time>;
}

export function Day({ at }: { at: string }) {
  return <time dateTime={at}>{shortDay(at)}</time>;
}

/** How long ago, such as `12 min ago`; the exact time is shown to a pointer that rests on it. */
export function Ago({ at }: { at: string }) {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 20_000);
    return () => clearInterval(timer);
  }, []);
  return (
    // The server's minute may be over in the browser.
    <time dateTime={at} title={shortTorontoTime(at)} suppressHydrationWarning>
      {timeAgo(at, nowMs)}
    </time>
  );
}

/** An action's answer, in sentences. With a problem, the form keeps what was typed. */
export type Answer = { ok: true; said: string; isInBar?: true } | { ok: false; problem: string };

export const nothingDone: Answer = { ok: false, problem: "Nothing was done." };

type PageProps = {
  title: string;
  back?: { to: string; name: string };
  actions?: ReactNode;
  children: ReactNode;
};

export function Page({ title, back, actions, children }: PageProps) {
  const answer = useAnswer(title);
  return (
    <>
      <title>{title}</title>
      <div className="page-head">
        <div>
          {back && (
            <Link className="back" to={back.to}>
              ← {back.name}
            </Link>
          )}
          <h1>{title}</h1>
        </div>
        {actions && <div className="actions">{actions}</div>}
      </div>
      {(answer?.ok && answer.isInBar) || <Notice answer={answer} />}
      {children}
    </>
  );
}

/** The last press's answer, for as long as the page has this title. The router drops it where a page looks again. */
function useAnswer(title: string): Answer | undefined {
  const answer = useActionData() as Answer | undefined;
  const at = title + useLocation().key;
  const [kept, keep] = useState({ at, answer });
  if (at === kept.at && (!answer || answer === kept.answer)) return kept.answer;
  keep({ at, answer });
  return answer;
}

export function Notice({ answer }: { answer: Answer | undefined }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (answer) box.current?.focus();
  }, [answer]);
  if (!answer) return null;
  return (
    <div
      className={answer.ok ? "notice" : "notice wrong"}
      role={answer.ok ? "status" : "alert"}
      tabIndex={-1}
      ref={box}
    >
      <p>{answer.ok ? answer.said : answer.problem}</p>
    </div>
  );
}

type ActProps = SubmitProps & { fields?: Record<string, string | number>; action?: string };

export function Act({ fields = {}, action, ...button }: ActProps) {
  return (
    <Form method="post" action={action}>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Submit {...button} />
    </Form>
  );
}

/** Asks in a dialog, whose first button is named and coloured as the deed's. Resolves with whether it was pressed. */
export async function ask(
  question: string,
  deed: Pick<HTMLElement, "textContent" | "className">,
): Promise<boolean> {
  const box = document.createElement("dialog");
  box.innerHTML = `<form method="dialog" class="stack"><p id="question"></p><div class="actions"><button value="yes"></button><button class="button">Cancel</button></div></form>`;
  box.setAttribute("aria-labelledby", "question");
  document.body.append(box);
  const [words, yes] = box.querySelectorAll<HTMLElement>("p, button");
  if (words) words.textContent = question;
  if (yes) yes.textContent = deed.textContent?.replace("…", "") ?? "";
  if (yes) yes.className = deed.className.replace("plain", "main");
  box.showModal();
  await new Promise((resolve) => box.addEventListener("close", resolve));
  box.remove();
  return box.returnValue === "yes";
}

type SubmitProps = {
  intent: string;
  kind?: "plain" | "main" | "danger";
  sure?: string | ((fields: FormData) => string) | undefined;
  isOff?: boolean;
  deed: ReactNode;
};

export function Submit({ intent, kind = "plain", sure, isOff, deed }: SubmitProps) {
  const navigation = useNavigation();
  const isUnderWay = isOff || navigation.formData?.get("intent") === intent;
  return (
    <button
      type="submit"
      className={`button ${kind}`}
      name="intent"
      value={intent}
      aria-disabled={isUnderWay}
      onClick={async (event) => {
        const button = event.currentTarget;
        const fields = new FormData(button.form ?? undefined);
        const question = typeof sure === "function" ? sure(fields) : sure;
        if (isUnderWay || question) event.preventDefault();
        if (isUnderWay || !question || !(await ask(question, button))) return;
        button.form?.requestSubmit(button);
      }}
    >
      {deed}
    </button>
  );
}

/** Saves its form, and says whether there is something to save. `isChanged`: by more than what was typed. */
export function SaveBar({ isChanged, children }: { isChanged?: boolean; children: ReactNode }) {
  const answer = useActionData() as Answer | undefined;
  const [isTyped, setTyped] = useState(false);
  useEffect(() => {
    setTyped(answer?.ok === false || isWritten());
    const look = () => setTyped((isAlready) => isAlready || isWritten());
    document.addEventListener("input", look);
    return () => document.removeEventListener("input", look);
  }, [answer]);
  const isOff = !(isTyped || isChanged);
  return (
    <div className="save actions">
      <Submit intent="save" kind="main" deed="Save" isOff={isOff} />
      {isOff &&
        (answer?.ok && answer.isInBar ? <Notice answer={answer} /> : <small>No changes</small>)}
      {children}
    </div>
  );
}

export function isWritten(): boolean {
  const controls = document.querySelectorAll<HTMLInputElement | HTMLSelectElement>(
    "main form[method=post] :is(input:not([type=hidden], [form]), textarea, select)",
  );
  return [...controls].some((control) =>
    control instanceof HTMLSelectElement
      ? [...control.options].some((option) => option.selected !== option.defaultSelected)
      : control.value !== control.defaultValue || control.checked !== control.defaultChecked,
  );
}

type FieldProps = { label: string; help?: string | undefined; children: ReactNode };

export function Field({ label, help, children }: FieldProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is a child.
    <label className="field">
      <span>{label}</span>
      {help && <small>{help}</small>}
      {children}
    </label>
  );
}

type EmptyProps = { title?: string; words?: string; to?: string; deed?: string };

export function Empty({ title, words, to, deed }: EmptyProps) {
  return (
    <section className="empty">
      {title && <h2>{title}</h2>}
      {words && <p>{words}</p>}
      {deed && (
        <a className="button" href={to}>
          {deed}
        </a>
      )}
    </section>
  );
}

/** What a row of a list says. `mark` is the sign of its state, or else of its words; `at` is a day or a moment. */
export type Line = {
  to: string | null;
  title: string;
  state?: string;
  words: string;
  mark?: string;
  at?: string | null;
};

export function ListLine({ to, title, state, words, mark, at }: Line) {
  const signs = mark === undefined ? undefined : `state ${mark}`;
  const sign = state && <small className={signs}>{capital(state)}</small>;
  const line = (
    <>
      <b>{title || "Untitled"}</b>
      {at && sign}
      <span className={state ? undefined : signs}>{capital(words)}</span>
      {!at && sign}
      {at && (at.length === 10 ? <Day at={at} /> : <Ago at={at} />)}
    </>
  );
  if (to === null) return <p>{line}</p>;
  // One page may list several parts of itself.
  return to.startsWith("?") ? <Link to={to}>{line}</Link> : <NavLink to={to}>{line}</NavLink>;
}

export function Lines({ of }: { of: readonly Line[] }) {
  return (
    <ul className="list">
      {of.map((line) => (
        <li key={line.to ?? line.title}>
          <ListLine {...line} />
        </li>
      ))}
    </ul>
  );
}

export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function Figures({ of }: { of: Record<string, number | string | undefined> }) {
  return (
    <ul className="about figures">
      {Object.entries(of).map(([name, count = 0]) => (
        <li key={name}>
          <b>{typeof count === "string" ? count : number(count)}</b>{" "}
          {count === 1 ? name.replace(/s\b/, "") : name}
        </li>
      ))}
    </ul>
  );
}

type SieveProps<Name extends string> = {
  label: string;
  by: string;
  find: string;
  names: Record<Name, string>;
  counts: Record<Name, number>;
  chosen: Name;
  placeholder: string;
};

/** Filters with their counts, and a search in what they leave. The last is there only where it has some. */
export function Sieve<Name extends string>(props: SieveProps<Name>) {
  const { label, by, find, names, counts, chosen, placeholder } = props;
  const all = Object.keys(names) as Name[];
  const shown = all.filter((name) => counts[name] > 0 || name !== all.at(-1));
  return (
    <div className="row">
      <nav className="filters" aria-label={label}>
        {shown.map((name, index) => (
          <Link
            key={name}
            to={index === 0 ? "?" : `?${by}=${name}`}
            aria-current={name === chosen ? "page" : undefined}
          >
            {names[name]} <data value={counts[name]}>{number(counts[name])}</data>
          </Link>
        ))}
      </nav>
      <Form className="search" role="search">
        <input type="hidden" name={by} value={chosen} />
        <input
          type="search"
          name="find"
          aria-label="Find"
          placeholder={placeholder}
          defaultValue={find}
        />
        <button className="button" type="submit">
          Find
        </button>
      </Form>
    </div>
  );
}

export function Menu(props: { name?: string; label?: string; children: ReactNode }) {
  return (
    <details
      className="menu"
      name="menu"
      onSubmit={({ currentTarget }) => {
        currentTarget.open = false;
      }}
    >
      <summary className="button" aria-label={props.label}>
        {props.name ?? <span>⋯</span>}
      </summary>
      <div>{props.children}</div>
    </details>
  );
}

const plainNames: Readonly<Record<string, string>> = {
  SPF: "Who may send for your domain (SPF)",
  DKIM: "The signature that proves a mail is yours (DKIM)",
  DMARC: "How mail that only claims to be yours is treated (DMARC)",
};

const signs = { ok: "In order", note: "Worth knowing", attention: "Needs attention" };

/** With `hasNames`, each says what it is about and whether that is in order. */
export function Findings({ found, hasNames }: { found: NamedFinding[]; hasNames?: true }) {
  const { pathname } = useLocation();
  return found.map(({ about, state, message, advice, to, deed, canRetry }) => (
    <div key={about + message} className={state === "attention" ? "notice wrong" : "notice"}>
      <p>
        {hasNames && <b>{`${plainNames[about] ?? about}: ${signs[state]}. `}</b>}
        {message} {!canRetry && !deed && advice}
      </p>
      {canRetry && <Act intent="retry" deed="Try them all again" />}
      {to && to !== pathname && <Link to={to}>{deed ?? "See it"}</Link>}
    </div>
  ));
}

type LaterProps = { findings: Promise<NamedFinding[]>; hasNames?: true };

export function LaterFindings({ findings, hasNames }: LaterProps) {
  return (
    <Suspense fallback={<p className="empty">Looking at the settings, mail and DNS…</p>}>
      <Await
        resolve={findings}
        errorElement={<p role="alert">The checks could not run. Try again in a moment.</p>}
      >
        {(found) => <Findings found={found} hasNames={hasNames} />}
      </Await>
    </Suspense>
  );
}

/** Asks the loader again every so often, for as long as something goes on, and says where the desk can't be asked. */
export function LookAgain({ everyMs }: { everyMs: number }) {
  const { revalidate } = useRevalidator();
  const [failure, setFailure] = useState<keyof typeof failures | null>(null);
  useEffect(() => {
    const timer = setInterval(async () => {
      // A loader that fails would take the page away.
      const answer = await fetch("/session").catch(() => null);
      setFailure(answer?.ok ? null : answer ? "closed" : "lost");
      if (answer?.ok) await revalidate();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs, revalidate]);
  if (!failure) return null;
  return (
    <p className="notice wrong" role="alert">
      {failures[failure]} What was begun goes on without this page.
    </p>
  );
}

/** Loads a frame's page. The same page again stays where one was reading. */
export function loadFrame(frame: HTMLIFrameElement | null, path: string): void {
  const page = frame?.contentDocument?.location;
  if (page?.pathname === path) page.reload();
  else if (frame) frame.src = path;
}

export const failures = {
  away: "The database does not answer. The site goes on as far as it can without it; try again in a minute.",
  full: "The disk where the site runs is full, so nothing can be stored. Make room there first.",
  lost: "There is no connection to the desk.",
  closed:
    "Your session has ended. Sign in, or open the desk’s new link, in another tab, and come back here.",
};

export function failureOf(error: unknown): keyof typeof failures | null {
  if (!isRouteErrorResponse(error))
    return error instanceof TypeError && /fetch|network|load/i.test(error.message) ? "lost" : null;
  const known = { 401: "closed", 503: "away", 507: "full" } as const;
  return known[error.status as keyof typeof known] ?? null;
}

/** A refusal loads nothing again over what was typed. */
export function shouldRevalidate({ actionResult }: ShouldRevalidateFunctionArgs): boolean {
  return actionResult?.ok !== false;
}

/** A page's action in the browser: where the desk can't be reached, the page stays with what was typed. */
export async function clientAction({ serverAction }: { serverAction: () => Promise<unknown> }) {
  try {
    return await serverAction();
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) throw error;
    const problem = `${failures[failure]} What you typed is still here: try again then.`;
    // The status keeps the router from loading the page again.
    return data({ ok: false, problem } satisfies Answer, { status: 503 });
  }
}
