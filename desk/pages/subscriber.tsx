import { redirect, useLoaderData } from "react-router";
import { findSubscriberEmail } from "#newsletter/list-subscribers.ts";
import { findMailboxRows } from "#newsletter/privacy.ts";
import { deskOf, idOf, type PageArgs } from "../desk-context.ts";
import { Act, type Answer, Page, When } from "../ui.tsx";

export { clientAction } from "../ui.tsx";

export async function loader(args: PageArgs) {
  const { db } = deskOf(args);
  const email = await findSubscriberEmail(db, idOf(args));
  if (email === null) throw new Response(null, { status: 404 });
  const { subscriptions, consentEvents, messages, issues, bounces } = await findMailboxRows(
    db,
    email,
  );
  const [row] = subscriptions;
  return {
    id: idOf(args),
    email,
    isHeld: Boolean(row?.held_at),
    state: stateWords(row),
    hasLeft: Boolean(row?.unsubscribed_at),
    isBounced: Boolean(row?.bounced_at),
    ledger: consentEvents.toReversed(),
    messages: messages.map(({ id, received_at }) => ({ id, at: received_at })),
    issues: issues.toReversed().slice(0, 100),
    bounces,
  };
}

function stateWords(
  row?: Record<"unsubscribed_at" | "bounced_at" | "confirmed_at" | "held_at", string | null>,
): string {
  if (row?.unsubscribed_at) return "Has left. Gets nothing.";
  if (row?.bounced_at)
    return "Confirmed, but the address takes no mail. Gets nothing until released.";
  if (row?.confirmed_at) return "Confirmed. Gets every issue.";
  return row?.held_at ? "In quarantine. Gets nothing." : "Has not confirmed yet. Gets nothing.";
}

export async function action(args: PageArgs): Promise<Answer | Response> {
  const { db, runCommand } = deskOf(args);
  const email = await findSubscriberEmail(db, idOf(args));
  if (email === null) return redirect("/subscribers");
  const intent = String((await args.request.formData()).get("intent"));
  const words = { leave: ["unsubscribe"], release: ["release"], erase: ["erase"] }[intent];
  if (!words) return { ok: false, problems: ["Nothing was done."] };
  const yes = intent === "erase" ? ["--yes"] : [];
  const { exitCode, refusal } = await runCommand("subscribers", ...words, email, ...yes);
  if (exitCode !== 0) {
    return { ok: false, problems: [refusal ?? "That isn't possible in this state."] };
  }
  if (intent === "erase") return redirect("/subscribers");
  return { ok: true, said: intent === "leave" ? "Gets no issue any more." : "Released." };
}

const eventWords: Record<string, string> = {
  signed_up: "Signed up",
  held: "Signed up, quarantined",
  imported: "Imported",
  released: "Released",
  confirmed: "Confirmed",
  bounced: "Address refused mail",
  complained: "Marked a mail as spam",
  left: "Left",
};

export default function Subscriber() {
  const person = useLoaderData<typeof loader>();
  const { email, state, ledger, issues, bounces, messages } = person;
  return (
    <Page title={email} back={{ to: "/subscribers", name: "Subscribers" }}>
      <p>{state}</p>
      <div className="actions">
        {(person.isHeld || person.isBounced) && <Act intent="release">Release</Act>}
        {!person.hasLeft && (
          <Act intent="leave" sure={`Unsubscribe ${email}?`}>
            Unsubscribe
          </Act>
        )}
        <a className="button" href={`/subscribers/${person.id}/evidence.json`}>
          Save the evidence
        </a>
        <Act
          intent="erase"
          kind="danger"
          sure={`Erase everything stored about ${email}, the proof of consent included?`}
        >
          Erase this person
        </Act>
      </div>
      <section>
        <h2>Consent</h2>
        <table>
          <thead>
            <tr>
              <th>When</th>
              <th>What</th>
              <th>Wording, page and network address</th>
            </tr>
          </thead>
          <tbody>
            {ledger.map((entry) => (
              <tr key={entry.id}>
                <td>
                  <When at={entry.occurred_at} />
                </td>
                <td>
                  {eventWords[entry.event]}
                  {entry.way && `, by ${entry.way.replace("_", " ")}`}
                </td>
                <td>
                  {[entry.wording && `“${entry.wording}”`, entry.page, entry.network_address]
                    .filter(Boolean)
                    .join(" · ")}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <section>
        <h2>Issues sent</h2>
        {issues.length === 0 && <p className="empty">None yet.</p>}
        <ul>
          {issues.map((row) => (
            <li key={`${row.issue_id} ${row.settled_at}`}>
              {row.title}: {row.state.replace("_", " ")}{" "}
              {row.settled_at && <When at={row.settled_at} />}
              {row.state !== "accepted" && row.answer && ` (${row.answer})`}
            </li>
          ))}
        </ul>
      </section>
      {bounces.length > 0 && (
        <section>
          <h2>Bounces and complaints</h2>
          <ul>
            {bounces.map((bounce) => (
              <li key={bounce.id}>
                <When at={bounce.occurred_at} /> {bounce.kind} {bounce.status_code}: {bounce.answer}
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
