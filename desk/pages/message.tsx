import { useState } from "react";
import { redirect, useLoaderData, useLocation } from "react-router";
import {
  eraseMessage,
  inboxState,
  markMessage,
  openMessage,
  releaseMessage,
  replyAddress,
} from "#contact/messages.ts";
import { contactSubjectLabel } from "#content/contact-message.ts";
import { dayAhead, shortTorontoTime, torontoDate, torontoDay } from "#content/toronto-time.ts";
import { erasePerson } from "#newsletter/subscribers/person.ts";
import { deskOf, idOf, type PageArgs } from "../desk-context.ts";
import { Act, Ago, type Answer, capital, Lines, Menu, nothingDone, Page } from "../ui.tsx";
import { markOf, readInbox } from "./messages.tsx";

export { clientAction } from "../ui.tsx";

export async function loader(args: PageArgs) {
  const { db, config, settings, now } = deskOf(args);
  const message = await openMessage(db, idOf(args));
  if (!message) throw new Response(null, { status: 404 });
  const label = contactSubjectLabel(message.subject);
  return {
    message,
    label,
    inbox: (await readInbox(args)).messages,
    mailto: replyAddress(message, label, config.siteName),
    siteUrl: settings.url,
    state: inboxState(message, torontoDate(now)),
  };
}

export async function action(args: PageArgs): Promise<Answer | Response> {
  const { db, now, config } = deskOf(args);
  const id = idOf(args);
  const intent = (await args.request.formData()).get("intent");
  switch (intent) {
    case "release": {
      const released = await releaseMessage({ db, now }, { id });
      if (!released.ok) return released;
      return { ok: true, said: "Released: it goes to your mailbox like any other message." };
    }
    case "answered":
      await markMessage(db, id, { answered_at: now.toISOString() });
      return { ok: true, said: "Marked as answered." };
    case "not answered":
      await markMessage(db, id, { answered_at: null });
      return { ok: true, said: "It is new again." };
    case "tomorrow":
    case "next week": {
      const today = torontoDay(now.getTime());
      const until = today.add({ days: intent === "tomorrow" ? 1 : 7 }).toString();
      await markMessage(db, id, { later_until: until });
      return { ok: true, said: `It is new again ${dayAhead(until, today.toString())}.` };
    }
    case "erase message":
      await eraseMessage(db, id);
      return redirect("/messages");
    case "erase": {
      const message = await openMessage(db, id);
      if (!message) return redirect("/messages");
      await erasePerson({ db, config, now }, message.email);
      return redirect("/subscribers?erased");
    }
    default:
      return nothingDone;
  }
}

export default function Message() {
  const { message, label, inbox, mailto, siteUrl, state } = useLoaderData<typeof loader>();
  const { search } = useLocation();
  const { heldAt, answeredAt, email, phone, company, fromPage } = message;
  const [isReplying, setIsReplying] = useState(false);
  const isOpen = !heldAt && !answeredAt;
  const isAsking = isReplying && isOpen;
  return (
    <Page
      title={`${message.firstName} ${message.lastName}`}
      back={{ to: `/messages${search}`, name: "Messages" }}
      actions={
        <>
          <a
            className={heldAt || isAsking ? "button" : "button main"}
            href={mailto}
            onClick={() => setIsReplying(true)}
          >
            Reply
          </a>
          {isOpen && <Act intent="answered" deed="Answered" />}
          {answeredAt && !heldAt && <Act intent="not answered" deed="Not answered yet" />}
          {isOpen && (
            <Menu name="Later">
              <Act intent="tomorrow" deed="Tomorrow" />
              <Act intent="next week" deed="Next week" />
            </Menu>
          )}
          <Menu label="More">
            <Act
              intent="erase message"
              kind="danger"
              sure="Erase this message for good?"
              deed="Erase this message"
            />
            <Act
              intent="erase"
              kind="danger"
              sure={`Erase everything stored about ${email}: messages, subscription and mails?`}
              deed="Erase this person"
            />
          </Menu>
        </>
      }
    >
      <div className="columns inbox">
        <nav aria-label="Messages" ref={showOpen}>
          <Lines of={inbox} />
        </nav>
        <article className="stack">
          {isAsking && (
            <div className="notice actions" role="status">
              <p>When your reply has left, say so: your mail program can’t.</p>
              <Act intent="answered" kind="main" deed="I answered" />
            </div>
          )}
          {heldAt && (
            <div className="notice wrong">
              <p>
                This may be spam: a hidden field was filled in, as programs do. It was not mailed to
                you.
              </p>
              <Act intent="release" kind="main" deed="Not spam" />
            </div>
          )}
          <p className={`state ${markOf(state)}`}>
            {capital(state)} {state === "answered" && answeredAt && <Ago at={answeredAt} />} ·
            written {shortTorontoTime(message.receivedAt)}
          </p>
          <dl>
            <dt>From</dt>
            <dd className="about">
              <a href={`mailto:${email}`}>{email}</a>
              {phone && <a href={`tel:${phone.replaceAll(/[^\d+]/g, "")}`}>{phone}</a>}
              {company && <span>{company}</span>}
            </dd>
            {(label || fromPage) && <dt>About</dt>}
            <dd className="about">
              {label && <span>{label}</span>}
              {fromPage && <a href={siteUrl + fromPage}>from {fromPage}</a>}
            </dd>
          </dl>
          <p className="letter">{message.message}</p>
        </article>
      </div>
    </Page>
  );
}

/** Brings the open one to the middle of the list, and leaves the page where it is. */
function showOpen(list: HTMLElement | null): void {
  const row = list?.querySelector("[aria-current]")?.parentElement;
  if (list && row) list.scrollTop = row.offsetTop - list.clientHeight / 2;
}
