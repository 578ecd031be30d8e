import { useEffect } from "react";
import { redirect, type ShouldRevalidateFunction, useFetcher, useLoaderData } from "react-router";
import {
  type ContactListing,
  deleteMessage,
  findMessage,
  markMessage,
  releaseMessage,
} from "#contact/messages.ts";
import { contactSubjectLabel } from "#contracts/contact-message.ts";
import { erasePerson } from "#operator/erase-person.ts";
import { deskOf, idOf, type PageArgs } from "../desk-context.ts";
import { Act, type Answer, Page, When } from "../ui.tsx";

export { clientAction } from "../ui.tsx";

export async function loader(args: PageArgs) {
  const { db, config } = deskOf(args);
  const message = await findMessage(db, idOf(args));
  if (!message) throw new Response(null, { status: 404 });
  return { message, firm: config.siteName };
}

/** Being read changes nothing here, and the message may have been deleted meanwhile. */
export const shouldRevalidate: ShouldRevalidateFunction = ({
  formData,
  defaultShouldRevalidate,
}) => (formData?.get("intent") === "read" ? false : defaultShouldRevalidate);

export async function action(args: PageArgs): Promise<Answer | Response> {
  const { db, now, config } = deskOf(args);
  const id = idOf(args);
  const form = await args.request.formData();
  switch (form.get("intent")) {
    case "release":
      await releaseMessage({ db, now: now() }, { id });
      return { ok: true, said: "Released: it goes to your mailbox like any other message." };
    case "read":
      await markMessage(db, { id, at: now() });
      return { ok: true, said: "" };
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
  useMarkedAsRead(message);
  const name = `${message.firstName} ${message.lastName}`;
  const subject = contactSubjectLabel(message.subject);
  const mailto = replyAddress(message, {
    subject: subject ? `Re: ${subject} (${firm})` : `Re: your message to ${firm}`,
    greeting: `Hello ${message.firstName},\n\n\n\n${name} wrote:\n`,
  });
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

/** Opening a message marks it as read: by a post, since a browser may fetch a page that nobody looks at. */
function useMarkedAsRead({ readAt, heldAt }: ContactListing): void {
  const { submit } = useFetcher();
  const isNew = readAt === null && heldAt === null;
  useEffect(() => {
    if (isNew) void submit({ intent: "read" }, { method: "post" });
  }, [isNew, submit]);
}

/** Windows opens no longer address (2,083 characters). */
const mailtoMaxLength = 2_000;

/** The address that opens the mail program with as much of the message quoted as fits. */
function replyAddress(
  { email, message }: ContactListing,
  { subject, greeting }: { subject: string; greeting: string },
): string {
  const addressed = `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(subject)}&body=`;
  let address = addressed + encodeURIComponent(greeting);
  for (const letter of `> ${message.replaceAll("\n", "\n> ")}\n`) {
    // Half a character can't be encoded.
    const encoded = encodeURIComponent(letter.isWellFormed() ? letter : "\ufffd");
    if (address.length + encoded.length > mailtoMaxLength) break;
    address += encoded;
  }
  return address;
}
