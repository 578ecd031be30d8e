import { setTimeout } from "node:timers/promises";
import { Link, useLoaderData } from "react-router";
import { number } from "#content/amounts.ts";
import type { Db } from "#db/tables.ts";
import { describeGrowth, listSubscribers } from "#newsletter/subscribers/list-subscribers.ts";
import { readStoredCounts } from "#server/health/stored-counts.ts";
import { deskOf, type PageArgs, readId } from "../desk-context.ts";
import { Day, Empty, Filters, Later, Page, Search } from "../ui.tsx";

const pageRows = 50;
const stateNames = {
  all: "All",
  confirmed: "Confirmed",
  unconfirmed: "Not confirmed yet",
  bounced: "Mail came back",
  unsubscribed: "Left",
  held: "May be spam",
};
const states = Object.keys(stateNames) as (keyof typeof stateNames)[];

export async function loader(args: PageArgs) {
  const { db, now } = deskOf(args);
  const asked = new URL(args.request.url).searchParams;
  const state = states.find((name) => name === asked.get("state")) ?? "all";
  const find = asked.get("find") ?? "";
  const found = await listSubscribers(db, {
    state: state === "all" || state === "held" ? undefined : state,
    quarantined: state === "held",
    find,
    afterId: readId(asked.get("before")),
    limit: pageRows + 1,
    newestFirst: true,
  });
  const shown = found.slice(0, pageRows);
  if (found.length > pageRows) asked.set("before", String(shown.at(-1)?.id));
  return {
    state,
    find,
    subscribers: shown.map(({ id, email, state, subscribedAt, unsubscribedAt, heldAt }) => ({
      id,
      email,
      state: heldAt ? ("held" as const) : state,
      at: unsubscribedAt ?? subscribedAt,
    })),
    older: found.length > pageRows ? `?${asked}` : null,
    summary: summarise(db, now()),
  };
}

/** Comes after the page: everybody is counted for it. */
async function summarise(db: Db, now: Date) {
  // SQLite answers within the call, which would hold up the page.
  await setTimeout(20);
  const growth = await describeGrowth(db, now);
  const { subscribers: counts } = await readStoredCounts(db);
  return { growth, counts };
}

export default function Subscribers() {
  const { subscribers, state, find, older, summary } = useLoaderData<typeof loader>();
  const isFiltered = state !== "all" || find !== "";
  const isEmpty = subscribers.length === 0 && !isFiltered;
  return (
    <Page
      title="Subscribers"
      actions={
        <>
          <Link to="/subscribers/add">Add one</Link>
          <Link to="/subscribers/import">Import a list</Link>
          <a href="/subscribers/export.csv">Export</a>
        </>
      }
    >
      {isEmpty || (
        <>
          <Later value={summary} waiting="Counting…" failed="They could not be counted.">
            {({ growth, counts }) => (
              <p>
                Confirmed: {growth}. {number(counts.unconfirmed)} not confirmed yet,{" "}
                {number(counts.bounced)} whose mail came back, {number(counts.unsubscribed)} left.
              </p>
            )}
          </Later>
          <Filters
            label="Which subscribers"
            choices={states.map((name) => ({
              to: name === "all" ? "?" : `?state=${name}`,
              name: stateNames[name],
              isChosen: name === state,
            }))}
          />
          <Search find={find} placeholder="Address" kept={{ state }} />
        </>
      )}
      {subscribers.length === 0 ? (
        <Empty>
          {isFiltered
            ? "Nobody fits."
            : "Nobody has signed up yet. “Import a list” brings one from another tool; “Add one” is for who agreed on paper."}
        </Empty>
      ) : (
        <ul className="list">
          {subscribers.map((subscriber) => (
            <li key={subscriber.id}>
              <Link to={`/subscribers/${subscriber.id}`}>
                <b>{subscriber.email}</b>
                <span>{stateNames[subscriber.state]}</span>
                <Day at={subscriber.at} />
              </Link>
            </li>
          ))}
        </ul>
      )}
      {older && <Link to={older}>Earlier ones</Link>}
    </Page>
  );
}
