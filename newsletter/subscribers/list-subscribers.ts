import { sql } from "kysely";
import { number } from "#content/amounts.ts";
import { startOfTorontoDay } from "#content/toronto-time.ts";
import { holdsText } from "#db/hold-text.ts";
import type { Db } from "#db/tables.ts";
import { type ListedState, listedState } from "./subscriber-states.ts";

export type SubscriberListing = Awaited<ReturnType<typeof listSubscribers>>[number];

type Listed = {
  state?: ListedState;
  quarantined?: boolean;
  /** `YYYY-MM-DD` in Toronto, of the sign-up or, with the state `unsubscribed`, of the end. */
  since?: string;
  find?: string;
  limit?: number;
  afterId?: number;
  newestFirst?: boolean;
};

export async function listSubscribers(
  db: Db,
  {
    state,
    quarantined = false,
    since,
    find,
    limit = 100,
    afterId,
    newestFirst = false,
  }: Listed = {},
) {
  let query = subscribersWithProof(db)
    .orderBy("subscribers.id", newestFirst ? "desc" : "asc")
    .limit(limit);
  if (afterId !== undefined) {
    query = query.where("subscribers.id", newestFirst ? "<" : ">", afterId);
  }
  if (state) query = query.where(listedState, "=", state);
  if (quarantined) query = query.where("held_at", "is not", null);
  if (since) {
    const moment = state === "unsubscribed" ? "unsubscribed_at" : "subscribed_at";
    query = query.where(moment, ">=", startOfTorontoDay(since));
  }
  if (find) query = query.where(holdsText(db, find));
  const rows = await query.execute();
  return rows.map(({ wording, kind, statusCode, answer, ...row }) => ({
    ...row,
    consentText: wording ?? "",
    /** Imported bounces have no kind. */
    bounce: kind && { kind, statusCode, answer: answer ?? "" },
  }));
}

/** Joins the ledger's proof of consent and the bounce or complaint. */
function subscribersWithProof(db: Db) {
  return db
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
    .select([
      "subscribers.id",
      "subscribers.email",
      "subscribed_at as subscribedAt",
      "confirmed_at as confirmedAt",
      "unsubscribed_at as unsubscribedAt",
      "wording",
      "page as consentPage",
      "network_address as consentAddress",
      "held_at as heldAt",
      "held_reason as heldReason",
      "released_at as releasedAt",
      "bounced_at as bouncedAt",
      "kind",
      "status_code as statusCode",
      "answer",
      "consent_ends_at as consentEndsAt",
      "token",
      "confirm_token as confirmToken",
      listedState.as("state"),
    ]);
}

export async function findSubscriber(db: Db, id: number) {
  const found = db.selectFrom("subscribers").where("id", "=", id);
  return await found
    .select(["email", "held_at as heldAt", "consent_ends_at as consentEndsAt"])
    .select(listedState.as("state"))
    .executeTakeFirst();
}

/** `124 (3 more in seven days, no change in the seven before)`: confirmed subscribers among those who are stored. */
export async function describeGrowth(db: Db, now: Date): Promise<string> {
  const at = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString();
  const confirmed = (moment: string) => sql<number>`count(*) filter (where confirmed_at < ${moment}
    and (unsubscribed_at is null or unsubscribed_at >= ${moment})
    and (bounced_at is null or bounced_at >= ${moment}))`;
  const counts = await db
    .selectFrom("subscribers")
    .select([confirmed(at(0)).as("today"), confirmed(at(7)).as("weekAgo")])
    .select(confirmed(at(14)).as("before"))
    .executeTakeFirstOrThrow();
  const [today, weekAgo, before] = [counts.today, counts.weekAgo, counts.before].map(Number) as [
    number,
    number,
    number,
  ];
  const step = (by: number) =>
    by === 0 ? "no change" : `${number(Math.abs(by))} ${by > 0 ? "more" : "fewer"}`;
  return `${number(today)} (${step(today - weekAgo)} in seven days, ${step(weekAgo - before)} in the seven before)`;
}
