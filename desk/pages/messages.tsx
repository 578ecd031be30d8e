import { Link, useLoaderData } from "react-router";
import {
  countInbox,
  countOrigins,
  eraseHeldMessages,
  type InboxView,
  inboxState,
  inboxViews,
  listInbox,
} from "#contact/messages.ts";
import { amount } from "#content/amounts.ts";
import { contactSubjectLabel } from "#content/contact-message.ts";
import { torontoDate } from "#content/toronto-time.ts";
import { deskOf, type PageArgs, partOf, readId, rowsOf } from "../desk-context.ts";
import { Act, type Answer, Empty, Lines, nothingDone, Page, Sieve } from "../ui.tsx";

export { clientAction } from "../ui.tsx";

const originDays = 90;

const viewNames: Record<InboxView, string> = {
  all: "All",
  new: "New",
  later: "Later",
  answered: "Answered",
  held: "May be spam",
};

export async function readInbox(args: PageArgs) {
  const { db, now } = deskOf(args);
  const part = partOf(args);
  const { asked, find, before: beforeId, limit } = part;
  const view = inboxViews.find((name) => name === asked.get("show")) ?? "all";
  const today = torontoDate(now);
  const found = await listInbox(db, { view, today, find, beforeId, limit });
  const { rows, older } = rowsOf(found, part, ({ id }) => id);
  return {
    ...{ view, find, older },
    messages: rows.map((message) => {
      const { id, firstName, lastName, subject, beginning, receivedAt: at } = message;
      const state = inboxState(message, today);
      const words = [contactSubjectLabel(subject), beginning].filter(Boolean).join(": ");
      const title = `${firstName} ${lastName}`;
      return { id, to: `/messages/${id}?${asked}`, at, state, words, mark: markOf(state), title };
    }),
  };
}

export async function loader(args: PageArgs) {
  const { db, now, settings } = deskOf(args);
  const since = new Date(now.getTime() - originDays * 86_400_000);
  return {
    ...(await readInbox(args)),
    counts: await countInbox(db, torontoDate(now)),
    origins: await countOrigins(db, { since }),
    contactPage: `${settings.url}/contact`,
  };
}

export async function action(args: PageArgs): Promise<Answer> {
  const form = await args.request.formData();
  const upToId = readId(form.get("upTo"));
  if (form.get("intent") !== "erase messages" || !upToId) return nothingDone;
  const count = await eraseHeldMessages(deskOf(args).db, { upToId });
  return { ok: true, said: `${amount(count, "message is", "messages are")} erased.` };
}

export function markOf(state: string): string {
  return (
    { new: "new", "back again": "new again", answered: "off", "may be spam": "bad" }[state] ?? ""
  );
}

export default function Messages() {
  const { messages, find, view, counts, origins, older, contactPage } =
    useLoaderData<typeof loader>();
  return (
    <Page
      title="Messages"
      actions={
        counts.all > 0 && (
          <a className="button" href="/messages/export.csv">
            Export
          </a>
        )
      }
    >
      {counts.all > 0 && (
        <Sieve
          {...{ label: "Which messages", by: "show", names: viewNames, counts, chosen: view, find }}
          placeholder="Name, address or words"
        />
      )}
      {counts.all === 0 ? (
        <Empty
          title="Nobody has written yet"
          words="What visitors send from the contact page arrives here, and by mail."
          {...{ to: contactPage, deed: "Write to yourself" }}
        />
      ) : messages.length === 0 ? (
        <Empty title="No message matches" to="?" deed="See all messages" />
      ) : (
        <Lines of={messages} />
      )}
      {view === "held" && messages[0] && (
        <Act
          intent="erase messages"
          fields={{ upTo: messages[0].id }}
          kind="danger"
          sure="Erase all messages that may be spam for good?"
          deed="Erase all that may be spam"
        />
      )}
      {older && <Link to={older}>Older messages</Link>}
      {view === "all" && origins.length > 0 && (
        <p className="empty">
          In {originDays} days messages came from{" "}
          {origins.map(({ page, count }) => `${page ?? "a page not known"} (${count})`).join(", ")}.
        </p>
      )}
    </Page>
  );
}
