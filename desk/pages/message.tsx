import { type ReactNode, useState } from "react";
import { Form, Link, redirect, useLoaderData } from "react-router";
import {
  answerMessages,
  eraseMessages,
  leaveForLater,
  openMessage,
  reopenMessages,
} from "#contact/inbox.ts";
import { releaseMessage } from "#contact/messages.ts";
import { contactSubjectLabel } from "#content/contact-message.ts";
import { dayAhead, shortTorontoTime, torontoDate } from "#content/toronto-time.ts";
import { erasePerson } from "#newsletter/subscribers/person.ts";
import { deskOf, idOf, type PageArgs } from "../desk-context.ts";
import { Act, Ago, type Answer, Page, Submit } from "../ui.tsx";
import { goToErased } from "./erased.tsx";
import { stateOf } from "./messages.tsx";

export { clientAction } from "../ui.tsx";

export async function loader(args: PageArgs) {
  const { db, config, settings, now } = deskOf(args);
  const message = await openMessage(db, idOf(args));
  if (!message) throw new Response(null, { status: 404 });
  const label = contactSubjectLabel(message.subject);
  return {
    message,
    label,
    mailto: replyAddress(message, label, config.siteName),
    siteUrl: settings.url,
    today: torontoDate(now()),
  };
}

export async function action(args: PageArgs): Promise<Answer | Response> {
  const { db, now, config } = deskOf(args);
  const id = idOf(args);
  const at = now();
  const form = await args.request.formData();
  const intent = form.get("intent");
  switch (intent) {
    case "release":
      await releaseMessage({ db, now: at }, { id });
      return { ok: true, said: "Released: it goes to your mailbox like any other message." };
    case "answered":
      await answerMessages(db, { ids: [id], now: at });
      return { ok: true, said: "Marked as answered." };
    case "not answered":
      await reopenMessages(db, { ids: [id] });
      return { ok: true, said: "It is new again." };
    case "tomorrow":
    case "next week": {
      const today = torontoDate(at);
      const days = intent === "tomorrow" ? 1 : 7;
      const until = Temporal.PlainDate.from(today).add({ days }).toString();
      await leaveForLater(db, { id, until });
      return { ok: true, said: `It is new again ${dayAhead(until, today)}.` };
    }
    case "erase message":
      await eraseMessages(db, { ids: [id] });
      return redirect(`/messages?done=erase+messages&id=${id}`);
    case "erase": {
      const message = await openMessage(db, id);
      if (!message) return redirect("/messages");
      return goToErased(await erasePerson({ db, config, now: at }, message.email), "/messages");
    }
    default:
      return { ok: false, problems: ["Nothing was done."] };
  }
}

export default function Message() {
  const { message, label, mailto, siteUrl, today } = useLoaderData<typeof loader>();
  const { heldAt, answeredAt, phone, fromPage } = message;
  const [isReplying, setIsReplying] = useState(false);
  const isOpen = !heldAt && !answeredAt;
  return (
    <Page
      title={`${message.firstName} ${message.lastName}`}
      back={{ to: "/messages", name: "Messages" }}
      actions={
        <>
          {isOpen && (
            <Form method="post" className="actions">
              Later:
              <Submit intent="tomorrow">Tomorrow</Submit>
              <Submit intent="next week">Next week</Submit>
            </Form>
          )}
          {isOpen && <Act intent="answered">I answered</Act>}
          {answeredAt && <Act intent="not answered">Not answered yet</Act>}
          <a className="button main" href={mailto} onClick={() => setIsReplying(true)}>
            Reply
          </a>
        </>
      }
    >
      {isReplying && isOpen && (
        <div className="notice actions" role="status">
          <p>When your reply has left, say so: your mail program can't.</p>
          <Act intent="answered" kind="main">
            I answered
          </Act>
        </div>
      )}
      {heldAt && (
        <div className="notice wrong">
          <p>
            This may be spam: the field that people don't see was filled in, so a program may have
            written it. It was not mailed to you.
          </p>
          <Act intent="release">It is no spam</Act>
        </div>
      )}
      <dl className="facts">
        <Fact name="State">
          {stateOf(message, today)}
          {answeredAt && (
            <>
              , <Ago at={answeredAt} />
            </>
          )}
        </Fact>
        <Fact name="Received">
          {shortTorontoTime(message.receivedAt)} (<Ago at={message.receivedAt} />)
        </Fact>
        <Fact name="Subject">{label}</Fact>
        <Fact name="Email">{message.email}</Fact>
        <Fact name="Telephone">
          {phone && <a href={`tel:${phone.replaceAll(/[^\d+]/g, "")}`}>{phone}</a>}
        </Fact>
        <Fact name="Company">{message.company}</Fact>
        <Fact name="Came from">{fromPage && <a href={siteUrl + fromPage}>{fromPage}</a>}</Fact>
      </dl>
      <p className="letter">{message.message}</p>
      <Others />
      <section className="erase">
        <h2>Erase for good</h2>
        <p>
          This message alone, or, if they ask for it, everything that is stored about{" "}
          {message.email}: messages, subscription and mails.
        </p>
        <div className="actions">
          <Act intent="erase message" kind="danger" sure="Erase this message for good?">
            Erase this message
          </Act>
          <Act
            intent="erase"
            kind="danger"
            sure={`Erase everything stored about ${message.email}: messages, subscription and mails?`}
          >
            Erase this person
          </Act>
        </div>
      </section>
    </Page>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (!children) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function Others() {
  const { others } = useLoaderData<typeof loader>().message;
  if (others.length === 0) return null;
  return (
    <section>
      <h2>From the same address</h2>
      <ul className="list">
        {others.map(({ id, receivedAt, beginning }) => (
          <li key={id}>
            <Link to={`/messages/${id}`}>
              <b>Message</b>
              <span>{beginning}</span>
              <Ago at={receivedAt} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Windows opens no longer address (2,083 characters). */
const mailtoMaxLength = 2_000;

function replyAddress(
  { email, firstName, lastName, message }: NonNullable<Awaited<ReturnType<typeof openMessage>>>,
  label: string | undefined,
  firm: string,
): string {
  const subject = label ? `Re: ${label} (${firm})` : `Re: your message to ${firm}`;
  const quoted = message.replaceAll("\n", "\n> ");
  const body = `Hello ${firstName},\n\n\n\n${firstName} ${lastName} wrote:\n> ${quoted}\n`;
  let address = `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(subject)}&body=`;
  for (const letter of body.toWellFormed()) {
    const encoded = encodeURIComponent(letter);
    if (address.length + encoded.length > mailtoMaxLength) break;
    address += encoded;
  }
  return address;
}
