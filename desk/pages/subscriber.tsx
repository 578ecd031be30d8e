import { redirect, useLoaderData } from "react-router";
import type { ReportKind, RowState } from "#db/tables.ts";
import { findSubscriber } from "#newsletter/subscribers/list-subscribers.ts";
import { consentEventWords, erasePerson, leavingWords } from "#newsletter/subscribers/person.ts";
import { findMailboxRows } from "#newsletter/subscribers/privacy.ts";
import { releaseSubscriber, unsubscribe } from "#newsletter/subscribers/subscribe.ts";
import type { ListedState } from "#newsletter/subscribers/subscriber-states.ts";
import { deskOf, idOf, type PageArgs } from "../desk-context.ts";
import { Act, type Answer, Day, Page, When } from "../ui.tsx";
import { goToErased } from "./erased.tsx";

export { clientAction } from "../ui.tsx";

export async function loader(args: PageArgs) {
  const { db } = deskOf(args);
  const id = idOf(args);
  const person = await findSubscriber(db, id);
  if (!person) throw new Response(null, { status: 404 });
  const { email, state, heldAt, consentEndsAt } = person;
  const { consentEvents, messages, issues, bounces } = await findMailboxRows(db, email);
  return {
    id,
    email,
    consentEndsAt: state === "confirmed" ? consentEndsAt : null,
    state: stateWords[heldAt ? "held" : state],
    release: heldAt ? "This is a person" : state === "bounced" ? "The address works again" : null,
    mayLeave: state !== "unsubscribed",
    ledger: consentEvents.toReversed().map((entry) => ({
      id: entry.id,
      at: entry.occurred_at,
      isDay: entry.event === "added",
      what: consentEventWords[entry.event],
      how: entry.way && leavingWords[entry.way],
      proof: [
        entry.wording && `“${entry.wording}”`,
        entry.page && `on ${entry.page}`,
        entry.network_address && `from the network address ${entry.network_address}`,
      ],
    })),
    messages: messages.map(({ id, received_at }) => ({ id, at: received_at })),
    issues: issues.toReversed().slice(0, 100),
    bounces,
  };
}

export async function action(args: PageArgs): Promise<Answer | Response> {
  const { db, config, now } = deskOf(args);
  const person = await findSubscriber(db, idOf(args));
  if (!person) return redirect("/subscribers");
  const { email } = person;
  const { newsletterWebhookUrl } = config;
  switch ((await args.request.formData()).get("intent")) {
    case "leave": {
      const deps = { db, newsletterWebhookUrl, wakeOutbox() {}, clock: now };
      const left = await unsubscribe(deps, { email });
      if (left.ok) return { ok: true, said: "Gets no issue any more." };
      return { ok: false, problems: ["That isn’t possible in this state."] };
    }
    case "release": {
      const released = await releaseSubscriber({ db, newsletterWebhookUrl, now: now() }, { email });
      if (released.ok) return { ok: true, said: "Done. See below what they get now." };
      return { ok: false, problems: ["Nothing kept mail from them any more."] };
    }
    case "erase":
      return goToErased(await erasePerson({ db, config, now: now() }, email), "/subscribers");
    default:
      return { ok: false, problems: ["Nothing was done."] };
  }
}

const stateWords: Record<ListedState | "held", string> = {
  confirmed: "Confirmed. Gets every issue.",
  unconfirmed: "Has not confirmed yet. Gets nothing until the link in the first mail is opened.",
  bounced:
    "Confirmed, but the address takes no mail. Gets nothing until you say that it works again.",
  unsubscribed: "Has left. Gets nothing.",
  held: "A program may have signed up. Gets nothing until you say that it is a person.",
};

const outcomes: Record<RowState, string> = {
  waiting: "still to go",
  handed_over: "under way",
  deferred: "their mail server asked to try again later",
  accepted: "delivered to their mail server",
  refused: "their mail server won’t take it",
  withdrawn: "not mailed",
};

const reports: Record<ReportKind, string> = {
  hard: "the address takes no mail",
  soft: "a mail was refused",
  complaint: "a mail was reported as spam",
};

export default function Subscriber() {
  const person = useLoaderData<typeof loader>();
  const { email, state, ledger, issues, bounces, messages } = person;
  return (
    <Page title={email} back={{ to: "/subscribers", name: "Subscribers" }}>
      <p>
        {state}
        {person.consentEndsAt && (
          <>
            {" "}
            The consent that a purchase or question implied ends at{" "}
            <When at={person.consentEndsAt} />.
          </>
        )}
      </p>
      <div className="actions">
        {person.release && <Act intent="release">{person.release}</Act>}
        {person.mayLeave && (
          <Act intent="leave" sure={`Unsubscribe ${email}?`}>
            Unsubscribe
          </Act>
        )}
        <Act
          intent="erase"
          kind="danger"
          sure={`Erase everything stored about ${email}, the proof of consent included?`}
        >
          Erase this person
        </Act>
        <details>
          <summary className="button" aria-label="More">
            ⋯
          </summary>
          <p>
            <a href={`/subscribers/${person.id}/evidence.json`}>Save the evidence</a>
          </p>
        </details>
      </div>
      <section>
        <h2>Consent</h2>
        <ol className="ledger">
          {ledger.map(({ id, at, isDay, what, how, proof }) => (
            <li key={id}>
              {isDay ? <Day at={at} /> : <When at={at} />}
              <p>
                {what}
                {how && `, ${how}`}
              </p>
              {proof.some(Boolean) && <p>{proof.filter(Boolean).join(" · ")}</p>}
            </li>
          ))}
        </ol>
      </section>
      <section>
        <h2>Issues sent</h2>
        {issues.length === 0 && <p className="empty">None yet.</p>}
        <ul>
          {issues.map((row) => (
            <li key={`${row.issue_id} ${row.settled_at}`}>
              {row.title}: {outcomes[row.state]}
              {row.settled_at && (
                <>
                  , <When at={row.settled_at} />
                </>
              )}
              {row.state !== "accepted" && row.answer && ` (${row.answer})`}
            </li>
          ))}
        </ul>
      </section>
      {bounces.length > 0 && (
        <section>
          <h2>Mail that came back, and complaints</h2>
          <ul>
            {bounces.map((bounce) => (
              <li key={bounce.id}>
                <When at={bounce.occurred_at} />: {reports[bounce.kind]} ({bounce.answer})
              </li>
            ))}
          </ul>
        </section>
      )}
      {messages.length > 0 && (
        <p>
          {messages.map(({ id, at }) => (
            <a key={id} href={`/messages/${id}`}>
              Message of <When at={at} />{" "}
            </a>
          ))}
        </p>
      )}
    </Page>
  );
}
