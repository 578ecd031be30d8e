import { Link, useLoaderData } from "react-router";
import { countMessages, listMessages } from "#contact/messages.ts";
import { amount } from "#content/amounts.ts";
import { shortTorontoTime } from "#content/toronto-time.ts";
import { countOutbox, retryFailedDeliveries } from "#mail/outbox-list.ts";
import { listDrafts } from "#newsletter/drafts.ts";
import { listIssues } from "#newsletter/issues.ts";
import { listSends } from "#newsletter/sends/list-sends.ts";
import { examine } from "#operator/examine/examine.ts";
import { listPlans } from "#operator/plans.ts";
import { describeSendState } from "#operator/send-words.ts";
import { countQuarantined } from "#operator/stored-counts.ts";
import { deskContext, deskOf, type PageArgs } from "../desk-context.ts";
import { planAhead } from "../plan-words.ts";
import { Act, type Answer, Findings, Page, When } from "../ui.tsx";

export { clientAction } from "../ui.tsx";

export async function loader(args: PageArgs) {
  const desk = args.context.get(deskContext);
  const { store, config } = desk;
  // Comes after the page, since it looks at DNS and the mail server.
  const findings = examine(desk, desk.now()).then((found) =>
    found.filter(({ state }) => state === "attention"),
  );
  if (!store) return { hosted: config.hostedBackend?.url ?? "", findings, own: null };
  const { db } = store;
  const [issue] = await listIssues(db, { limit: 1 });
  return {
    hosted: null,
    findings,
    own: {
      unread: await listMessages(db, { unread: true, limit: 5 }),
      unreadCount: await countMessages(db, { unread: true }),
      quarantined: await countQuarantined(db),
      failedJobs: (await countOutbox(db)).failed,
      openSends: await listSends(db, { open: true }),
      plans: await listPlans(db),
      issue: issue ?? null,
      drafts: (await listDrafts(db)).filter(({ issue_id }) => issue_id === null).slice(0, 3),
    },
  };
}

export async function action(args: PageArgs): Promise<Answer> {
  const { db, now } = deskOf(args);
  const form = await args.request.formData();
  if (form.get("intent") !== "retry") return { ok: false, problems: ["Nothing was done."] };
  const retried = await retryFailedDeliveries(db, { now: now() });
  return { ok: true, said: `${amount(retried, "job")} will be tried again now.` };
}

export default function Today() {
  const { own, hosted, findings } = useLoaderData<typeof loader>();
  return (
    <Page title="Today">
      {own ? <Own own={own} /> : <Hosted url={hosted ?? ""} />}
      <section>
        <h2>What needs attention</h2>
        <Findings findings={findings} />
      </section>
    </Page>
  );
}

/** With a hosted project: how each page's work is done there. */
const instead = [
  ["Messages", "Each is mailed to you. All are in the table chalkline.contact_messages."],
  [
    "Issues",
    "Insert a row into final_newsletters: a title, the text as HTML in content_markdown, and the day. It is on the site within two seconds; a correction there within ten minutes.",
  ],
  ["Sending", "Not by this program. Export the confirmed subscribers for one that sends."],
  [
    "Subscribers",
    "In the table chalkline.subscribers; its editor exports CSV. To erase a person, delete their rows in all tables of chalkline.",
  ],
  ["Numbers", "In the project's own reports."],
  ["The site's words", "In content/, by a programmer; the site shows them when it is built anew."],
] as const;

function Hosted({ url }: { url: string }) {
  return (
    <section>
      <h2>What is done at {new URL(url).host}</h2>
      <p>
        Messages, subscribers and issues are stored there and not here. If that is another copy of
        this site, open the desk where it runs; in a Supabase project, use its dashboard.
      </p>
      <dl className="facts">
        {instead.map(([page, words]) => (
          <div key={page} className="pair">
            <dt>{page}</dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

type Loaded = Awaited<ReturnType<typeof loader>>["own"] & {};

function Own({ own }: { own: Loaded }) {
  const { unread, unreadCount, quarantined, failedJobs, openSends, plans, issue, drafts } = own;
  return (
    <>
      <section>
        <h2>{unreadCount === 0 ? "No new messages" : amount(unreadCount, "new message")}</h2>
        <ul className="list">
          {unread.map((message) => (
            <li key={message.id}>
              <Link to={`/messages/${message.id}`}>
                <b>
                  {message.firstName} {message.lastName}
                </b>
                <span>{message.message.slice(0, 120)}</span>
                <When at={message.receivedAt} />
              </Link>
            </li>
          ))}
        </ul>
        {quarantined.messages > 0 && (
          <p>
            <Link to="/messages?show=held">
              {amount(quarantined.messages, "message")} in quarantine
            </Link>
          </p>
        )}
        {quarantined.signUps > 0 && (
          <p>
            <Link to="/subscribers?state=held">
              {amount(quarantined.signUps, "sign-up")} in quarantine
            </Link>
          </p>
        )}
      </section>
      {failedJobs > 0 && (
        <section>
          <h2>{amount(failedJobs, "mail or call", "mails and calls")} could not be delivered</h2>
          <p>
            They are stored. When the mail server works again, send them once more.{" "}
            <Act intent="retry">Try them all again</Act>
          </p>
        </section>
      )}
      {plans.length > 0 && (
        <section>
          <h2>Planned</h2>
          <ul className="list">
            {plans.map((plan) => (
              <li key={plan.id}>
                <Link to={`/issues/drafts/${plan.draftId}/plan`}>
                  <b>{plan.title || "Untitled"}</b>
                  <span>{planAhead(plan)}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      {openSends.length > 0 && (
        <section>
          <h2>Going out</h2>
          <ul className="list">
            {openSends.map((send) => (
              <li key={send.id}>
                <Link to={`/sends/${send.id}`}>
                  <b>{send.title}</b>
                  <span>{describeSendState(send, shortTorontoTime)}</span>
                  {send.state !== "waiting" && <When at={send.begunAt ?? send.beginsAt} />}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section>
        <h2>The newsletter</h2>
        <dl className="facts">
          <dt>Last issue</dt>
          <dd>
            {issue ? (
              <Link to={`/issues/${issue.id}`}>
                #{issue.number} {issue.title}
              </Link>
            ) : (
              "None yet"
            )}
          </dd>
          <dt>Next</dt>
          <dd>
            {drafts.length === 0
              ? "No draft"
              : drafts.map((draft) => (
                  <Link key={draft.id} to={`/issues/drafts/${draft.id}`}>
                    {draft.title || "Untitled"}{" "}
                  </Link>
                ))}
          </dd>
        </dl>
      </section>
    </>
  );
}
