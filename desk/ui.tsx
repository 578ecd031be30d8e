import { type ReactNode, Suspense, useEffect, useRef, useState, useSyncExternalStore } from "react";
import {
  Await,
  data,
  Form,
  isRouteErrorResponse,
  Link,
  useActionData,
  useNavigation,
  useRevalidator,
} from "react-router";
import { shortDay, shortTorontoTime, timeAgo } from "#content/toronto-time.ts";
import type { NamedFinding } from "#server/health/examine.ts";

export function When({ at }: { at: string | null }) {
  if (!at) return <>–</>;
  return <time dateTime={at}>{shortTorontoTime(at)}</time>;
}

export function Day({ at }: { at: string }) {
  return <time dateTime={at}>{shortDay(at)}</time>;
}

/** How long ago, such as `12 min ago`; the exact time is shown to a pointer that rests on it. */
export function Ago({ at }: { at: string }) {
  const minute = useSyncExternalStore(everyMinute, thisMinute, thisMinute);
  return (
    // The server's minute may be over in the browser.
    <time dateTime={at} title={shortTorontoTime(at)} suppressHydrationWarning>
      {timeAgo(at, minute)}
    </time>
  );
}

function everyMinute(onChange: () => void) {
  const timer = setInterval(onChange, 20_000);
  return () => clearInterval(timer);
}

const thisMinute = () => Math.floor(Date.now() / 60_000) * 60_000;

/** An action's answer. With problems, the form keeps what was typed. */
export type Answer = { ok: true; said: string } | { ok: false; problems: string[] };

type PageProps = {
  title: string;
  back?: { to: string; name: string };
  actions?: ReactNode;
  isAnswerOld?: boolean;
  /** A section with the class `beside` is beside the others where there is room. */
  hasBeside?: boolean;
  children: ReactNode;
};

export function Page({
  title,
  back,
  actions,
  isAnswerOld = false,
  hasBeside = false,
  children,
}: PageProps) {
  const answer = useActionData() as Answer | undefined;
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
      <Notice answer={isAnswerOld ? undefined : answer} />
      {hasBeside ? <div className="columns">{children}</div> : children}
    </>
  );
}

const focusedAnswers = new WeakSet<Answer>();

export function Notice({ answer }: { answer: Answer | undefined }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!answer || focusedAnswers.has(answer)) return;
    focusedAnswers.add(answer);
    box.current?.focus();
  }, [answer]);
  if (!answer) return null;
  return (
    <div
      className={answer.ok ? "notice" : "notice wrong"}
      role={answer.ok ? "status" : "alert"}
      tabIndex={-1}
      ref={box}
    >
      {answer.ok ? (
        <p>{answer.said}</p>
      ) : (
        answer.problems.map((problem) => <p key={problem}>{problem}</p>)
      )}
    </div>
  );
}

export function Act({
  fields = {},
  action,
  ...button
}: {
  fields?: Record<string, string | number>;
  action?: string;
} & Parameters<typeof Submit>[0]) {
  return (
    <Form method="post" action={action}>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Submit {...button} />
    </Form>
  );
}

type SubmitProps = {
  intent: string;
  kind?: "plain" | "main" | "danger";
  sure?: string | ((fields: FormData) => string) | undefined;
  children: ReactNode;
};

export function Submit({ intent, kind = "plain", sure, children }: SubmitProps) {
  const navigation = useNavigation();
  const isUnderWay = navigation.formData?.get("intent") === intent;
  return (
    <button
      type="submit"
      className={`button ${kind}`}
      name="intent"
      value={intent}
      aria-disabled={isUnderWay}
      onClick={(event) => {
        const { form } = event.currentTarget;
        const question = typeof sure === "function" ? form && sure(new FormData(form)) : sure;
        if (isUnderWay || (question && !window.confirm(question))) event.preventDefault();
      }}
    >
      {children}
    </button>
  );
}

type FieldProps = { label: string; help?: string; children: ReactNode };

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

export function Empty({ children }: { children: ReactNode }) {
  return <p className="empty">{children}</p>;
}

type FiltersProps = { label: string; choices: { to: string; name: string; isChosen: boolean }[] };

export function Filters({ label, choices }: FiltersProps) {
  return (
    <nav className="filters" aria-label={label}>
      {choices.map(({ to, name, isChosen }) => (
        <Link key={to} to={to} aria-current={isChosen ? "page" : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  );
}

type SearchProps = { find: string; placeholder: string; kept?: Record<string, string> };

/** Finds in a list; `kept` are the fields of its address that stay. */
export function Search({ find, placeholder, kept = {} }: SearchProps) {
  return (
    <Form className="search" role="search">
      {Object.entries(kept).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
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
  );
}

export function Table({ columns, children }: { columns: string[]; children: ReactNode }) {
  return (
    <table>
      <thead>
        <tr>
          {columns.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

export function Parts({ next, of, name }: { next: number | null; of: string; name: string }) {
  if (next === null) return null;
  const page = next === 1 ? "" : `${of === "?" ? "" : "&"}page=${next}`;
  return <Link to={of + page}>{next === 1 ? `All ${name}` : `More ${name}`}</Link>;
}

type LaterProps<Value> = {
  value: Promise<Value>;
  waiting: string;
  failed: string;
  children: (value: Value) => ReactNode;
};

/** Shows what arrives after the page: `waiting` until it is here, and `failed` where it doesn't come. */
export function Later<Value>({ value, waiting, failed, children }: LaterProps<Value>) {
  return (
    <Suspense fallback={<Empty>{waiting}</Empty>}>
      <Await resolve={value} errorElement={<p role="alert">{failed}</p>}>
        {(found) => children(found as Value)}
      </Await>
    </Suspense>
  );
}

const plainNames: Readonly<Record<string, string>> = {
  SPF: "Who may send for your domain (SPF)",
  DKIM: "The signature that proves a mail is yours (DKIM)",
  DMARC: "How mail that only claims to be yours is treated (DMARC)",
  "Reverse name": "The name that the mail server’s address leads to",
};

const signs = { ok: "In order", note: "Worth knowing", attention: "Needs attention" };

type FindingsProps = { findings: Promise<NamedFinding[]>; hasStates?: boolean; empty?: string };

export function Findings({ findings, hasStates = false, empty = "Nothing." }: FindingsProps) {
  return (
    <Later
      value={findings}
      waiting="Looking at the settings, mail and DNS…"
      failed="The checks could not run. Try again in a moment."
    >
      {(found) => {
        if (found.length === 0) return <Empty>{empty}</Empty>;
        return (
          <ul className="findings">
            {found.map(({ about, state, message, advice }) => (
              <li key={about + message} className={state}>
                <b>
                  {plainNames[about] ?? about}
                  {hasStates ? `: ${signs[state]}.` : ":"}
                </b>{" "}
                {message}
                {advice && <small>{advice}</small>}
              </li>
            ))}
          </ul>
        );
      }}
    </Later>
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

export const failures = {
  away: "The database does not answer. The site goes on as far as it can without it; try again in a minute.",
  full: "The disk where the site runs is full, so nothing can be stored. Make room there first.",
  lost: "There is no connection to the desk.",
  closed:
    "Your session has ended, or the desk was started again. Open the desk in another tab, and come back here.",
};

export function failureOf(error: unknown): keyof typeof failures | null {
  if (!isRouteErrorResponse(error))
    return error instanceof TypeError && /fetch|network|load/i.test(error.message) ? "lost" : null;
  const known = { 401: "closed", 503: "away", 507: "full" } as const;
  return known[error.status as keyof typeof known] ?? null;
}

/** A page's action in the browser: where the desk can't be reached, the page stays with what was typed. */
export async function clientAction({ serverAction }: { serverAction: () => Promise<unknown> }) {
  try {
    return await serverAction();
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) throw error;
    const problems = [failures[failure], "What you typed is still here: try again then."];
    // The status keeps the router from loading the page again.
    return data({ ok: false, problems } satisfies Answer, { status: 503 });
  }
}
