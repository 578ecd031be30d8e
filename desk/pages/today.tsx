import { Fragment } from "react";
import { Link, useLoaderData } from "react-router";
import { countInbox, listInbox } from "#contact/inbox.ts";
import { amount, duration, formatBytes, number } from "#content/amounts.ts";
import { figuresWithoutSource } from "#content/claims.ts";
import { shortTorontoTime, torontoDate } from "#content/toronto-time.ts";
import { readBackupState } from "#db/backup.ts";
import { describeRestore } from "#db/restore.ts";
import { countOutbox, findStuckJobs, retryFailedDeliveries } from "#mail/outbox.ts";
import { listDrafts } from "#newsletter/issues/drafts.ts";
import { listIssues } from "#newsletter/issues/issues.ts";
import { listPlans } from "#newsletter/issues/plans.ts";
import { describeSendState } from "#newsletter/sends/send-words.ts";
import { listSends } from "#newsletter/sends/sends.ts";
import { describeGrowth } from "#newsletter/subscribers/list-subscribers.ts";
import { examine } from "#server/health/examine.ts";
import { readHeartbeat } from "#server/health/heartbeat.ts";
import { countQuarantined } from "#server/health/stored-counts.ts";
import { type Desk, deskContext, deskOf, type PageArgs } from "../desk-context.ts";
import { planAhead } from "../plan-words.ts";
import { Act, Ago, type Answer, Findings, Page, When } from "../ui.tsx";

import { RestoreState } from "./backups.tsx";

export { clientAction } from "../ui.tsx";

export async function loader(args: PageArgs) {
  const desk = args.context.get(deskContext);
  const { store, config } = desk;
  const now = desk.now();
  const { db } = store;
  const openSends = await listSends(db, { open: true });
  const plans = await listPlans(db, { limit: aheadShown });
  const pulse = await readPulse(db, config, { openSends, plans, now });
  // Comes after the page, since it looks at DNS and the mail server.
  const findings = examine(desk, now).then((found) =>
    found.filter(
      ({ state, about }) =>
        // While a site is tried out, mail that goes nowhere is no fault, and nothing to be silent about.
        (state === "attention" || (state === "note" && about === "Mail")) &&
        about !== "Restore" &&
        !pulse.problems.some((problem) => problem.about === about),
    ),
  );
  const today = torontoDate(now);
  const [issue] = await listIssues(db, { limit: 1 });
  return {
    findings,
    ...pulse,
    fresh: await listInbox(db, { view: "new", today, limit: 5 }),
    freshCount: (await countInbox(db, today)).new,
    quarantined: await countQuarantined(db),
    openSends,
    plans,
    issue: issue ?? null,
    lastSend: issue ? (await listSends(db, { issueId: issue.id, limit: 1 }))[0] : undefined,
    drafts: await listDrafts(db, { limit: 3, isNew: true }),
    growth: await describeGrowth(db, now),
  };
}

const aheadShown = 10;

type Db = Desk["store"]["db"];

type Ahead = {
  openSends: Awaited<ReturnType<typeof listSends>>;
  plans: Awaited<ReturnType<typeof listPlans>>;
  now: Date;
};

type Problem = { about: string; text: string; canRetry?: boolean; to?: string };

async function readPulse(db: Db, config: Desk["config"], { openSends, plans, now }: Ahead) {
  /** `4:12 p.m.`, and its day where that isn't today; it ends a sentence. */
  const hour = (at: string) => {
    const today = shortTorontoTime(now.toISOString()).replace(/[^,]*$/, "");
    return shortTorontoTime(at).replace(today, "").trim();
  };
  const problems: Problem[] = [];
  const reasons: string[] = [];
  const report = (about: string, text: string, more: Partial<Problem> = {}) =>
    problems.push({ about, text, ...more });
  const { answeredAt, silentMs, isSilent } = await readHeartbeat(db, now);
  if (answeredAt === null) reasons.push("The site has not run yet: start it with npm start.");
  else if (isSilent)
    report(
      "Heartbeat",
      `The site has not answered since ${hour(answeredAt)} Visitors see nothing, and nothing is sent. Start it with npm start, or ask whoever set up your server.`,
    );
  else reasons.push(`The site answered ${duration(silentMs / 1000)} ago.`);
  const stuck = await findStuckJobs(db, now);
  if (stuck) {
    const said = stuck.words ? ` The server’s words: ${stuck.words}` : "";
    report(
      "Outbox",
      `${amount(stuck.count, "mail has", "mails have")} not left since ${hour(stuck.since)}${said}`,
    );
  }
  const { failed: failedJobs, waiting, lastFailure } = await countOutbox(db);
  if (failedJobs > 0)
    report(
      "Outbox",
      `${amount(failedJobs, "mail or call", "mails and calls")} could not be delivered. Nothing is lost: when the mail server works again, send once more.${lastFailure ? ` The server’s last words: ${lastFailure}` : ""}`,
      { canRetry: true },
    );
  else if (!stuck && config.smtpUrl) {
    const words = amount(waiting, "mail or call waits", "mails or calls wait");
    reasons.push(waiting > 0 ? `${words} to leave.` : "All mail has left.");
  }
  for (const { title, problem, draftId } of plans) {
    const to = `/issues/drafts/${draftId}/plan`;
    if (problem) report("Plans", `“${title || "Untitled"}” was not published: ${problem}`, { to });
  }
  for (const { id, title, pauseReason } of openSends) {
    const to = `/sends/${id}`;
    if (pauseReason) report("Sends", `“${title}” paused itself: ${pauseReason}.`, { to });
  }
  const { made } = await readBackupState(config);
  const ageMs = made && Math.max(0, now.getTime() - Date.parse(made.madeAt));
  if (made && ageMs !== null)
    reasons.push(
      `The last backup is ${duration(ageMs / 1000)} old, ${formatBytes(made.sizeBytes)}.`,
    );
  const restore = await describeRestore(db, config, shortTorontoTime);
  const isWell = problems.length === 0 && restore === null && answeredAt !== null;
  return { problems, restore, reasons, isWell };
}

export async function action(args: PageArgs): Promise<Answer> {
  const { db, now } = deskOf(args);
  const form = await args.request.formData();
  if (form.get("intent") !== "retry") return { ok: false, problems: ["Nothing was done."] };
  const retried = await retryFailedDeliveries(db, { now: now() });
  return { ok: true, said: `${amount(retried, "job")} will be tried again now.` };
}

export default function Today() {
  const { isWell, restore, problems, reasons, findings } = useLoaderData<typeof loader>();
  return (
    <Page
      title="Today"
      hasBeside
      actions={
        <Act action="/issues" intent="new" kind="main">
          Write an issue
        </Act>
      }
    >
      <section className="beside">
        <h2>{isWell ? "The site is up" : "What needs attention"}</h2>
        <RestoreState restore={restore} />
        {problems.map(({ text, canRetry, to }) => (
          <div key={to ?? text} className="notice wrong">
            <p>{text}</p>
            {canRetry && <Act intent="retry">Try them all again</Act>}
            {to && <Link to={to}>See it</Link>}
          </div>
        ))}
        <p>{reasons.join(" ")}</p>
        <Findings
          findings={findings}
          empty={
            isWell
              ? "All is well: settings, mail server, DNS and disk are in order too."
              : "Nothing else."
          }
        />
        <details>
          <summary>Figures on the site without a published source</summary>
          <p>Keep evidence of each from before it is shown (Competition Act, s. 74.01).</p>
          <ul>
            {figuresWithoutSource.map(({ path, figures }) => (
              <li key={path}>
                {path}: {figures.join("; ")}
              </li>
            ))}
          </ul>
        </details>
      </section>
      <Messages />
      <Newsletter />
    </Page>
  );
}

function Messages() {
  const { fresh, freshCount, quarantined } = useLoaderData<typeof loader>();
  const suspected = [
    ["/messages?show=held", quarantined.messages, "message"] as const,
    ["/subscribers?state=held", quarantined.signUps, "sign-up"] as const,
  ].flatMap(([to, count, one]) => (count > 0 ? [[to, amount(count, one)] as const] : []));
  return (
    <section>
      <h2>{freshCount === 0 ? "No new messages" : amount(freshCount, "new message")}</h2>
      <ul className="list">
        {fresh.map(({ id, firstName, lastName, beginning, receivedAt }) => (
          <li key={id}>
            <Link to={`/messages/${id}`}>
              <b>
                {firstName} {lastName}
              </b>
              <span>{beginning}</span>
              <Ago at={receivedAt} />
            </Link>
          </li>
        ))}
      </ul>
      {suspected.map(([to, words]) => (
        <p key={to}>
          <Link to={to}>{words} that may be spam</Link>
        </p>
      ))}
    </section>
  );
}

function Newsletter() {
  const { plans, openSends, growth, issue, lastSend, drafts } = useLoaderData<typeof loader>();
  const ahead = [
    ...plans.map((plan) => ({
      to: `/issues/drafts/${plan.draftId}/plan`,
      title: plan.title || "Untitled",
      words: planAhead(plan),
      at: null,
    })),
    ...openSends.map((send) => ({
      to: `/sends/${send.id}`,
      title: send.title,
      words: send.trouble ?? describeSendState(send, shortTorontoTime),
      at: send.state === "waiting" ? null : (send.begunAt ?? send.beginsAt),
    })),
  ];
  return (
    <section>
      <h2>The newsletter</h2>
      <ul className="list">
        {ahead.map(({ to, title, words, at }) => (
          <li key={to}>
            <Link to={to}>
              <b>{title}</b>
              <span>{words}</span>
              {at && <When at={at} />}
            </Link>
          </li>
        ))}
      </ul>
      <dl className="facts">
        <dt>Subscribers</dt>
        <dd>
          <Link to="/subscribers">{growth}</Link>
        </dd>
        <dt>Last issue</dt>
        <dd>
          {issue ? (
            <>
              <Link to={`/issues/${issue.id}`}>
                #{issue.number} {issue.title}
              </Link>
              {", "}
              {lastSend ? describeSendState(lastSend, shortTorontoTime) : "not mailed"}
              {lastSend?.begunAt &&
                `: ${number(lastSend.counts.accepted)} delivered, ${number(lastSend.counts.refused)} refused`}
            </>
          ) : (
            "None yet"
          )}
        </dd>
        <dt>Next</dt>
        <dd>
          {drafts.length === 0
            ? "No draft"
            : drafts.map((draft, index) => (
                <Fragment key={draft.id}>
                  {index > 0 && ", "}
                  <Link to={`/issues/drafts/${draft.id}`}>{draft.title || "Untitled"}</Link>
                </Fragment>
              ))}
        </dd>
      </dl>
    </section>
  );
}
