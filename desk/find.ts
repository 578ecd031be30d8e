import { listInbox } from "#contact/inbox.ts";
import { contactSubjectLabel } from "#contracts/contact-message.ts";
import { foldText } from "#db/hold-text.ts";
import type { Db } from "#db/tables.ts";
import { listDrafts } from "#newsletter/drafts.ts";
import { listIssues } from "#newsletter/issues.ts";
import { listSubscribers } from "#newsletter/list-subscribers.ts";
import { ownersSettings } from "#operator/owner-settings.ts";
import { listSiteWords } from "#operator/site-words.ts";
import type { Visitor } from "./desk-context.ts";
import { groupId, groups } from "./pages/settings-form.tsx";
import { pagesFor } from "./rooms.ts";
import { addressOf, linesOf } from "./site-word-form.ts";
import { subscriberWords } from "./subscriber-words.ts";

export type Hit = { to: string; title: string; about: string };
export type Found = { group: string; hits: Hit[] };

const eachMost = 5;
const draftsMost = 10_000;

/** What at the desk has these words in its name, for whom may open it: the newest first, a few of each kind. */
export async function find(
  { store, visitor: { role } }: { store: { db: Db }; visitor: Visitor },
  asked: string,
): Promise<Found[]> {
  const pages = pagesFor(role).map(({ path, name }) => ({
    to: path,
    title: name,
    about: "",
  }));
  if (asked === "") return [{ group: "Pages", hits: pages }];
  const folded = foldText(asked);
  const named = (hits: Hit[]) =>
    hits.filter(({ title }) => foldText(title).includes(folded)).slice(0, eachMost);
  const found = [{ group: "Pages", hits: named(pages) }];
  if (store) {
    const { db } = store;
    const some = { find: asked, limit: eachMost, today: "" };
    const drafts = await listDrafts(db, { limit: draftsMost });
    const issues = await listIssues(db);
    const messages = await listInbox(db, some);
    const subscribers = await listSubscribers(db, { ...some, newestFirst: true });
    found.push(
      {
        group: "Issues",
        hits: named([
          ...drafts.map(({ id, title }) => ({
            to: `/issues/drafts/${id}`,
            title,
            about: "draft",
          })),
          ...issues.map(({ id, title, publishDate }) => ({
            to: `/issues/${id}`,
            title,
            about: publishDate,
          })),
        ]),
      },
      {
        group: "Messages",
        hits: messages.map(({ id, firstName, lastName, subject, beginning }) => ({
          to: `/messages/${id}`,
          title: `${firstName} ${lastName}`,
          about: [contactSubjectLabel(subject), beginning.slice(0, 80)].filter(Boolean).join(": "),
        })),
      },
      {
        group: "Subscribers",
        hits: subscribers.map(({ id, email, state, heldAt }) => ({
          to: `/subscribers/${id}`,
          title: email,
          about: subscriberWords[heldAt ? "held" : state].name,
        })),
      },
      {
        group: "The site's words",
        hits: named(
          (await listSiteWords(db)).map((fact) => ({
            to: addressOf(fact),
            title: fact.over === undefined ? fact.label : String(linesOf(fact, fact.value)[0]),
            about: fact.path,
          })),
        ),
      },
    );
  }
  if (role === "owner") {
    const settings = groups.flatMap(({ title, names }) =>
      names.map((name) => ({
        to: `/settings#${groupId(title)}`,
        title: ownersSettings[name],
        about: title,
      })),
    );
    found.push({ group: "Settings", hits: named(settings) });
  }
  return found.filter(({ hits }) => hits.length > 0);
}

/** What an address asks for: `?q=piers`. */
export function askedFor({ url }: Request): string {
  return (new URL(url).searchParams.get("q") ?? "").trim().slice(0, 100);
}
