import { type ReactNode, useEffect, useState } from "react";
import {
  Form,
  Link,
  redirect,
  type ShouldRevalidateFunction,
  useFetcher,
  useLoaderData,
  useNavigate,
} from "react-router";
import {
  addNote,
  answerMessages,
  fillReply,
  listSavedReplies,
  markAsRead,
  noteMaxLength,
  openMessage,
  putInBin,
  remindOfMessage,
  removeNote,
  reopenMessages,
  takeFromBin,
} from "#contact/inbox.ts";
import { releaseMessage } from "#contact/messages.ts";
import { dayAhead, shortTorontoTime, torontoDate } from "#content/toronto-time.ts";
import { contactSubjectLabel } from "#contracts/contact-message.ts";
import { erasePerson } from "#operator/person.ts";
import { deskOf, idOf, type PageArgs, readId } from "../desk-context.ts";
import { useAskBeforeLeavingForms } from "../leaving.ts";
import { MessageKeys } from "../message-keys.tsx";
import { stateInWords } from "../message-words.ts";
import { Act, Ago, type Answer, Field, OwnersOnly, Page, Submit } from "../ui.tsx";
import { goToErased } from "./erased.tsx";

export { clientAction } from "../ui.tsx";

export async function loader(args: PageArgs) {
  const { db, config, settings, now } = deskOf(args);
  const message = await openMessage(db, idOf(args));
  if (!message) throw new Response(null, { status: 404 });
  const { email, firstName, lastName, subject } = message;
  const label = contactSubjectLabel(subject);
  const firm = config.siteName;
  const mail = {
    email,
    subject: label ? `Re: ${label} (${firm})` : `Re: your message to ${firm}`,
    quoted: `${firstName} ${lastName} wrote:\n> ${message.message.replaceAll("\n", "\n> ")}\n`,
  };
  const replies = (await listSavedReplies(db)).map(({ id, name, text }) => {
    const filled = fillReply(text, message);
    return { id, name, text: filled, mailto: mailAddress({ ...mail, opening: `${filled}\n\n` }) };
  });
  return {
    message,
    label,
    replies,
    mailto: mailAddress({ ...mail, opening: `Hello ${firstName},\n\n\n\n` }),
    siteUrl: settings.url,
    today: torontoDate(now()),
    noteMaxLength,
  };
}

/** Being read changes nothing here, and the message may have been deleted meanwhile. */
export const shouldRevalidate: ShouldRevalidateFunction = ({
  formData,
  defaultShouldRevalidate,
}) => (formData?.get("intent") === "read" ? false : defaultShouldRevalidate);

export async function action(args: PageArgs): Promise<Answer | Response> {
  const { db, now, config, visitor } = deskOf(args);
  const id = idOf(args);
  const at = now();
  const today = torontoDate(at);
  const form = await args.request.formData();
  const field = (name: string) => String(form.get(name) ?? "");
  switch (form.get("intent")) {
    case "release":
      await releaseMessage({ db, now: at }, { id });
      return { ok: true, said: "Released: it goes to your mailbox like any other message." };
    case "read":
      await markAsRead(db, { id, now: at });
      return { ok: true, said: "" };
    case "answered":
      await answerMessages(db, { ids: [id], now: at });
      return { ok: true, said: "Marked as answered." };
    case "not answered":
      await reopenMessages(db, { ids: [id] });
      return { ok: true, said: "It is new again." };
    case "no reminder":
      await remindOfMessage(db, { id, day: null, today });
      return { ok: true, said: "It won't come back by itself." };
    case "remind": {
      const days = Number(field("days"));
      const day = field("day") || Temporal.PlainDate.from(today).add({ days }).toString();
      const done = await remindOfMessage(db, { id, day, today });
      if (done.ok) return { ok: true, said: `It comes back ${dayAhead(day, today)}.` };
      return { ok: false, problems: [dayProblems[done.reason]] };
    }
    case "write note": {
      const text = field("text");
      const done = await addNote(db, { messageId: id, text, by: visitor.name, now: at });
      if (done.ok) return { ok: true, said: "The note is kept." };
      return { ok: false, problems: [noteProblems[done.reason]] };
    }
    case "remove note":
      await removeNote(db, { id: readId(field("note")) ?? 0, messageId: id });
      return { ok: true, said: "The note is gone." };
    case "bin":
      await putInBin(db, { ids: [id], now: at });
      return redirect(`/messages?done=bin&id=${id}`);
    case "out of the bin":
      await takeFromBin(db, { ids: [id] });
      return { ok: true, said: "It is back among the messages." };
    case "erase": {
      const message = await openMessage(db, id);
      if (!message) return redirect("/messages");
      return goToErased(await erasePerson({ db, config, now: at }, message.email), "/messages");
    }
    default:
      return { ok: false, problems: ["Nothing was done."] };
  }
}

const dayProblems = {
  no_day: "That is no day. Choose one from the calendar.",
  past_day: "That day is over or goes on already. Choose a later one.",
  too_far: "That is more than a year ahead. Choose an earlier day.",
  unknown: "The message is gone.",
};

const noteProblems = {
  empty: "Write something first.",
  too_long: `A note may have ${noteMaxLength} characters. Make two of it.`,
  unknown: "The message is gone.",
};

type Opened = Awaited<ReturnType<typeof loader>>;

export default function Message() {
  useAskBeforeLeavingForms();
  const { message, label, mailto, siteUrl, today } = useLoaderData<typeof loader>();
  const { heldAt, binnedAt, answeredAt, remindOn, phone, fromPage } = message;
  const [isReplying, setIsReplying] = useState(false);
  useMarkedAsRead(message);
  const isAtWork = !heldAt && !binnedAt;
  const navigate = useNavigate();
  const open = (to: number | undefined) => to && void navigate(`/messages/${to}`);
  const answer = () => document.querySelector<HTMLElement>("button[value=answered]")?.click();
  const keys = {
    j: { words: "The next message", press: () => open(message.olderId) },
    k: { words: "The one before", press: () => open(message.newerId) },
    e: { words: "I answered it", press: answer },
  };
  return (
    <Page
      title={`${message.firstName} ${message.lastName}`}
      back={{ to: "/messages", name: "Messages" }}
      actions={
        <>
          <MessageKeys keys={keys} />
          {isAtWork &&
            (answeredAt && !remindOn ? (
              <Act intent="not answered">Not answered yet</Act>
            ) : (
              <Act intent="answered">I answered</Act>
            ))}
          <a className="button main" href={mailto ?? undefined} onClick={() => setIsReplying(true)}>
            Reply
          </a>
        </>
      }
    >
      {isReplying && isAtWork && answeredAt === null && (
        <div className="notice actions" role="status">
          <p>When your reply has left, say so: your mail program can't.</p>
          <Act intent="answered" kind="main">
            I answered
          </Act>
        </div>
      )}
      {heldAt && !binnedAt && (
        <div className="notice wrong">
          <p>
            This may be spam: the field that people don't see was filled in, so a program may have
            written it. It was not mailed to you.
          </p>
          <Act intent="release">It is no spam</Act>
        </div>
      )}
      {binnedAt && (
        <div className="notice actions">
          <p>
            In the bin since <Ago at={binnedAt} />, for thirty days.
          </p>
          <Act intent="out of the bin">Take out of the bin</Act>
        </div>
      )}
      <dl className="facts">
        <Fact name="State">
          {answeredAt && (
            <>
              Answered <Ago at={answeredAt} />.{" "}
            </>
          )}
          {stateInWords(message, today)}
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
      {isAtWork && (
        <div className="row">
          <Reminder />
          <SavedReplies onReply={() => setIsReplying(true)} />
        </div>
      )}
      <Notes key={message.notes.length} />
      <Others />
      {!binnedAt && (
        <div className="actions">
          <Act intent="bin">Put in the bin</Act>
        </div>
      )}
      <OwnersOnly>
        <section className="erase">
          <h2>If they ask to be erased</h2>
          <p>
            Erases for good all that is stored about {message.email}: messages, notes, subscription
            and mails. The bin doesn't keep it, and nothing brings it back.
          </p>
          <Act
            intent="erase"
            kind="danger"
            sure={`Erase everything stored about ${message.email}: messages, subscription and mails?`}
          >
            Erase this person
          </Act>
        </section>
      </OwnersOnly>
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

function Reminder() {
  const { message, today } = useLoaderData<typeof loader>();
  const { answeredAt, remindOn } = message;
  return (
    <section>
      <h2>{answeredAt ? "If no reply comes" : "Put it off"}</h2>
      <Form method="post" className="row">
        <Field label="Bring it back">
          <select name="days" defaultValue="2">
            <option value="1">tomorrow</option>
            <option value="2">in two days</option>
            <option value="7">in a week</option>
          </select>
        </Field>
        <Field label="or on a day">
          <input type="date" name="day" min={today} />
        </Field>
        <Submit intent="remind">{answeredAt ? "Remind me" : "Put off"}</Submit>
        {remindOn && <Submit intent="no reminder">Don't bring it back</Submit>}
      </Form>
    </section>
  );
}

function SavedReplies({ onReply }: { onReply: () => void }) {
  const { replies } = useLoaderData<typeof loader>();
  const [copied, setCopied] = useState(0);
  return (
    <section>
      <h2>Saved replies</h2>
      <ul className="list">
        {replies.map(({ id, name, text, mailto }) => (
          <li key={id} className="with-button">
            <p title={text}>{name}</p>
            <div className="actions">
              {mailto && (
                <a className="button" href={mailto} onClick={onReply}>
                  Reply with it
                </a>
              )}
              <button
                type="button"
                className="button"
                onClick={async () => {
                  await navigator.clipboard.writeText(text);
                  setCopied(id);
                  onReply();
                }}
              >
                {copied === id ? "Copied" : "Copy"}
              </button>
            </div>
          </li>
        ))}
      </ul>
      <Link to="/messages/replies">
        {replies.length === 0 ? "Write one that you can use again" : "Change them"}
      </Link>
    </section>
  );
}

function Notes() {
  const { message, noteMaxLength } = useLoaderData<typeof loader>();
  return (
    <section>
      <h2>Notes</h2>
      <ul className="list notes">
        {message.notes.map(({ id, text, writtenBy, writtenAt }) => (
          <li key={id} className="with-button">
            <p>
              {text}
              <small>
                {writtenBy}, <Ago at={writtenAt} />
              </small>
            </p>
            <div className="actions">
              <Act intent="remove note" fields={{ note: id }} sure="Remove this note for good?">
                Remove
              </Act>
            </div>
          </li>
        ))}
      </ul>
      <Form method="post" className="stack">
        <Field label="Write a note" help="For those at the desk. Nobody is sent it.">
          <textarea name="text" rows={3} maxLength={noteMaxLength} />
        </Field>
        <Submit intent="write note">Keep the note</Submit>
      </Form>
    </section>
  );
}

/** What else the same person sent. */
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

/** Opening a message marks it as read: by a post, since a browser may fetch a page that nobody looks at. */
function useMarkedAsRead({ id, readAt, heldAt }: Opened["message"]): void {
  const { submit } = useFetcher();
  const isUnread = readAt === null && heldAt === null;
  useEffect(() => {
    if (isUnread) void submit({ intent: "read" }, { method: "post", action: `/messages/${id}` });
  }, [id, isUnread, submit]);
}

/** Windows opens no longer address (2,083 characters). */
const mailtoMaxLength = 2_000;

/**
 * The address that opens the mail program with as much of the message quoted as fits; null where the opening alone
 * doesn't.
 */
function mailAddress({
  email,
  subject,
  opening,
  quoted,
}: Record<"email" | "subject" | "opening" | "quoted", string>): string | null {
  const addressed = `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(subject)}&body=`;
  let address = addressed + encodeURIComponent(opening.toWellFormed());
  if (address.length > mailtoMaxLength) return null;
  // Half a character can't be encoded.
  for (const letter of quoted.toWellFormed()) {
    const encoded = encodeURIComponent(letter);
    if (address.length + encoded.length > mailtoMaxLength) break;
    address += encoded;
  }
  return address;
}
