import { Form, Link, useLoaderData } from "react-router";
import { amount, number } from "#content/amounts.ts";
import { isDay } from "#newsletter/calendar-date.ts";
import { listIssues } from "#newsletter/issues.ts";
import { countSubscriberEvents, listSubscribers } from "#newsletter/list-subscribers.ts";
import { readStoredCounts } from "#operator/stored-counts.ts";
import { deskOf, type PageArgs, readId } from "../desk-context.ts";
import { subscriberWords } from "../subscriber-words.ts";
import { Empty, Filters, Page, When } from "../ui.tsx";

const pageRows = 50;
const states = ["all", "confirmed", "unconfirmed", "bounced", "unsubscribed", "held"] as const;

export async function loader(args: PageArgs) {
  const { db } = deskOf(args);
  const asked = new URL(args.request.url).searchParams;
  const state = states.find((name) => name === asked.get("state")) ?? "all";
  const find = asked.get("find") ?? "";
  const since = [asked.get("since") ?? ""].find(isDay) ?? "";
  const found = await listSubscribers(db, {
    state: state === "all" || state === "held" ? undefined : state,
    quarantined: state === "held",
    find,
    since: since || undefined,
    afterId: readId(asked.get("before")),
    limit: pageRows + 1,
    newestFirst: true,
  });
  const shown = found.slice(0, pageRows);
  if (found.length > pageRows) asked.set("before", String(shown.at(-1)?.id));
  const [issue] = await listIssues(db, { limit: 1 });
  return {
    state,
    find,
    since,
    subscribers: shown.map(({ id, email, state, subscribedAt, unsubscribedAt, heldAt }) => ({
      id,
      email,
      state: heldAt ? ("held" as const) : state,
      at: unsubscribedAt ?? subscribedAt,
    })),
    older: found.length > pageRows ? `?${asked}` : null,
    counts: (await readStoredCounts(db)).subscribers,
    lastIssue: issue ? { number: issue.number, day: issue.publishDate } : null,
    events: issue && (await countSubscriberEvents(db, issue.publishDate)),
  };
}

export default function Subscribers() {
  const { subscribers, state, find, since, older, counts, lastIssue, events } =
    useLoaderData<typeof loader>();
  const isFiltered = state !== "all" || find !== "" || since !== "";
  return (
    <Page
      title="Subscribers"
      actions={
        <>
          <Link to="/subscribers/import">Import a list</Link>
          <a href="/subscribers/export.csv">Export</a>
        </>
      }
    >
      <p>
        {amount(counts.confirmed, "confirmed subscriber")}, {number(counts.unconfirmed)} not
        confirmed yet, {number(counts.bounced)} bounced, {number(counts.unsubscribed)} left.
        {lastIssue &&
          events &&
          ` Since issue #${lastIssue.number} (${lastIssue.day}): ${number(events.joined)} joined, ${number(events.left)} left, ${number(events.bounced)} bounced.`}
      </p>
      <Filters
        label="Which subscribers"
        choices={states.map((name) => ({
          to: name === "all" ? "?" : `?state=${name}`,
          name: name === "all" ? "All" : subscriberWords[name].name,
          isChosen: name === state,
        }))}
      />
      <Form className="search" role="search">
        <input type="hidden" name="state" value={state} />
        <input
          type="search"
          name="find"
          aria-label="Find"
          placeholder="Part of an address"
          defaultValue={find}
        />
        <input type="date" name="since" aria-label="Since" defaultValue={since} />
        <button className="button" type="submit">
          Find
        </button>
      </Form>
      {subscribers.length === 0 ? (
        <Empty>{isFiltered ? "Nobody fits." : "Nobody has signed up yet."}</Empty>
      ) : (
        <ul className="list">
          {subscribers.map((subscriber) => (
            <li key={subscriber.id}>
              <Link to={`/subscribers/${subscriber.id}`}>
                <b>{subscriber.email}</b>
                <span>{subscriberWords[subscriber.state].name}</span>
                <When at={subscriber.at} />
              </Link>
            </li>
          ))}
        </ul>
      )}
      {older && <Link to={older}>Earlier ones</Link>}
    </Page>
  );
}
