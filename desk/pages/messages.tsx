import { Form, Link, useLoaderData } from "react-router";
import { countMessages, listMessages } from "#contact/messages.ts";
import { contactSubjectLabel, contactSubjects } from "#contracts/contact-message.ts";
import { deskOf, type PageArgs, readId } from "../desk-context.ts";
import { Empty, Filters, Page, When } from "../ui.tsx";

const pageRows = 50;

export async function loader(args: PageArgs) {
  const { db } = deskOf(args);
  const asked = new URL(args.request.url).searchParams;
  const show = asked.get("show") ?? "all";
  const filter = {
    find: asked.get("find") ?? "",
    subject: asked.get("subject") ?? "",
    unread: show === "unread",
    quarantined: show === "held",
  };
  const beforeId = readId(asked.get("before"));
  const messages = await listMessages(db, { ...filter, limit: pageRows + 1, beforeId });
  const last = messages.length > pageRows ? messages[pageRows - 1] : null;
  if (last) asked.set("before", String(last.id));
  return {
    ...filter,
    show,
    messages: messages.slice(0, pageRows),
    older: last ? `?${asked}` : null,
    counts: {
      all: await countMessages(db),
      unread: await countMessages(db, { unread: true }),
      held: await countMessages(db, { quarantined: true }),
    },
  };
}

export default function Messages() {
  const { messages, find, subject, show, counts, older } = useLoaderData<typeof loader>();
  const isFiltered = find !== "" || subject !== "" || show !== "all";
  return (
    <Page title="Messages" actions={<a href="/messages/export.csv">Export</a>}>
      <Filters
        label="Which messages"
        choices={(["all", "unread", "held"] as const).map((name) => ({
          to: name === "all" ? "?" : `?show=${name}`,
          name: `${{ all: "All", unread: "Unread", held: "Quarantined" }[name]} ${counts[name]}`,
          isChosen: name === show,
        }))}
      />
      <Form className="search" role="search">
        <input type="hidden" name="show" value={show} />
        <input
          type="search"
          name="find"
          aria-label="Find"
          placeholder="Name, address or words"
          defaultValue={find}
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
      {messages.length === 0 ? (
        <Empty>{isFiltered ? "No message fits." : "Nobody has written yet."}</Empty>
      ) : (
        <ul className="list">
          {messages.map((message) => (
            <li key={message.id} className={message.readAt || message.heldAt ? "" : "new"}>
              <Link to={`/messages/${message.id}`}>
                <b>
                  {message.firstName} {message.lastName}
                  {message.heldAt ? " · quarantined" : message.readAt ? "" : " · new"}
                </b>
                <span>
                  {[contactSubjectLabel(message.subject), message.message.slice(0, 120)]
                    .filter(Boolean)
                    .join(": ")}
                </span>
                <When at={message.receivedAt} />
              </Link>
            </li>
          ))}
        </ul>
      )}
      {older && <Link to={older}>Older messages</Link>}
    </Page>
  );
}
