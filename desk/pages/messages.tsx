import { type ReactNode, useEffect, useRef, useState } from "react";
import { Form, Link, redirect, useLoaderData, useSubmit } from "react-router";
import {
  answerMessages,
  countInbox,
  type InboxRow,
  inboxViews,
  listInbox,
  putInBin,
  reopenMessages,
  takeFromBin,
  type WorkBefore,
} from "#contact/inbox.ts";
import { amount } from "#content/amounts.ts";
import { torontoDate } from "#content/toronto-time.ts";
import { contactSubjectLabel, contactSubjects } from "#contracts/contact-message.ts";
import { deskOf, type PageArgs, readId } from "../desk-context.ts";
import { MessageKeys, moveInList } from "../message-keys.tsx";
import { stateInList, viewNames } from "../message-words.ts";
import { Ago, type Answer, Empty, Filters, OwnersOnly, Page, Submit } from "../ui.tsx";

export { clientAction } from "../ui.tsx";

const pageRows = 50;

/** What was done with messages a moment ago, by the page's address, and the button that takes it back. */
const doneWords: Readonly<Record<string, { words: string; undo?: string }>> = {
  answered: { words: "marked as answered", undo: "not answered" },
  bin: { words: "in the bin, for thirty days", undo: "out of the bin" },
  "not answered": { words: "new again" },
  "out of the bin": { words: "back" },
};

export async function loader(args: PageArgs) {
  const { db, now, settings } = deskOf(args);
  const asked = new URL(args.request.url).searchParams;
  const view = inboxViews.find((name) => name === asked.get("show")) ?? "all";
  const [find, subject] = [asked.get("find") ?? "", asked.get("subject") ?? ""];
  const beforeId = readId(asked.get("before"));
  const today = torontoDate(now());
  // What is due comes first, wherever nothing is looked for.
  const isWhole = (view === "all" || view === "waiting") && find === "" && subject === "";
  const due = isWhole
    ? await listInbox(db, { view: "waiting", dueOn: today, limit: pageRows })
    : [];
  const messages = await listInbox(db, {
    ...{ view, find, subject, beforeId },
    exceptIds: due.map(({ id }) => id),
    limit: pageRows + 1,
  });
  const done = asked.get("done") ?? "";
  const doneIds = asked.getAll("id").map(Number);
  const was = asked.getAll("was");
  for (const name of ["done", "id", "was"]) asked.delete(name);
  const last = messages.length > pageRows ? messages[pageRows - 1] : null;
  if (last) asked.set("before", String(last.id));
  return {
    ...{ view, find, subject, today, done, doneIds, was },
    messages: [...(beforeId === undefined ? due : []), ...messages.slice(0, pageRows)],
    older: last ? `?${asked}` : null,
    counts: await countInbox(db),
    contactPage: `${settings.url}/contact`,
  };
}

export async function action(args: PageArgs): Promise<Answer | Response> {
  const { db, now } = deskOf(args);
  const form = await args.request.formData();
  const intent = String(form.get("intent"));
  const ids = form.getAll("id").map(readId);
  const chosen = { ids: ids.filter((id) => id !== undefined), now: now() };
  if (chosen.ids.length === 0) {
    return { ok: false, problems: ["Choose a message first: tick the box before its name."] };
  }
  let was: string[] = [];
  if (intent === "answered") was = (await answerMessages(db, chosen)).before.map(writeWas);
  else if (intent === "not answered")
    await reopenMessages(db, { ...chosen, before: form.getAll("was").flatMap(readWas) });
  else if (intent === "bin") await putInBin(db, chosen);
  else if (intent === "out of the bin") await takeFromBin(db, chosen);
  else return { ok: false, problems: ["Nothing was done."] };
  const { searchParams: back } = new URL(args.request.url);
  for (const name of ["done", "id", "was", "index"]) back.delete(name);
  back.set("done", intent);
  for (const id of chosen.ids) back.append("id", String(id));
  for (const text of was) back.append("was", text);
  return redirect(`/messages?${back}`);
}

/** What "Undo" brings back, in the page's address: `7_2026-11-30_2026-11-28T15:00:00.000Z`. */
function writeWas({ id, remindOn, answeredAt }: WorkBefore): string {
  return `${id}_${remindOn ?? ""}_${answeredAt ?? ""}`;
}

function readWas(text: FormDataEntryValue): WorkBefore[] {
  const shape = /^([1-9]\d{0,9})_(\d{4}-\d\d-\d\d)?_(\d{4}-\d\d-\d\dT[\d:.]{12}Z)?$/;
  const [, id, remindOn = null, answeredAt = null] = shape.exec(String(text)) ?? [];
  return id ? [{ id: Number(id), remindOn, answeredAt }] : [];
}

export default function Messages() {
  const { messages, find, subject, view, counts, older, today, contactPage } =
    useLoaderData<typeof loader>();
  const list = useRef<HTMLUListElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const submit = useSubmit();
  const isFiltered = find !== "" || subject !== "" || view !== "all";
  const isEmpty = counts.all + counts.bin === 0;

  function answerFocused() {
    const box = document.activeElement?.closest("li")?.querySelector<HTMLInputElement>("input");
    if (!box || !list.current?.contains(box) || view === "bin") return;
    // Before this row goes.
    moveInList(list, 1);
    void submit(
      { intent: "answered", id: box.value },
      { method: "post", action: addressHere(), preventScrollReset: true },
    );
  }

  const keys = {
    j: { words: "The next message", press: () => moveInList(list, 1) },
    k: { words: "The one before", press: () => moveInList(list, -1) },
    Enter: { words: "Opens it", press: () => {} },
    e: { words: "I answered it", press: answerFocused },
    "/": { words: "Search", press: () => search.current?.focus() },
  };
  return (
    <Page
      title="Messages"
      actions={
        <>
          <MessageKeys keys={keys} />
          <Link to="/messages/replies">Saved replies</Link>
          <OwnersOnly>
            <a href="/messages/export.csv">Export</a>
          </OwnersOnly>
        </>
      }
    >
      <Done />
      {isEmpty || (
        <>
          <Filters
            label="Which messages"
            choices={inboxViews.map((name) => ({
              to: name === "all" ? "?" : `?show=${name}`,
              name: `${viewNames[name]} ${counts[name]}`,
              isChosen: name === view,
            }))}
          />
          <Form className="search" role="search">
            <input type="hidden" name="show" value={view} />
            <input
              type="search"
              name="find"
              aria-label="Find"
              placeholder="Name, address or words"
              defaultValue={find}
              ref={search}
            />
            <select name="subject" aria-label="Subject" defaultValue={subject}>
              <option value="">Every subject</option>
              {contactSubjects.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
            <button className="button" type="submit">
              Find
            </button>
          </Form>
        </>
      )}
      {messages.length === 0 ? (
        <Empty>
          {isFiltered && !isEmpty ? (
            "No message fits."
          ) : (
            <>
              Nobody has written yet. What visitors send from the{" "}
              <a href={contactPage}>contact page</a> arrives here: send yourself one.
            </>
          )}
        </Empty>
      ) : (
        <Chosen key={`${view} ${find} ${subject}`} isInBin={view === "bin"}>
          <ul className="list" ref={list}>
            {messages.map((message) => (
              <Row key={message.id} message={message} today={today} />
            ))}
          </ul>
        </Chosen>
      )}
      {older && <Link to={older}>Older messages</Link>}
    </Page>
  );
}

const addressHere = () => location.pathname + location.search;

/** The list as a form, with what is done to those whose boxes are ticked. */
function Chosen({ isInBin, children }: { isInBin: boolean; children: ReactNode }) {
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
        {isInBin ? (
          <Submit intent="out of the bin">Take out of the bin</Submit>
        ) : (
          <>
            <Submit intent="answered">I answered</Submit>
            <Submit intent="bin">Bin</Submit>
          </>
        )}
      </div>
      {children}
    </Form>
  );
}

function Row({ message, today }: { message: InboxRow; today: string }) {
  const name = `${message.firstName} ${message.lastName}`;
  const subject = contactSubjectLabel(message.subject);
  const isBack = message.remindOn !== null && message.remindOn <= today;
  return (
    <li className={message.readAt || message.heldAt ? "pick" : "pick new"}>
      <label className="check">
        <input type="checkbox" name="id" value={message.id} aria-label={`Choose ${name}`} />
      </label>
      <Link to={`/messages/${message.id}`}>
        <b>
          {name}{" "}
          <small className={isBack ? "state back-again" : "state"}>
            {stateInList(message, today)}
          </small>
        </b>
        <span>{[subject, message.beginning].filter(Boolean).join(": ")}</span>
        <Ago at={message.receivedAt} />
      </Link>
    </li>
  );
}

function Done() {
  const { done, doneIds, was } = useLoaderData<typeof loader>();
  const told = doneWords[done];
  if (!told || doneIds.length === 0) return null;
  return (
    <div className="notice actions">
      <p role="status">
        {amount(doneIds.length, "message is", "messages are")} {told.words}.
      </p>
      {told.undo && (
        <Form method="post" preventScrollReset>
          {doneIds.map((id) => (
            <input key={id} type="hidden" name="id" value={id} />
          ))}
          {was.map((text) => (
            <input key={text} type="hidden" name="was" value={text} />
          ))}
          <Submit intent={told.undo}>Undo</Submit>
        </Form>
      )}
    </div>
  );
}
