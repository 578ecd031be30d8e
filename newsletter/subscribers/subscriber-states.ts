import { type Selectable, sql } from "kysely";
import type { Database } from "#db/tables.ts";

/** An end holds until a new sign-up is confirmed, which waits or is quarantined beside it. */
export type SubscriberState =
  | "absent"
  | "quarantined"
  | "waiting"
  | "confirmed"
  /** Sent issues until an implied consent ends, which a confirmation of their own makes lasting. */
  | "agreed for a time"
  /** Nothing is sent until a release or a new confirmation. */
  | "bounced"
  | "waiting after bouncing"
  | "left"
  | "quarantined after leaving"
  | "waiting after leaving"
  | "erased"
  | "quarantined after erasure"
  | "waiting after erasure";

export type SubscriberEvent =
  | "sign up"
  | "sign up, suspected"
  | "add"
  | "confirm"
  | "leave"
  | "bounce"
  | "complain"
  | "release"
  | "erase";

export type Transition = {
  to: SubscriberState;
  /** `confirm` asks for a confirmation, `known` says that there is nothing to do. */
  mail?: "confirm" | "known";
  /** `ended` is an unsubscribe that is sent only if the webhook knows of the subscription. */
  tell?: "subscribed" | "confirmed" | "unsubscribed" | "ended";
  note?: true;
  answer: "ok" | "duplicate" | "unknown" | "unsubscribed" | "not quarantined";
};

type Row = Record<SubscriberEvent, Transition>;

const asks = { mail: "confirm", answer: "ok" } as const;
const asksAgain = { mail: "confirm", answer: "duplicate" } as const;
const asksAndTells = { ...asks, tell: "subscribed" } as const;
const quarantines = { note: true, answer: "ok" } as const;
const ends = { tell: "ended", answer: "ok" } as const;

/** Only the subscriber's link changes such a state. Suspected sign-ups are answered as new. */
const stays = (to: SubscriberState, confirm: Transition["answer"] = "unknown"): Row => ({
  "sign up": { to, answer: "duplicate" },
  "sign up, suspected": { to, answer: "ok" },
  add: { to, answer: "duplicate" },
  confirm: { to, answer: confirm },
  leave: { to, answer: "ok" },
  bounce: { to, answer: "ok" },
  complain: { to, answer: "ok" },
  release: { to, answer: "not quarantined" },
  erase: { to, answer: "ok" },
});

const isKnown = (to: SubscriberState, confirm?: Transition["answer"]): Row => ({
  ...stays(to, confirm),
  erase: { to: "erased", ...ends },
});

const isGone = (to: SubscriberState, confirm?: Transition["answer"]): Row => ({
  ...stays(to, confirm),
  add: { to, answer: "unsubscribed" },
  leave: { to: "left", answer: "ok" },
  erase: { to: "erased", answer: "ok" },
});

export const subscriberStates: Record<SubscriberState, Row> = {
  absent: {
    ...stays("absent"),
    "sign up": { to: "waiting", ...asksAndTells },
    "sign up, suspected": { to: "quarantined", ...quarantines },
    add: { to: "confirmed", answer: "ok" },
    leave: { to: "absent", answer: "unknown" },
    release: { to: "absent", answer: "unknown" },
  },
  quarantined: {
    ...isKnown("quarantined"),
    "sign up": { to: "waiting", ...asksAndTells },
    leave: { to: "left", ...ends },
    release: { to: "waiting", ...asksAndTells },
  },
  waiting: {
    ...isKnown("waiting"),
    "sign up": { to: "waiting", ...asksAgain },
    add: { to: "confirmed", tell: "confirmed", answer: "ok" },
    confirm: { to: "confirmed", tell: "confirmed", answer: "ok" },
    leave: { to: "left", ...ends },
  },
  confirmed: {
    ...isKnown("confirmed", "ok"),
    "sign up": { to: "confirmed", mail: "known", answer: "duplicate" },
    leave: { to: "left", tell: "unsubscribed", answer: "ok" },
    bounce: { to: "bounced", answer: "ok" },
    complain: { to: "bounced", answer: "ok" },
  },
  "agreed for a time": {
    ...isKnown("agreed for a time", "ok"),
    "sign up": { to: "agreed for a time", ...asksAgain },
    confirm: { to: "confirmed", answer: "ok" },
    leave: { to: "left", tell: "unsubscribed", answer: "ok" },
    bounce: { to: "bounced", answer: "ok" },
    complain: { to: "bounced", answer: "ok" },
  },
  bounced: {
    ...isKnown("bounced"),
    // The mail tests whether the address works again.
    "sign up": { to: "waiting after bouncing", ...asksAgain },
    leave: { to: "left", tell: "unsubscribed", answer: "ok" },
    release: { to: "confirmed", answer: "ok" },
  },
  "waiting after bouncing": {
    ...isKnown("waiting after bouncing"),
    "sign up": { to: "waiting after bouncing", ...asksAgain },
    confirm: { to: "confirmed", answer: "ok" },
    leave: { to: "left", tell: "unsubscribed", answer: "ok" },
    release: { to: "confirmed", answer: "ok" },
  },
  left: {
    ...isGone("left", "unsubscribed"),
    "sign up": { to: "waiting after leaving", ...asks },
    "sign up, suspected": { to: "quarantined after leaving", ...quarantines },
  },
  "quarantined after leaving": {
    ...isGone("quarantined after leaving", "unsubscribed"),
    "sign up": { to: "waiting after leaving", ...asks },
    release: { to: "waiting after leaving", ...asks },
  },
  "waiting after leaving": {
    ...isGone("waiting after leaving", "unsubscribed"),
    "sign up": { to: "waiting after leaving", ...asksAgain },
    confirm: { to: "confirmed", tell: "confirmed", answer: "ok" },
  },
  erased: {
    ...stays("erased"),
    "sign up": { to: "waiting after erasure", ...asks },
    "sign up, suspected": { to: "quarantined after erasure", ...quarantines },
    add: { to: "erased", answer: "unsubscribed" },
    leave: { to: "erased", answer: "unknown" },
    release: { to: "erased", answer: "unknown" },
  },
  "quarantined after erasure": {
    ...isGone("quarantined after erasure"),
    "sign up": { to: "waiting after erasure", ...asks },
    release: { to: "waiting after erasure", ...asks },
  },
  "waiting after erasure": {
    ...isGone("waiting after erasure"),
    "sign up": { to: "waiting after erasure", ...asksAgain },
    confirm: { to: "confirmed", tell: "confirmed", answer: "ok" },
  },
};

type Standing = Pick<
  Selectable<Database["subscribers"]>,
  | "confirmed_at"
  | "unsubscribed_at"
  | "pending_since"
  | "held_at"
  | "bounced_at"
  | "consent_ends_at"
>;

export function subscriberStateOf(row: Standing | null, wasErased: boolean): SubscriberState {
  if (!row) return wasErased ? "erased" : "absent";
  const pending = row.held_at ? "quarantined" : "waiting";
  if (row.unsubscribed_at) return row.pending_since ? `${pending} after leaving` : "left";
  if (row.confirmed_at && row.bounced_at) {
    return row.pending_since ? "waiting after bouncing" : "bounced";
  }
  if (row.confirmed_at) return row.consent_ends_at ? "agreed for a time" : "confirmed";
  return wasErased ? `${pending} after erasure` : pending;
}

export function hasBounced(state: SubscriberState): boolean {
  return state === "bounced" || state === "waiting after bouncing";
}

export type ListedState = "confirmed" | "unconfirmed" | "bounced" | "unsubscribed";

export const listedState = sql<ListedState>`case
  when subscribers.unsubscribed_at is not null then 'unsubscribed'
  when subscribers.confirmed_at is null then 'unconfirmed'
  when subscribers.bounced_at is not null then 'bounced' else 'confirmed' end`;

export const isConfirmed = sql<boolean>`(${listedState} = 'confirmed')`;

/** An implied consent may be over by then. */
export function isMailedAt(at: string) {
  return sql<boolean>`(${isConfirmed}
    and (subscribers.consent_ends_at is null or subscribers.consent_ends_at > ${at}))`;
}
