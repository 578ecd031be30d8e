import { Link, redirect, useLoaderData } from "react-router";
import { type Booking, listBookings } from "#contact/bookings.ts";
import { erasePerson } from "#operator/person.ts";
import { deskOf, type PageArgs } from "../desk-context.ts";
import { callInWords } from "../message-words.ts";
import { Act, Empty, OwnersOnly, Page, When } from "../ui.tsx";
import { goToErased } from "./erased.tsx";

export { clientAction } from "../ui.tsx";

const pageRows = 50;

export async function loader(args: PageArgs) {
  const { db, now } = deskOf(args);
  const asked = new URL(args.request.url).searchParams;
  const moment = (name: string) => /^[\d.:TZ-]{24}$/.exec(asked.get(name) ?? "")?.[0];
  const [from, before] = [moment("from"), moment("before")];
  const at = now().toISOString();
  const limit = pageRows + 1;
  const ahead = before ? [] : await listBookings(db, { from: from ?? at, limit });
  const past = from ? [] : await listBookings(db, { before: before ?? at, limit });
  return {
    isFirst: !from && !before,
    ahead: ahead.slice(0, pageRows),
    later: ahead.length > pageRows ? `?from=${ahead[pageRows]?.startsAt}` : null,
    past: past.slice(0, pageRows),
    earlier: past.length > pageRows ? `?before=${past[pageRows - 1]?.startsAt}` : null,
  };
}

export async function action(args: PageArgs): Promise<Response> {
  const { db, config, now } = deskOf(args);
  const form = await args.request.formData();
  if (form.get("intent") !== "erase") return redirect("/messages/calls");
  const erased = await erasePerson({ db, config, now: now() }, String(form.get("email")));
  return goToErased(erased, "/messages/calls");
}

export default function Calls() {
  const { isFirst, ahead, later, past, earlier } = useLoaderData<typeof loader>();
  return (
    <Page title="Booked calls" back={{ to: "/messages", name: "Messages" }}>
      {!isFirst && <Link to="/messages/calls">Next and latest calls</Link>}
      <section>
        <h2>To come</h2>
        {ahead.length === 0 && <Empty>No call is booked.</Empty>}
        <List calls={ahead} />
        {later && <Link to={later}>Later calls</Link>}
      </section>
      {past.length > 0 && (
        <section>
          <h2>Past</h2>
          <List calls={past} />
        </section>
      )}
      {earlier && <Link to={earlier}>Earlier calls</Link>}
    </Page>
  );
}

function List({ calls }: { calls: Booking[] }) {
  return (
    <ul className="list">
      {calls.map((call) => (
        <li key={call.id} className="with-button">
          <div className="notes">
            <p>
              <b>{call.name || call.email}</b>
              <small>
                <When at={call.startsAt} />, {callInWords(call)}
              </small>
            </p>
            {call.answers && <p>{call.answers}</p>}
          </div>
          <div className="actions">
            {call.messageId ? (
              <Link to={`/messages/${call.messageId}`}>Their message</Link>
            ) : (
              <>
                <a href={`mailto:${encodeURIComponent(call.email)}`}>{call.email}</a>
                <OwnersOnly>
                  <Act
                    intent="erase"
                    kind="danger"
                    fields={{ email: call.email }}
                    sure={`Erase everything stored about ${call.email}?`}
                  >
                    Erase
                  </Act>
                </OwnersOnly>
              </>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}
