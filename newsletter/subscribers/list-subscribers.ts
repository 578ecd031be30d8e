import { sql } from "kysely";
import { number } from "#content/amounts.ts";
import { torontoDate, torontoDay } from "#content/toronto-time.ts";
import type { Db } from "#db/tables.ts";
import { unsubscribeLink } from "#mail/subscriber-letters.ts";
import { type Export, holdsText, inPages } from "../records.ts";
import { isConfirmed, type ListedState, listedState, shownState } from "./subscriber-states.ts";

export type SubscriberListing = Awaited<ReturnType<typeof listSubscribers>>[number];

type Listed = {
  state?: ListedState | "held";
  find?: string;
  limit?: number;
  afterId?: number;
  newestFirst?: boolean;
};

/** Subscribers with the ledger's proof of their consent, and the bounce or complaint. */
export async function listSubscribers(
  db: Db,
  { state, find, limit = 100, afterId, newestFirst = false }: Listed = {},
) {
  let query = db
    .selectFrom("subscribers")
    .leftJoin("consent_events as proof", (join) =>
      join.on(
        sql<boolean>`proof.id = (select max(id) from consent_events as entry
          where entry.mailbox_key = subscribers.mailbox_key
            and entry.occurred_at = subscribers.subscribed_at
            and entry.email = subscribers.email and wording_hash is not null)`,
      ),
    )
    .leftJoin("consent_wordings", "consent_wordings.hash", "proof.wording_hash")
    .leftJoin("bounces", (join) =>
      join.on(
        sql<boolean>`bounces.id = (select max(id) from bounces as report
          where report.mailbox_key = subscribers.mailbox_key
            and report.occurred_at = subscribers.bounced_at)`,
      ),
    )
    .select(["subscribers.id", "subscribers.email", listedState.as("state")])
    .select(["token", "confirm_token as confirmToken"])
    .select(["subscribed_at as subscribedAt", "confirmed_at as confirmedAt"])
    .select(["unsubscribed_at as unsubscribedAt", "consent_ends_at as consentEndsAt"])
    .select(["wording", "page as consentPage", "network_address as consentAddress"])
    .select(["held_at as heldAt", "held_reason as heldReason", "released_at as releasedAt"])
    .select(["bounced_at as bouncedAt", "kind", "status_code as statusCode", "answer"])
    .orderBy("subscribers.id", newestFirst ? "desc" : "asc")
    .limit(limit);
  if (afterId !== undefined) {
    query = query.where("subscribers.id", newestFirst ? "<" : ">", afterId);
  }
  if (state) query = query.where(shownState, "=", state);
  if (find) query = query.where(holdsText(db, find));
  const rows = await query.execute();
  return rows.map(({ wording, kind, statusCode, answer, ...row }) => ({
    ...row,
    consentText: wording ?? "",
    /** Imported bounces have no kind. */
    bounce: kind && { kind, statusCode, answer: answer ?? "" },
  }));
}

export async function findSubscriber(db: Db, id: number) {
  const found = db.selectFrom("subscribers").where("id", "=", id);
  return await found
    .select(["email", "held_at as heldAt", "consent_ends_at as consentEndsAt"])
    .select(listedState.as("state"))
    .executeTakeFirst();
}

/** By the state that the desk shows. */
export async function countSubscribers(db: Db): Promise<Record<ListedState | "held", number>> {
  const { rows } = await sql<{ state: ListedState | "held"; count: number }>`
    select ${shownState} as state, count(*) as count from subscribers group by 1`.execute(db);
  const counts = { confirmed: 0, unconfirmed: 0, bounced: 0, unsubscribed: 0, held: 0 };
  for (const { state, count } of rows) counts[state] = count;
  return counts;
}

/** Writes down how many are confirmed today, which no later import or erasure changes. */
export async function countDay(db: Db, now: Date): Promise<void> {
  await sql`insert into subscriber_days (day, confirmed)
    select ${torontoDate(now)}, count(*) from subscribers where ${isConfirmed}
    on conflict (day) do update set confirmed = excluded.confirmed`.execute(db);
}

/** How many were confirmed on the days of a year up to today, the oldest first. */
export async function listDays(db: Db, now: Date): Promise<{ day: string; confirmed: number }[]> {
  await countDay(db, now);
  const days = db.selectFrom("subscriber_days").select(["day", "confirmed"]);
  const aYearAgo = torontoDay(now.getTime()).subtract({ years: 1 }).toString();
  return await days.where("day", ">=", aYearAgo).orderBy("day").execute();
}

/** `124 (3 more in seven days)`. */
export async function describeGrowth(db: Db, now: Date): Promise<string> {
  const days = await listDays(db, now);
  const confirmed = days.at(-1)?.confirmed ?? 0;
  const aWeekAgo = torontoDay(now.getTime()).subtract({ days: 7 }).toString();
  const before = days.findLast(({ day }) => day <= aWeekAgo);
  if (!before) return number(confirmed);
  const by = confirmed - before.confirmed;
  const step = by === 0 ? "no change" : `${number(Math.abs(by))} ${by > 0 ? "more" : "fewer"}`;
  return `${number(confirmed)} (${step} in seven days)`;
}

/** The subscribers with the proof of their consent; with `linksTo`, the site's address, also each one's link to leave. */
export function exportSubscribers(
  db: Db,
  { confirmed = false, linksTo }: { confirmed?: boolean; linksTo?: string } = {},
): Export {
  const state = confirmed ? "confirmed" : undefined;
  const page = (limit: number, afterId?: number) => listSubscribers(db, { state, afterId, limit });
  const recordOf = (subscriber: SubscriberListing) => ({
    ...subscriberRecord(subscriber),
    ...(linksTo && { unsubscribe_url: unsubscribeLink({ url: linksTo }, subscriber.token) }),
  });
  async function* read() {
    for await (const subscriber of inPages(page)) yield recordOf(subscriber);
  }
  return { columns: Object.keys(recordOf({} as SubscriberListing)), records: read() };
}

/** A subscriber without the secret of their links. */
export function subscriberRecord(subscriber: SubscriberListing): Record<string, string | null> {
  const { state, bounce } = subscriber;
  return {
    email: subscriber.email,
    state: state === "unconfirmed" ? "subscribed" : state,
    subscribed_at: subscriber.subscribedAt,
    confirmed_at: subscriber.confirmedAt,
    unsubscribed_at: subscriber.unsubscribedAt,
    consent_text: subscriber.consentText,
    consent_page: subscriber.consentPage,
    consent_address: subscriber.consentAddress,
    held_at: subscriber.heldAt,
    held_reason: subscriber.heldReason,
    released_at: subscriber.releasedAt,
    bounced_at: subscriber.bouncedAt,
    bounced_by: bounce?.kind ?? null,
    bounce_code: bounce?.statusCode ?? null,
    bounce_answer: bounce?.answer ?? null,
    consent_ends_at: subscriber.consentEndsAt,
  };
}
