import { setTimeout } from "node:timers/promises";
import { Link, useLoaderData } from "react-router";
import { amount, number } from "#content/amounts.ts";
import { describeGrowth, readIssueEffects, readOrigins } from "#operator/report.ts";
import { type Desk, deskOf, type PageArgs } from "../desk-context.ts";
import { Day, Empty, Later, Page } from "../ui.tsx";

const issuesShown = 12;
const days = 90;

export async function loader(args: PageArgs) {
  const { db, now } = deskOf(args);
  // Comes after the page: what a year of issues came to is millions of rows to count.
  return { numbers: collect(db, now()) };
}

async function collect(db: NonNullable<Desk["store"]>["db"], now: Date) {
  // SQLite answers within the call, which would hold up the page.
  await setTimeout(20);
  const growth = await describeGrowth(db, now);
  const issues = await readIssueEffects(db, { now, limit: issuesShown });
  return { growth, issues, ...(await readOrigins(db, { now, days })) };
}

type Collected = Awaited<ReturnType<typeof collect>>;

export default function Numbers() {
  const { numbers } = useLoaderData<typeof loader>();
  return (
    <Page title="Numbers">
      <Later
        value={numbers}
        waiting="Counting…"
        failed="The numbers could not be read. The window where the desk was started says why."
      >
        {(read) => <Answers {...read} />}
      </Later>
    </Page>
  );
}

function Answers({ growth, issues, messages, events, pages, referrers }: Collected) {
  return (
    <>
      <section>
        <h2>Is it growing?</h2>
        <p>Confirmed subscribers: {growth}.</p>
      </section>
      <section>
        <h2>Since each issue</h2>
        <Issues issues={issues} />
        <p className="empty">
          Opens and clicks aren’t counted: that takes a hidden picture and a changed link for each
          reader, which watches people, and half of what it counts is mail programs.
        </p>
      </section>
      <h2>In the last {days} days</h2>
      <div className="answers">
        <Tops
          title="Messages, by the page they came from"
          rows={messages.map(({ name, count }) => ({ count, name: name || "page not known" }))}
        />
        <Tops title="What visitors did" rows={events} />
        <Tops title="Pages read most" rows={pages} />
        <Tops title="Where visitors came from" rows={referrers} />
      </div>
    </>
  );
}

function Issues({ issues }: Pick<Collected, "issues">) {
  if (issues.length === 0) return <Empty>No issue is published yet.</Empty>;
  const most = Math.max(1, ...issues.map(({ subscribers }) => subscribers));
  return (
    <ol className="effects">
      {issues.map(({ id, title, at, joined, left, mailed, subscribers, ...issue }) => (
        <li key={id}>
          <Link to={`/issues/${id}`}>
            #{issue.number} {title}
          </Link>
          <Day at={at} />
          <div className="bar" aria-hidden="true">
            <i style={{ inlineSize: `${(100 * subscribers) / most}%` }} />
          </div>
          <p>
            <b>{number(subscribers)}</b> subscribers: {number(joined)} joined, {number(left)} left.{" "}
            {mailed
              ? `${amount(mailed.delivered, "mail was", "mails were")} delivered${mailed.refused > 0 ? `, ${number(mailed.refused)} not taken` : ""}.`
              : "Not mailed."}
          </p>
        </li>
      ))}
    </ol>
  );
}

function Tops({ title, rows }: { title: string; rows: { name: string; count: number }[] }) {
  return (
    <section>
      <h3>{title}</h3>
      {rows.length === 0 && <Empty>None yet.</Empty>}
      <dl className="facts">
        {rows.map(({ name, count }) => (
          <div key={name} className="pair">
            <dt className="number">{number(count)}</dt>
            <dd>{name}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
