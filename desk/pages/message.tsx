import { redirect, useLoaderData } from "react-router";
import { deleteMessage, findMessage, markMessage, releaseMessage } from "#contact/messages.ts";
import { contactSubjectLabel } from "#contracts/contact-message.ts";
import { erasePerson } from "#operator/erase-person.ts";
import { deskOf, idOf, type PageArgs } from "../desk-context.ts";
import { Act, type Answer, Page, When } from "../ui.tsx";

export { clientAction } from "../ui.tsx";

export async function loader(args: PageArgs) {
  const { db, now, config } = deskOf(args);
  const message = await findMessage(db, idOf(args));
  if (!message) throw new Response(null, { status: 404 });
  if (!message.readAt && !message.heldAt) await markMessage(db, { id: message.id, at: now() });
  return { message, firm: config.siteName };
}

export async function action(args: PageArgs): Promise<Answer | Response> {
  const { db, now, config } = deskOf(args);
  const id = idOf(args);
  const form = await args.request.formData();
  switch (form.get("intent")) {
    case "release":
      await releaseMessage({ db, now: now() }, { id });
      return { ok: true, said: "Released: it goes to your mailbox like any other message." };
    case "unread":
      await markMessage(db, { id, at: null });
      return redirect("/messages");
    case "delete":
      await deleteMessage(db, id);
      return redirect("/messages");
    case "erase": {
      const message = await findMessage(db, id);
      if (!message) return redirect("/messages");
      await erasePerson({ db, config, now: now() }, message.email);
      return redirect("/messages");
    }
    default:
      return { ok: false, problems: ["Nothing was done."] };
  }
}

export default function Message() {
  const { message, firm } = useLoaderData<typeof loader>();
  const name = `${message.firstName} ${message.lastName}`;
  const subject = contactSubjectLabel(message.subject);
  const quoted = message.message.slice(0, 1_200).replaceAll(/^/gm, "> ");
  const reply = new URLSearchParams({
    subject: subject ? `Re: ${subject} (${firm})` : `Re: your message to ${firm}`,
    body: `Hello ${message.firstName},\n\n\n\n${name} wrote:\n${quoted}\n`,
  });
  // Mail programs show a plus sign as one.
  const mailto = `mailto:${encodeURIComponent(message.email)}?${String(reply).replaceAll("+", "%20")}`;
  return (
    <Page
      title={name}
      back={{ to: "/messages", name: "Messages" }}
      actions={
        <a className="button main" href={mailto}>
          Reply
        </a>
      }
    >
      {message.heldAt && (
        <div className="notice wrong">
          <p>
            Quarantined: the field that people don't see was filled in, so a program may have
            written this. It was not mailed to you.
          </p>
          <Act intent="release">Release it</Act>
        </div>
      )}
      <dl className="facts">
        <dt>Received</dt>
        <dd>
          <When at={message.receivedAt} />
        </dd>
        {subject && (
          <>
            <dt>Subject</dt>
            <dd>{subject}</dd>
          </>
        )}
        <dt>Email</dt>
        <dd>{message.email}</dd>
        {message.phone && (
          <>
            <dt>Telephone</dt>
            <dd>
              <a href={`tel:${message.phone.replaceAll(/[^\d+]/g, "")}`}>{message.phone}</a>
            </dd>
          </>
        )}
        {message.company && (
          <>
            <dt>Company</dt>
            <dd>{message.company}</dd>
          </>
        )}
      </dl>
      <p className="letter">{message.message}</p>
      <div className="actions">
        <Act intent="unread">Mark as unread</Act>
        <Act intent="delete" kind="danger" sure="Delete this message for good?">
          Delete
        </Act>
        <Act
          intent="erase"
          kind="danger"
          sure={`Erase everything stored about ${message.email}: messages, subscription and mails?`}
        >
          Erase this person
        </Act>
      </div>
    </Page>
  );
}
