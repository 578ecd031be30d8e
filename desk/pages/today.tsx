import { sql } from "kysely";
import type { ReactNode } from "react";
import { data, Link, useLoaderData } from "react-router";
import { countInbox, listInbox } from "#contact/messages.ts";
import { amount } from "#content/amounts.ts";
import { figuresWithoutSource } from "#content/claims.ts";
import { shortTorontoTime, torontoDate } from "#content/toronto-time.ts";
import { describeRestore } from "#db/restore.ts";
import type { Db } from "#db/tables.ts";
import { retryFailedDeliveries } from "#mail/outbox.ts";
import { listDrafts } from "#newsletter/issues/drafts.ts";
import { listIssues } from "#newsletter/issues/issues.ts";
import { listPlans } from "#newsletter/issues/plans.ts";
import { listSends } from "#newsletter/sends/sends.ts";
import { describeGrowth } from "#newsletter/subscribers/list-subscribers.ts";
import { checkStored, countQuarantined } from "#server/health/check-database.ts";
import type { NamedFinding } from "#server/health/check-machine.ts";
import { readVisit } from "#server/news.ts";
import { declarations } from "#settings/setting-declarations.ts";
import { deskOf, type PageArgs } from "../desk-context.ts";
import { describeIssues, sendMark } from "../issue-rows.ts";
import { Act, type Answer, Findings, LaterFindings, type Line, Lines, Page } from "../ui.tsx";
import { RestoreState } from "./backups.tsx";

export { clientAction } from "../ui.tsx";

export async function loader(args: PageArgs) {
  const desk = deskOf(args);
  const { db, config, now } = desk;
  const stored = await checkStored(db, config, now);
  const today = torontoDate(now);
  const bad = stored.filter(({ state, about }) => state === "attention" && about !== "Restore");
  const fresh = await listInbox(db, { view: "new", today, limit: 5 });
  const count = (await countInbox(db, today)).new;
  const { messages, signUps } = await countQuarantined(db);
  const { cookie, news } = await readVisit(db, args.request, now);
  // Why all is well. Without a mail server, no mail has left.
  const said = ["Heartbeat", "Backups", ...(config.smtpUrl === null ? [] : ["Outbox"])];
  const page = {
    problems: bad,
    restore: await describeRestore(db, config, shortTorontoTime),
    reasons: stored
      .filter(({ state, about }) => state !== "attention" && said.includes(about))
      .map(({ message }) => message),
    // Comes after the page. While a site is tried out, mail that goes nowhere is no fault, and nothing to be silent about.
    around: desk.lookAround(desk, now).then((found) => found.filter(isTold)),
    steps: await listFirstSteps(desk),
    news,
    letters: fresh.map(({ id, firstName, lastName, beginning: words, receivedAt: at }): Line => {
      return { to: `/messages/${id}`, title: `${firstName} ${lastName}`, words, at };
    }),
    inbox: count === 0 ? "No new messages" : amount(count, "new message"),
    heldMessages: listHeld("/messages?show=held", messages, "message"),
    newsletter: [
      ...(await listNewsletter(db, now, new Set(bad.map(({ to }) => to)))),
      ...listHeld("/subscribers?state=held", signUps, "sign-up"),
    ],
  };
  return data(page, { headers: { "Set-Cookie": cookie } });
}

const isTold = ({ state, about }: NamedFinding) =>
  state === "attention" || (state === "note" && about === "Mail");

/** The first steps; null once an issue has been sent, or all are done. */
async function listFirstSteps({ db, config, unset }: ReturnType<typeof deskOf>) {
  const isSet = (names: string) => unset.every(({ setting }) => !names.includes(setting));
  const { rows } = await sql<{ subscribers: number; sends: number; drafts: number }>`select
    (select count(*) from subscribers) as subscribers,
    (select count(*) from sends where begun_at is not null) as sends,
    (select count(*) from drafts) as drafts`.execute(db);
  const { subscribers = 0, sends = 0, drafts = 0 } = rows[0] ?? {};
  const hasColour = config.siteColour !== declarations.SITE_COLOUR.default;
  const steps = [
    ["Your firm", "Name, street and email", "/settings", isSet("SITE_NAME SITE_STREET SITE_EMAIL")],
    ["Your mail server", "For messages and issues", "/settings?show=mail", config.smtpUrl !== null],
    ["Your colour", "For the site and its mails", "/settings?show=look", hasColour],
    ["Bring your list", "A CSV file of addresses", "/subscribers/import", subscribers > 0],
    ["Your first issue", "Saved while you write", "/issues", drafts > 0],
  ] as const;
  if (sends > 0 || steps.every(([, , , isDone]) => isDone)) return null;
  const next = steps.find(([, , , isDone]) => !isDone);
  const done = steps.filter(([, , , isDone]) => isDone).length;
  const lines = steps.map(([title, why, to, isDone]) => {
    const mark = isDone ? "done" : title === next?.[0] ? "next" : "";
    return { to, title, words: isDone ? "Done" : why, mark };
  });
  return { title: `Five steps to your first issue, ${done} of 5 done`, lines };
}

async function listNewsletter(db: Db, now: Date, isSaid: Set<string | undefined>) {
  const sends = await listSends(db, { open: true });
  const isListed = new Set(sends.map(({ issueId }) => issueId));
  const latest = (await listIssues(db, { limit: 1 })).filter(({ id }) => !isListed.has(id));
  const plans = await listPlans(db, { limit: 10 });
  const drafts = await listDrafts(db, { limit: 3, isNew: true });
  const lines: Line[] = [
    ...sends.map(({ id, title, words, ...send }) => {
      return { to: `/sends/${id}`, title, words, mark: sendMark(send) };
    }),
    ...plans.map(({ draftId, title, words, problem }) => {
      const mark = problem ? "bad" : "";
      return { to: `/issues/drafts/${draftId}/plan`, title, words, mark };
    }),
    ...drafts.map(({ id, title }) => {
      return { to: `/issues/drafts/${id}`, title, words: "Draft", mark: "off" };
    }),
    ...(await describeIssues(db, latest)),
  ].filter(({ to }) => !isSaid.has(to));
  const words = await describeGrowth(db, now);
  return [...lines.slice(0, 4), { to: "/subscribers", title: "Subscribers", words }];
}

function listHeld(to: string, count: number, what: string): Line[] {
  if (count === 0) return [];
  return [{ to, title: `${amount(count, what)} may be spam`, words: "" }];
}

export async function action(args: PageArgs): Promise<Answer> {
  const { db, now } = deskOf(args);
  const retried = await retryFailedDeliveries(db, { now });
  return { ok: true, said: `${amount(retried, "job")} will be tried again now.` };
}

export default function Today() {
  const { restore, problems, reasons, around, news, steps, inbox, letters, ...loaded } =
    useLoaderData<typeof loader>();
  const isWell = problems.length === 0 && !restore;
  return (
    <Page
      title="Today"
      actions={<Act action="/issues" intent="new" kind="main" deed="Write an issue" />}
    >
      {news && <b>{news}</b>}
      {isWell || (
        <div className="stack">
          <h2>What needs attention</h2>
          <div className="list attention">
            {restore?.state === "held" && <RestoreState restore={restore} />}
            <Findings found={problems} />
            {restore?.state !== "held" && <RestoreState restore={restore} />}
          </div>
        </div>
      )}
      <div className="columns">
        {steps && <Part {...steps} />}
        <div className={steps ? "stack" : "columns"}>
          <Part title={inbox} to="/messages?show=new" lines={[...letters, ...loaded.heldMessages]}>
            {letters.length === 0 && <p className="empty">Messages come here, and by mail.</p>}
          </Part>
          <Part title="The newsletter" to="/issues" lines={loaded.newsletter} />
        </div>
      </div>
      <section>
        <h2>How the site is</h2>
        <p className={isWell ? "state good" : ""}>{reasons.join(" ")}</p>
        <LaterFindings findings={around} />
        <details>
          <summary>Figures on the site without a published source: keep evidence of each</summary>
          {figuresWithoutSource.map(({ path, figures }) => (
            <p key={path}>{`${path}: ${figures.join("; ")}`}</p>
          ))}
        </details>
      </section>
    </Page>
  );
}

type PartProps = { title: string; to?: string; lines: Line[]; children?: ReactNode };

function Part({ title, to, lines, children }: PartProps) {
  return (
    <div className="stack">
      <h2>{to ? <Link to={to}>{title}</Link> : title}</h2>
      <Lines of={lines} />
      {children}
    </div>
  );
}
