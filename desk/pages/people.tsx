import { useState } from "react";
import { Form, redirectDocument, useActionData, useLoaderData } from "react-router";
import { renderSVG } from "uqr";
import { shortTorontoTime } from "#content/toronto-time.ts";
import {
  endLink,
  endSession,
  inviteToDesk,
  listDeskPeople,
  makeLink,
  removeDeskPerson,
  removePasskey,
} from "#settings/desk-people.ts";
import { deskOf, type PageArgs, readId, type Visitor } from "../desk-context.ts";
import { Act, type Answer, Field, ListLine, Menu, nothingDone, Page, Submit } from "../ui.tsx";

export { clientAction } from "../ui.tsx";

export async function loader(args: PageArgs) {
  const { db, config, visitor, now } = deskOf(args);
  return {
    visitor,
    isFromAnywhere: config.deskAddress !== null,
    people: await listDeskPeople(db, { only: onlyOf(visitor), now }),
  };
}

/** Everybody but the first person sees and changes only what is their own. */
function onlyOf({ isFirst, id }: Visitor): number | undefined {
  return isFirst ? undefined : (id ?? 0);
}

type LinkAnswer = Answer & { link?: string; code?: string | null };

export async function action(args: PageArgs): Promise<LinkAnswer | Response> {
  const { db, config, visitor, now } = deskOf(args);
  const form = await args.request.formData();
  const [key, name] = [String(form.get("key")), String(form.get("name") ?? "")];
  const only = onlyOf(visitor);
  const id = only ?? readId(form.get("id")) ?? 0;
  const intent = form.get("intent");
  if (intent === "make link") {
    const [person] = await listDeskPeople(db, { only: id, now });
    if (!person) return nothingDone;
    return linkFor(person.name, (await makeLink(db, { personId: id, now })).token);
  }
  if (intent === "end link") {
    await endLink(db, id);
    return { ok: true, said: "That link has ended." };
  }
  if (intent === "end session") {
    await endSession(db, key, only);
    if (key === visitor.session) return redirectDocument("/enter");
    return { ok: true, said: "That session has ended." };
  }
  if (intent === "remove device") {
    const removed = await removePasskey(db, key, only);
    return removed.ok ? { ok: true, said: "That device can’t open the desk any more." } : removed;
  }
  if (!visitor.isFirst) return nothingDone;
  if (intent === "invite") {
    const invited = await inviteToDesk(db, { name, now });
    return invited.ok ? linkFor(invited.person.name, invited.token) : invited;
  }
  if (intent === "remove person") {
    await removeDeskPerson(db, id);
    return { ok: true, said: "They can’t open the desk any more." };
  }
  return nothingDone;

  function linkFor(whose: string, token: string): LinkAnswer {
    const isOwn = whose === visitor.name;
    const where = isOwn
      ? "Open it on that device, a phone by its camera."
      : "Send it by a way that only they read.";
    const said = `This link makes a passkey for ${whose}, once, within a day. ${where}`;
    const link = `${config.deskAddress ?? ""}/enter#${token}`;
    return { ok: true, said, link, code: isOwn ? renderSVG(link) : null };
  }
}

export default function People() {
  const { people, visitor, isFromAnywhere } = useLoaderData<typeof loader>();
  return (
    <Page title="People">
      <NewLink />
      {!isFromAnywhere && (
        <section className="empty">
          <h2>You are signed in on this device</h2>
          <p>
            For your phone, or for others, ask whoever set up the site for “the desk from anywhere”:
            it gives the desk an address of its own.
          </p>
        </section>
      )}
      {people.map((person) => (
        <Person key={person.id} person={person} />
      ))}
      {visitor.isFirst && isFromAnywhere && (
        <section>
          <h2>Invite somebody</h2>
          <p>
            {people.length < 2 && "You are alone here. "}
            They get a link, and may do everything but invite and remove others.
          </p>
          <Form method="post" className="row">
            <Field label="Name">
              <input name="name" required maxLength={60} autoComplete="off" />
            </Field>
            <Submit intent="invite" deed="Make a link" />
          </Form>
        </section>
      )}
    </Page>
  );
}

function NewLink() {
  const { link, code } = (useActionData() as LinkAnswer | undefined) ?? {};
  const [copied, setCopied] = useState("");
  if (!link) return null;
  return (
    <section className="row">
      <Field label="The link">
        <input readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
      </Field>
      <button
        type="button"
        className="button main"
        onClick={() => void navigator.clipboard.writeText(link).then(() => setCopied(link))}
      >
        {copied === link ? "Copied" : "Copy"}
      </button>
      {code && (
        <img
          src={`data:image/svg+xml,${encodeURIComponent(code)}`}
          alt="The link as a code for a phone’s camera"
          width={160}
        />
      )}
    </section>
  );
}

type PersonProps = { person: ReturnType<typeof useLoaderData<typeof loader>>["people"][number] };

function Person({ person: { id, name, devices, linkEndsAt } }: PersonProps) {
  const { visitor, people } = useLoaderData<typeof loader>();
  const isSelf = id === visitor.id;
  const isOwner = isSelf ? visitor.isFirst : people.every((other) => other.id >= id);
  return (
    <section>
      <div className="actions">
        <h2>
          {name}
          {isSelf && ", you"}
        </h2>
        <small>{isOwner ? "Owner" : "Member"}</small>
        <div className="actions">
          <Act
            intent="make link"
            fields={{ id }}
            deed={isSelf ? "Add a device of yours" : "New link"}
          />
          {visitor.isFirst && !isOwner && (
            <Menu label={`More for ${name}`}>
              <Act
                intent="remove person"
                kind="danger"
                fields={{ id }}
                sure={`Remove ${name}?`}
                deed={`Remove ${name}`}
              />
            </Menu>
          )}
        </div>
      </div>
      {devices.length === 0 && <p className="empty">Has not signed in yet.</p>}
      <ul className="list">
        {devices.map(({ credential: key, name: device, usedAt, sessions }) => (
          <li key={key} className="with-button">
            <ListLine
              {...{ to: null, title: device, at: usedAt }}
              words={sessions.length > 0 ? "Signed in" : "Last signed in"}
              mark={sessions.length > 0 ? "good" : ""}
            />
            <Menu label={`More for ${device}`}>
              {sessions.map((session) => (
                <Act
                  key={session.key}
                  intent="end session"
                  fields={{ key: session.key }}
                  deed={session.key === visitor.session ? "Sign out" : "End its session"}
                />
              ))}
              <Act
                intent="remove device"
                kind="danger"
                fields={{ key }}
                sure={`Take the desk away from ${device}? It needs a new link to come back.`}
                deed={`Remove ${device}`}
              />
            </Menu>
          </li>
        ))}
        {linkEndsAt && (
          <li className="with-button">
            <ListLine
              {...{ to: null, title: "A link is open", mark: "" }}
              words={`Until ${shortTorontoTime(linkEndsAt)}`}
            />
            <Menu label={`More for ${name}’s link`}>
              <Act intent="end link" fields={{ id }} deed="End the link" />
            </Menu>
          </li>
        )}
      </ul>
    </section>
  );
}
