import { type ReactNode, useEffect, useRef, useState } from "react";
import { Form, Link, redirect, useLoaderData } from "react-router";
import {
  answerMessages,
  countInbox,
  countOrigins,
  eraseMessages,
  type InboxRow,
  type InboxView,
  inboxViews,
  listInbox,
  reopenMessages,
} from "#contact/inbox.ts";
import { amount } from "#content/amounts.ts";
import { contactSubjectLabel } from "#content/contact-message.ts";
import { dayAhead, torontoDate } from "#content/toronto-time.ts";
import { deskOf, type PageArgs, readId } from "../desk-context.ts";
import { Ago, type Answer, Empty, Filters, Page, Search, Submit } from "../ui.tsx";

export { clientAction } from "../ui.tsx";

const pageRows = 50;
const originDays = 90;

const viewNames: Record<InboxView, string> = {
  all: "All",
  new: "New",
  later: "Later",
  answered: "Answered",
  held: "May be spam",
};

const doneWords: Readonly<Record<string, string>> = {
  answered: "marked as answered",
  "not answered": "not answered again",
  "erase messages": "erased",
};

export async function loader(args: PageArgs) {
  const { db, now, settings } = deskOf(args);
  const asked = new URL(args.request.url).searchParams;
  const view = inboxViews.find((name) => name === asked.get("show")) ?? "all";
  const find = asked.get("find") ?? "";
  const today = torontoDate(now());
  const since = new Date(now().getTime() - originDays * 86_400_000);
  const beforeId = readId(asked.get("before"));
  const found = await listInbox(db, { view, today, find, beforeId, limit: pageRows + 1 });
  const messages = found.slice(0, pageRows);
  const done = asked.get("done") ?? "";
  const doneIds = asked.getAll("id").map(Number);
  for (const name of ["done", "id"]) asked.delete(name);
  if (found.length > pageRows) asked.set("before", String(messages.at(-1)?.id));
  return {
    ...{ view, find, today, done, doneIds, messages },
    older: found.length > pageRows ? `?${asked}` : null,
    counts: await countInbox(db, today),
    origins: await countOrigins(db, { since }),
    contactPage: `${settings.url}/contact`,
  };
}

export async function action(args: PageArgs): Promise<Answer | Response> {
  const { db, now } = deskOf(args);
  const form = await args.request.formData();
  const intent = String(form.get("intent"));
  let ids = form
    .getAll("id")
    .map(readId)
    .filter((id) => id !== undefined);
  if (ids.length === 0) {
    return { ok: false, problems: ["Choose a message first: tick the box before its name."] };
  }
  if (intent === "answered") ids = await answerMessages(db, { ids, now: now() });
  else if (intent === "not answered") await reopenMessages(db, { ids });
  else if (intent === "erase messages") await eraseMessages(db, { ids });
  else return { ok: false, problems: ["Nothing was done."] };
  const { searchParams: back } = new URL(args.request.url);
  for (const name of ["done", "id", "index"]) back.delete(name);
  back.set("done", intent);
  for (const id of ids) back.append("id", String(id));
  return redirect(`/messages?${back}`);
}

export function stateOf(
  { heldAt, answeredAt, laterUntil }: Pick<InboxRow, "heldAt" | "answeredAt" | "laterUntil">,
  today: string,
): string {
  if (heldAt) return "may be spam";
  if (answeredAt) return "answered";
  if (laterUntil === null) return "new";
  return laterUntil > today ? `later: ${dayAhead(laterUntil, today)}` : "back again";
}

export default function Messages() {
  const { messages, find, view, counts, origins, older, today, contactPage } =
    useLoaderData<typeof loader>();
  const isFiltered = find !== "" || view !== "all";
  return (
    <Page title="Messages" actions={<a href="/messages/export.csv">Export</a>}>
      <Done />
      {counts.all > 0 && (
        <>
          <Filters
            label="Which messages"
            choices={inboxViews.map((name) => ({
              to: name === "all" ? "?" : `?show=${name}`,
              name: `${viewNames[name]} ${counts[name]}`,
              isChosen: name === view,
            }))}
          />
          <Search find={find} placeholder="Name, address or words" kept={{ show: view }} />
        </>
      )}
      {messages.length === 0 ? (
        <Empty>
          {isFiltered && counts.all > 0 ? (
            "No message fits."
          ) : (
            <>
              Nobody has written yet. What visitors send from the{" "}
              <a href={contactPage}>contact page</a> arrives here: send yourself one.
            </>
          )}
        </Empty>
      ) : (
        <Chosen key={`${view} ${find}`}>
          <ul className="list">
            {messages.map((message) => (
              <Row key={message.id} message={message} today={today} />
            ))}
          </ul>
        </Chosen>
      )}
      {older && <Link to={older}>Older messages</Link>}
      {origins.length > 0 && (
        <p className="empty">
          In {originDays} days messages came from{" "}
          {origins.map(({ page, count }) => `${page ?? "a page not known"} (${count})`).join(", ")}.
        </p>
      )}
    </Page>
  );
}

function Chosen({ children }: { children: ReactNode }) {
  const { done, doneIds } = useLoaderData<typeof loader>();
  const [count, setCount] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  const told = `${done} ${doneIds}`;
  useEffect(() => {
    if (told === " ") return;
    form.current?.reset();
    setCount(0);
  }, [told]);
  return (
    <Form
      ref={form}
      method="post"
      className="stack chosen"
      preventScrollReset
      onChange={({ currentTarget }) => setCount(currentTarget.querySelectorAll(":checked").length)}
    >
      <div className="actions">
        <span aria-live="polite">{count === 0 ? "Ticked:" : `${count} ticked:`}</span>
        <Submit intent="answered">I answered</Submit>
        <Submit
          intent="erase messages"
          sure={(fields) => `Erase ${amount(fields.getAll("id").length, "message")} for good?`}
        >
          Erase
        </Submit>
      </div>
      {children}
    </Form>
  );
}

function Row({ message, today }: { message: InboxRow; today: string }) {
  const name = `${message.firstName} ${message.lastName}`;
  const subject = contactSubjectLabel(message.subject);
  const state = stateOf(message, today);
  const isOpen = state === "new" || state === "back again";
  return (
    <li className={isOpen ? "pick new" : "pick"}>
      <label className="check">
        <input type="checkbox" name="id" value={message.id} aria-label={`Choose ${name}`} />
      </label>
      <Link to={`/messages/${message.id}`}>
        <b>
          {name} <small className={isOpen ? "state open" : "state"}>{state}</small>
        </b>
        <span>{[subject, message.beginning].filter(Boolean).join(": ")}</span>
        <Ago at={message.receivedAt} />
      </Link>
    </li>
  );
}

function Done() {
  const { done, doneIds } = useLoaderData<typeof loader>();
  const told = doneWords[done];
  if (!told || doneIds.length === 0) return null;
  return (
    <div className="notice actions">
      <p role="status">
        {amount(doneIds.length, "message is", "messages are")} {told}.
      </p>
      {done === "answered" && (
        <Form method="post" preventScrollReset>
          {doneIds.map((id) => (
            <input key={id} type="hidden" name="id" value={id} />
          ))}
          <Submit intent="not answered">Undo</Submit>
        </Form>
      )}
    </div>
  );
}
