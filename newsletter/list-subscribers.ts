import type { Kysely } from "kysely";
import type { Database, HeldReason, ReportKind } from "#db/tables.ts";

export type ListingState = "confirmed" | "unconfirmed" | "bounced" | "unsubscribed";

export type SubscriberListing = {
  id: number;
  email: string;
  state: ListingState;
  subscribedAt: string;
  confirmedAt: string | null;
  unsubscribedAt: string | null;
  consentText: string;
  consentPage: string | null;
  consentAddress: string | null;
  /** Since when the sign-up is in quarantine. */
  heldAt: string | null;
  heldReason: HeldReason | null;
  releasedAt: string | null;
  bouncedAt: string | null;
  /** Null where a list brought the bounce. */
  bounce: { kind: ReportKind; statusCode: string | null; answer: string } | null;
  /** The token of the unsubscribe links. */
  token: string;
  confirmToken: string | null;
};

/**
 * Joins the ledger's entry for the current sign-up, or the waiting one where none was confirmed, and the bounce or
 * complaint that ended the subscription.
 */
function subscribersWithProof(db: Kysely<Database>) {
  return db
    .selectFrom("subscribers")
    .leftJoin("consent_events as proof", (join) =>
      join.on("proof.id", "=", (eb) =>
        eb
          .selectFrom("consent_events as entry")
          .select((max) => max.fn.max("entry.id").as("id"))
          .whereRef("entry.mailbox_key", "=", "subscribers.mailbox_key")
          .whereRef("entry.occurred_at", "=", "subscribers.subscribed_at")
          .whereRef("entry.email", "=", "subscribers.email")
          .where("entry.wording_hash", "is not", null),
      ),
    )
    .leftJoin("consent_wordings", "consent_wordings.hash", "proof.wording_hash")
    .leftJoin("bounces", (join) =>
      join.on("bounces.id", "=", (eb) =>
        eb
          .selectFrom("bounces as report")
          .select((max) => max.fn.max("report.id").as("id"))
          .whereRef("report.mailbox_key", "=", "subscribers.mailbox_key")
          .whereRef("report.occurred_at", "=", "subscribers.bounced_at"),
      ),
    )
    .selectAll("subscribers")
    .select(["wording", "page", "network_address"])
    .select(["bounces.kind", "bounces.status_code", "bounces.answer"]);
}

/** Subscribers by first sign-up; `afterId` is the last id of the previous page. */
export async function listSubscribers(
  db: Kysely<Database>,
  {
    state,
    held = false,
    limit = 100,
    afterId,
    newestFirst = false,
  }: {
    state?: ListingState;
    held?: boolean;
    limit?: number;
    afterId?: number;
    newestFirst?: boolean;
  } = {},
): Promise<SubscriberListing[]> {
  let query = subscribersWithProof(db);
  if (afterId !== undefined) {
    query = query.where("subscribers.id", newestFirst ? "<" : ">", afterId);
  }
  if (state === "unsubscribed") query = query.where("unsubscribed_at", "is not", null);
  else if (state) {
    query = query
      .where("unsubscribed_at", "is", null)
      .where("confirmed_at", state === "unconfirmed" ? "is" : "is not", null);
    if (state !== "unconfirmed") {
      query = query.where("bounced_at", state === "bounced" ? "is not" : "is", null);
    }
  }
  if (held) query = query.where("held_at", "is not", null);
  const rows = await query
    .orderBy("subscribers.id", newestFirst ? "desc" : "asc")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    email: row.email,
    state: stateWord(row),
    subscribedAt: row.subscribed_at,
    confirmedAt: row.confirmed_at,
    unsubscribedAt: row.unsubscribed_at,
    consentText: row.wording ?? "",
    consentPage: row.page,
    consentAddress: row.network_address,
    heldAt: row.held_at,
    heldReason: row.held_reason,
    releasedAt: row.released_at,
    bouncedAt: row.bounced_at,
    bounce: row.kind && {
      kind: row.kind,
      statusCode: row.status_code,
      answer: row.answer ?? "",
    },
    token: row.token,
    confirmToken: row.confirm_token,
  }));
}

function stateWord(row: {
  unsubscribed_at: string | null;
  confirmed_at: string | null;
  bounced_at: string | null;
}): ListingState {
  if (row.unsubscribed_at) return "unsubscribed";
  if (!row.confirmed_at) return "unconfirmed";
  return row.bounced_at ? "bounced" : "confirmed";
}
