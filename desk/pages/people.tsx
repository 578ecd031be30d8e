import { useState } from "react";
import { Form, redirectDocument, useActionData, useLoaderData } from "react-router";
import {
  endSession,
  inviteToDesk,
  listDeskPeople,
  makeLink,
  removeDeskPerson,
  removePasskey,
} from "#settings/desk-people.ts";
import { deskOf, type PageArgs, readId, type Visitor } from "../desk-context.ts";
import { Act, type Answer, Empty, Field, Page, Submit, When } from "../ui.tsx";

export { clientAction } from "../ui.tsx";

export async function loader(args: PageArgs) {
  const { db, config, visitor, now } = deskOf(args);
  return {
    visitor,
    isFromAnywhere: config.deskAddress !== null,
    people: await listDeskPeople(db, { only: onlyOf(visitor), now: now() }),
  };
}

/** Everybody but the first person sees and changes only what is their own. */
function onlyOf({ isFirst, id }: Visitor): number | undefined {
  return isFirst ? undefined : (id ?? 0);
}

type LinkAnswer = Answer & { link?: string };

export async function action(args: PageArgs): Promise<LinkAnswer | Response> {
  const { db, config, visitor, now } = deskOf(args);
  const form = await args.request.formData();
  const field = (name: string) => String(form.get(name) ?? "");
  const only = onlyOf(visitor);
  switch (form.get("intent")) {
    case "invite": {
      if (only !== undefined) break;
      const invited = await inviteToDesk(db, { name: field("name"), now: now() });
      if (!invited.ok) return { ok: false, problems: [invited.problem] };
      return linkFor(invited.person.name, invited.token);
    }
    case "make link": {
      const personId = only ?? readId(form.get("id"));
      const person = (await listDeskPeople(db, { only: personId, now: now() }))[0];
      if (!personId || !person) break;
      return linkFor(person.name, (await makeLink(db, { personId, now: now() })).token);
    }
    case "end session":
      await endSession(db, field("key"), only);
      if (field("key") === visitor.session) return redirectDocument("/enter");
      return { ok: true, said: "That session has ended." };
    case "remove device":
      await removePasskey(db, field("key"), only);
      return { ok: true, said: "That device can't open the desk any more." };
    case "remove person":
      if (only !== undefined) break;
      await removeDeskPerson(db, readId(form.get("id")) ?? 0);
      return { ok: true, said: "They can't open the desk any more." };
  }
  return { ok: false, problems: ["Nothing was done."] };

  function linkFor(name: string, token: string): LinkAnswer {
    const where =
      name === visitor.name ? "Open it on that device." : "Send it by a way that only they read.";
    const said = `This link makes a passkey for ${name}, once, within a day. ${where}`;
    return { ok: true, said, link: `${config.deskAddress ?? ""}/enter#${token}` };
  }
}

export default function People() {
  const { people, visitor, isFromAnywhere } = useLoaderData<typeof loader>();
  const [copied, setCopied] = useState("");
  const { link } = (useActionData() as LinkAnswer | undefined) ?? {};
  return (
    <Page title="People">
      {link && (
        <div className="row">
          <Field label="The link">
            <input readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
          </Field>
          <button
            type="button"
            className="button main"
            onClick={async () => {
              await navigator.clipboard.writeText(link);
              setCopied(link);
            }}
          >
            {copied === link ? "Copied" : "Copy"}
          </button>
        </div>
      )}
      {!isFromAnywhere && (
        <p>
          Only this computer opens the desk, by the link that it prints. To open it from your phone,
          or let others in, ask whoever set up the site for “the desk from anywhere”.
        </p>
      )}
      {people.map((person) => (
        <Person key={person.id} person={person} />
      ))}
      {visitor.isFirst && isFromAnywhere && (
        <section>
          <h2>Invite somebody</h2>
          <p>They may do everything at the desk, but invite and remove others.</p>
          <Form method="post" className="row">
            <Field label="Name">
              <input name="name" required maxLength={60} autoComplete="off" />
            </Field>
            <Submit intent="invite">Make a link</Submit>
          </Form>
        </section>
      )}
    </Page>
  );
}

type PersonProps = { person: ReturnType<typeof useLoaderData<typeof loader>>["people"][number] };

function Person({ person: { id, name, devices } }: PersonProps) {
  const { visitor, people } = useLoaderData<typeof loader>();
  const isSelf = id === visitor.id;
  const isFirst = people.every((other) => other.id >= id);
  return (
    <section>
      <h2>
        {name}
        {isSelf && ", you"}
      </h2>
      {devices.length === 0 && <Empty>Has not signed in yet.</Empty>}
      <ul className="devices">
        {devices.map((device) => (
          <li key={device.credential}>
            <div className="row">
              <b>{device.name}</b>
              <span>
                last signed in <When at={device.usedAt} />
              </span>
              <Act
                intent="remove device"
                fields={{ key: device.credential }}
                sure={`Take the desk away from ${device.name}? It needs a new link to come back.`}
              >
                Remove {device.name}
              </Act>
            </div>
            {device.sessions.map((session) => (
              <div className="row" key={session.key}>
                <span>
                  {session.key === visitor.session ? "This session" : "A session"}, seen{" "}
                  <When at={session.seenAt} />
                </span>
                <Act intent="end session" fields={{ key: session.key }}>
                  {session.key === visitor.session ? "Sign out" : "End it"}
                </Act>
              </div>
            ))}
          </li>
        ))}
      </ul>
      <div className="actions">
        <Act intent="make link" fields={{ id }}>
          {isSelf ? "Add a device of yours" : "New link"}
        </Act>
        {visitor.isFirst && !isFirst && (
          <Act intent="remove person" kind="danger" fields={{ id }} sure={`Remove ${name}?`}>
            Remove {name}
          </Act>
        )}
      </div>
    </section>
  );
}
