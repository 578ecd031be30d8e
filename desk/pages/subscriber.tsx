import { Link, redirect, useLoaderData } from "react-router";
import { shortTorontoTime } from "#content/toronto-time.ts";
import { describeSent } from "#newsletter/sends/sends.ts";
import { findSubscriber } from "#newsletter/subscribers/list-subscribers.ts";
import { describeHistory, erasePerson, findMailboxRows } from "#newsletter/subscribers/person.ts";
import { releaseSubscriber, unsubscribe } from "#newsletter/subscribers/subscribe.ts";
import type { ListedState } from "#newsletter/subscribers/subscriber-states.ts";
import { deskOf, idOf, type PageArgs } from "../desk-context.ts";
import { Act, type Answer, Day, Lines, Menu, nothingDone, Page, When } from "../ui.tsx";

export { clientAction } from "../ui.tsx";

export async function loader(args: PageArgs) {
  const { db } = deskOf(args);
  const id = idOf(args);
  const person = await findSubscriber(db, id);
  if (!person) throw new Response(null, { status: 404 });
  const { email, state, heldAt, consentEndsAt } = person;
  const rows = await findMailboxRows(db, email);
  const isRefused = rows.bounces.some(({ kind }) => kind !== "soft");
  const shown = heldAt ? "held" : state === "unconfirmed" && isRefused ? "refused" : state;
  return {
    id,
    email,
    consentEndsAt: state === "confirmed" ? consentEndsAt : null,
    state: stateWords[shown],
    mark: shown,
    release: heldAt ? "This is a person" : state === "bounced" ? "The address works again" : null,
    mayLeave: state !== "unsubscribed",
    sent: describeSent(rows.issues, state === "confirmed").map(({ id, ...row }) => ({
      to: `/issues/${id}`,
      ...row,
    })),
    history: describeHistory(rows),
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
      const deps = { db, newsletterWebhookUrl, wakeOutbox() {}, clock: () => now };
      const left = await unsubscribe(deps, { email });
      return left.ok ? { ok: true, said: "Gets no issue any more." } : left;
    }
    case "release": {
      const released = await releaseSubscriber({ db, newsletterWebhookUrl, now }, { email });
      return released.ok ? { ok: true, said: "Done. See below what they get now." } : released;
    }
    case "erase":
      await erasePerson({ db, config, now }, email);
      return redirect("/subscribers?erased");
    default:
      return nothingDone;
  }
}

const stateWords: Record<ListedState | "held" | "refused", string> = {
  confirmed: "Confirmed. Gets every issue.",
  unconfirmed: "Has not confirmed yet. Gets nothing until the link in the first mail is opened.",
  refused: "Has not confirmed, and a mail came back or was reported as spam. Gets nothing.",
  bounced: "Confirmed, but the address takes no mail. Gets nothing until you say it works again.",
  unsubscribed: "Has left. Gets nothing.",
  held: "A program may have signed up. Gets nothing until you say that it is a person.",
};

export default function Subscriber() {
  const person = useLoaderData<typeof loader>();
  const { email, state, sent, history } = person;
  const leave = person.mayLeave && (
    <Act intent="leave" sure={`Unsubscribe ${email}?`} deed="Unsubscribe" />
  );
  const evidence = (
    <a className="button" href={`/subscribers/${person.id}/evidence.json`}>
      Save the evidence
    </a>
  );
  return (
    <Page
      title={email}
      back={{ to: "/subscribers", name: "Subscribers" }}
      actions={
        <>
          {person.release && <Act intent="release" kind="main" deed={person.release} />}
          {!person.release && (leave || evidence)}
          <Menu label="More">
            {person.release && leave}
            {(person.release || leave) && evidence}
            <Act
              intent="erase"
              kind="danger"
              sure={`Erase everything stored about ${email}, the proof of consent included?`}
              deed="Erase this person"
            />
          </Menu>
        </>
      }
    >
      <p className={`state ${person.mark}`}>
        {state}
        {person.consentEndsAt &&
          ` The consent that a purchase or question implied ends at ${shortTorontoTime(person.consentEndsAt)}.`}
      </p>
      <div className="columns">
        <section className="wide">
          <h2>Consent and its proof</h2>
          <ol className="timeline">
            {history.map(({ what, at, isDay, words, messageId }) => (
              <li key={what + at + (messageId ?? words)}>
                <small>{isDay ? <Day at={at} /> : <When at={at} />}</small>
                {messageId ? <Link to={`/messages/${messageId}`}>{what}</Link> : <b>{what}</b>}
                {words && <p>{words}</p>}
              </li>
            ))}
          </ol>
        </section>
        {sent.length > 0 && (
          <section>
            <h2>Issues sent</h2>
            <Lines of={sent} />
          </section>
        )}
      </div>
    </Page>
  );
}
