import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";
import { applyEvents } from "./apply-event.ts";
import type { ImportedSubscriber } from "./imported-subscriber.ts";
import { loadLocked } from "./load-subscriber.ts";

/** A reader here whom a list names as gone since: what happened there, and when. */
type EndedElsewhere = { mailbox: string; event: "leave" | "bounce"; at: Date };

/**
 * Those of the listed who are mailed from here, or could be again by a release, and who have left in the program that the
 * list is from, or whose address has stopped taking mail there. What was decided last counts; at one moment, and where
 * neither side has a time of its own, what keeps mail away. Without a time it counts for whom that list or one like it has
 * brought, and not for who has confirmed here or, of an address that bounced, was released here.
 */
export async function findEndedElsewhere(
  db: Kysely<Database>,
  listed: ReadonlyMap<string, ImportedSubscriber>,
): Promise<EndedElsewhere[]> {
  const gone = [...listed].filter(([, one]) => one.unsubscribedAt || one.bouncedAt);
  if (gone.length === 0) return [];
  const readers = await db
    .selectFrom("subscribers")
    .select(["mailbox_key", "confirmed_at", "bounced_at", "pending_since"])
    .where(
      "mailbox_key",
      "in",
      gone.map(([mailbox]) => mailbox),
    )
    .where("confirmed_at", "is not", null)
    .where("unsubscribed_at", "is", null)
    .execute();
  if (readers.length === 0) return [];
  const entries = await db
    .selectFrom("consent_events")
    .select(["mailbox_key", "event", "recorded_at"])
    .where(
      "mailbox_key",
      "in",
      readers.map(({ mailbox_key }) => mailbox_key),
    )
    .where("event", "in", ["imported", "confirmed", "moved_here", "released"])
    .orderBy("id")
    .execute();
  const entriesOf = Map.groupBy(entries, ({ mailbox_key }) => mailbox_key);
  return readers.flatMap((reader) => {
    const mailbox = reader.mailbox_key;
    const subscriber = listed.get(mailbox);
    return subscriber ? endOf(reader, subscriber, entriesOf.get(mailbox) ?? []) : [];
  });
}

type Reader = {
  mailbox_key: string;
  confirmed_at: string | null;
  bounced_at: string | null;
  pending_since: string | null;
};

function endOf(
  { mailbox_key: mailbox, confirmed_at, bounced_at, pending_since }: Reader,
  { unsubscribedAt, bouncedAt, isEndUndated = false }: ImportedSubscriber,
  entries: readonly { event: string; recorded_at: string }[],
): EndedElsewhere[] {
  const event = unsubscribedAt ? "leave" : "bounce";
  const at = unsubscribedAt ?? bouncedAt;
  if (!at || (event === "bounce" && bounced_at !== null)) return [];
  const last = (...events: string[]) =>
    entries.findLast((entry) => events.includes(entry.event))?.recorded_at ?? null;
  const importedAt = last("imported");
  const released = event === "bounce" ? last("released") : null;
  const isOwn = importedAt === null || last("confirmed", "moved_here") !== null;
  if (isEndUndated) {
    const counts = !isOwn && pending_since === null && released === null;
    return counts ? [{ mailbox, event, at: new Date(at) }] : [];
  }
  // A list without times was given those of its import, which say nothing of when anybody confirmed.
  const confirmed = !isOwn && confirmed_at === importedAt ? null : confirmed_at;
  const isLatest = [confirmed, pending_since, released].every((one) => one === null || at >= one);
  return isLatest ? [{ mailbox, event, at: new Date(at) }] : [];
}

/**
 * Lets what has ended elsewhere end here, as if the reader had left or the address had bounced here. The caller holds the
 * locks.
 */
export async function endHere(
  trx: Kysely<Database>,
  listed: ReadonlyMap<string, ImportedSubscriber>,
  { now, newsletterWebhookUrl }: { now: Date; newsletterWebhookUrl: string | null },
): Promise<{ left: number; bounced: number }> {
  const ended = await findEndedElsewhere(trx, listed);
  if (ended.length === 0) return countEnded(ended);
  const endOfMailbox = new Map(ended.map((one) => [one.mailbox, one]));
  const loaded = await loadLocked(
    trx,
    ended.map(({ mailbox }) => ({ mailbox, now })),
  );
  const events = loaded.flatMap((one) => {
    const end = endOfMailbox.get(one.mailbox);
    if (!end) return [];
    const { event, at: occurredAt } = end;
    const happening = { event, occurredAt, way: "import" as const, now, newsletterWebhookUrl };
    return [{ loaded: one, happening }];
  });
  await applyEvents(trx, events);
  return countEnded(ended);
}

/** How many of them left, and of how many the address bounced. */
export function countEnded(ended: readonly EndedElsewhere[]): { left: number; bounced: number } {
  const left = ended.filter(({ event }) => event === "leave").length;
  return { left, bounced: ended.length - left };
}
