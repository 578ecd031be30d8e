import { Link, useLoaderData } from "react-router";
import { number } from "#content/amounts.ts";
import { torontoDate } from "#content/toronto-time.ts";
import { listIssues } from "#newsletter/issues/issues.ts";
import {
  countSubscribers,
  listDays,
  listSubscribers,
} from "#newsletter/subscribers/list-subscribers.ts";
import { placesOutOfReach } from "#newsletter/subscribers/person.ts";
import { deskOf, type PageArgs, partOf, rowsOf } from "../desk-context.ts";
import { Day, Empty, Lines, Menu, Page, Sieve } from "../ui.tsx";

const stateNames = {
  all: "All",
  confirmed: "Confirmed",
  unconfirmed: "Not confirmed",
  bounced: "Mail came back",
  unsubscribed: "Left",
  held: "May be spam",
};
const states = Object.keys(stateNames) as (keyof typeof stateNames)[];

export async function loader(args: PageArgs) {
  const { db, config, now } = deskOf(args);
  const part = partOf(args);
  const { asked, find, before, limit } = part;
  const state = states.find((name) => name === asked.get("state")) ?? "all";
  const filter = { state: state === "all" ? undefined : state, find };
  const found = await listSubscribers(db, { ...filter, afterId: before, limit, newestFirst: true });
  const { rows, older } = rowsOf(found, part, ({ id }) => id);
  const counts = await countSubscribers(db);
  const days = await listDays(db, now);
  const issues = await listIssues(db, { limit: 60 });
  return {
    ...{ state, find, older, days },
    erased: asked.has("erased") ? placesOutOfReach(config) : null,
    subscribers: rows.map(({ id, email, state, subscribedAt, unsubscribedAt, heldAt }) => {
      const mark = heldAt ? "held" : state;
      const at = torontoDate(new Date(unsubscribedAt ?? subscribedAt));
      return { to: `/subscribers/${id}`, title: email, words: stateNames[mark], mark, at };
    }),
    counts: { ...counts, all: Object.values(counts).reduce((sum, count) => sum + count, 0) },
    issues: issues.filter(({ publishDate }) => publishDate && publishDate > (days[0]?.day ?? "")),
  };
}

export default function Subscribers() {
  const { subscribers, state, find, older, counts, erased } = useLoaderData<typeof loader>();
  return (
    <Page
      title="Subscribers"
      actions={
        <>
          <Link className="button main" to="/subscribers/add">
            Add one
          </Link>
          <Menu label="More">
            <Link className="button" to="/subscribers/import">
              Import a list
            </Link>
            {counts.all > 0 && (
              <a className="button" href="/subscribers/export.csv">
                Export
              </a>
            )}
          </Menu>
        </>
      }
    >
      {erased && (
        <div className="notice">
          <p role="status">
            <b>Erased</b>, with the proof of consent, messages and mails. A fingerprint of the
            address stays, which names nobody: no list and no backup brings them back.
          </p>
          <details>
            <summary>What you delete yourself</summary>
            <ul>
              {erased.map((place) => (
                <li key={place}>{place}</li>
              ))}
            </ul>
          </details>
        </div>
      )}
      {counts.all > 0 && (
        <>
          <Growth />
          <Sieve
            {...{ label: "Which subscribers", by: "state", names: stateNames, counts, find }}
            {...{ chosen: state, placeholder: "Address" }}
          />
        </>
      )}
      {counts.all === 0 ? (
        <Empty
          title="Nobody has signed up yet"
          words="Bring a list from another tool. “Add one” is for people who signed up on paper."
          {...{ to: "/subscribers/import", deed: "Import a list" }}
        />
      ) : subscribers.length === 0 ? (
        <Empty title="No subscriber matches" to="?" deed="See all subscribers" />
      ) : (
        <Lines of={subscribers} />
      )}
      {older && <Link to={older}>Earlier ones</Link>}
    </Page>
  );
}

function Growth() {
  const { days, issues } = useLoaderData<typeof loader>();
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last || first === last) return null;
  const across = (day: string) => (Date.parse(day) - Date.parse(first.day)) / 86_400_000;
  const most = Math.max(1, ...days.map(({ confirmed }) => confirmed));
  const top = days.map(({ day, confirmed }) => `${across(day)},${-confirmed}`).join(" ");
  const end = ({ day, confirmed }: typeof first) => (
    <small>
      <data value={confirmed}>{number(confirmed)}</data> on <Day at={day} />
    </small>
  );
  const line = { vectorEffect: "non-scaling-stroke", fill: "none" };
  return (
    <figure>
      <svg
        viewBox={`0 ${-most} ${across(last.day)} ${most}`}
        {...{ width: "100%", height: 96, preserveAspectRatio: "none", overflow: "visible" }}
        aria-hidden="true"
      >
        <polygon points={`0,0 ${top} ${across(last.day)},0`} fill="var(--color-chalk-soft)" />
        <path
          d={issues.map(({ publishDate }) => `M${across(publishDate)} 0V${-most}`).join("")}
          stroke="var(--color-rule)"
          {...line}
        />
        <polyline points={top} stroke="var(--color-chalk)" strokeWidth={2} {...line} />
      </svg>
      <figcaption>
        <div className="actions">
          {end(first)} <span className="actions">{end(last)}</span>
        </div>
        <small>Confirmed{issues.length > 0 && ". Each upright line is an issue."}</small>
      </figcaption>
    </figure>
  );
}
