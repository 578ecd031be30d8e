import type { Selectable } from "kysely";
import type { ConsentEventsTable, SubscribersTable } from "#db/tables.ts";
import type { ConsentEvent } from "./consent-event.ts";
import { isConsentTo } from "./consent-ledger.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** What a subscriber's row says that happened, and the entries of which one has to say it too. */
const told: {
  column: "confirmed_at" | "unsubscribed_at" | "bounced_at";
  what: string;
  events: readonly ConsentEvent[];
}[] = [
  { column: "confirmed_at", what: "confirmation", events: ["confirmed", "moved_here"] },
  { column: "unsubscribed_at", what: "leaving", events: ["left", "moved_away"] },
  { column: "bounced_at", what: "bounce or complaint", events: ["bounced", "complained"] },
];

type Entry = Pick<
  Selectable<ConsentEventsTable>,
  "event" | "email" | "wording_hash" | "occurred_at" | "recorded_at"
>;

type Standing = Pick<
  Selectable<SubscribersTable>,
  "email" | "subscribed_at" | "confirmed_at" | "unsubscribed_at" | "bounced_at"
>;

/**
 * What the row says and the ledger doesn't, each in a sentence: the end of a chain can be cut off without a trace in it,
 * and what stands beside it shows that. The times that came with a list from elsewhere, whose clock may be another zone's,
 * have no entries of their own.
 */
export function missingEntries(standing: Standing, entries: readonly Entry[]): string[] {
  const isSignUpThere = entries.some((entry) => isConsentTo(standing, entry));
  const imported = entries.find(({ event }) => event === "imported");
  const importedUntil = imported ? Date.parse(imported.recorded_at) + dayMs : 0;
  return [
    ...(isSignUpThere ? [] : ["There is no entry for the sign-up that stands."]),
    ...told.flatMap(({ column, what, events }) => {
      const at = standing[column];
      if (at === null || Date.parse(at) <= importedUntil) return [];
      const isThere = entries.some(
        (entry) =>
          events.includes(entry.event) && (entry.occurred_at === at || entry.recorded_at === at),
      );
      return isThere ? [] : [`There is no entry for the ${what} at ${at}.`];
    }),
  ];
}
