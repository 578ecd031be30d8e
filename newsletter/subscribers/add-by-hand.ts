import { startOfTorontoDay, torontoDay } from "#content/toronto-time.ts";
import type { Db } from "#db/tables.ts";
import { findMailbox, readAddress } from "#mail/mailbox-key.ts";
import { isDay } from "../text-files.ts";
import { consentTextMaxLength } from "./read-list.ts";
import { addSubscriber } from "./subscribe.ts";
import type { SubscriberState } from "./subscriber-states.ts";

/** Express consent has no end; one that is implied by a purchase or a question has (CASL, s. 10(10), (13)). */
const consentKinds = {
  express: { words: "Express consent", lasts: null },
  purchase: { words: "Consent implied by a purchase or contract", lasts: { months: 24 } },
  question: { words: "Consent implied by a question or request", lasts: { months: 6 } },
} as const;

type ConsentKind = keyof typeof consentKinds;

export type ByHand = {
  email: string;
  kind: string;
  /** How they agreed, in the owner's words. */
  how: string;
  /** `YYYY-MM-DD`, in Toronto. */
  day: string;
};

export type AddedByHand =
  | { ok: true; id: number; endsAt: string | null }
  | { ok: false; reason: "no_address" | "no_kind" | "no_words" | "no_day" | "day_to_come" | "over" }
  | { ok: false; reason: "known"; state: SubscriberState };

/** Adds a subscriber with the proof of consent that the owner has. */
export async function addByHand(
  deps: { db: Db; newsletterWebhookUrl: string | null; now: Date },
  given: ByHand,
): Promise<AddedByHand> {
  const address = readAddress(given.email.trim());
  if (!address || !findMailbox(address)) return { ok: false, reason: "no_address" };
  const { kind, day } = given;
  if (!isKind(kind)) return { ok: false, reason: "no_kind" };
  const how = given.how.trim().slice(0, consentTextMaxLength);
  if (how === "") return { ok: false, reason: "no_words" };
  if (!isDay(day)) return { ok: false, reason: "no_day" };
  const { words, lasts } = consentKinds[kind];
  const today = torontoDay(deps.now.getTime()).toString();
  if (day > today) return { ok: false, reason: "day_to_come" };
  const lastDay = lasts && Temporal.PlainDate.from(day).add(lasts).toString();
  if (lastDay !== null && lastDay <= today) return { ok: false, reason: "over" };
  const endsAt = lastDay === null ? null : startOfTorontoDay(lastDay);
  const until = lastDay === null ? "" : `, until ${lastDay}`;
  const added = await addSubscriber(deps, {
    email: address,
    wording: `${words}, of ${day}${until}. In the sender's words: ${how}`,
    agreedAt: new Date(day === today ? deps.now : startOfTorontoDay(day)),
    endsAt: endsAt === null ? null : new Date(endsAt),
  });
  return added.ok ? { ok: true, id: added.id, endsAt } : { ...added, reason: "known" };
}

function isKind(kind: string): kind is ConsentKind {
  return Object.hasOwn(consentKinds, kind);
}
