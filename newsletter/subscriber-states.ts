import type { ExpressionBuilder } from "kysely";
import type { Database } from "#db/tables.ts";

/**
 * Where a mailbox stands with the newsletter. Whoever has left, has bounced or was erased stays so until a sign-up of
 * theirs is confirmed: until then it only waits, or is held, beside that.
 */
export type SubscriberState =
  | "absent"
  | "held"
  | "waiting"
  | "confirmed"
  /**
   * Confirmed, and the address takes no mail any more, or its reader complained: nothing is sent to it until it's
   * released or confirmed again.
   */
  | "bounced"
  | "waiting after bouncing"
  | "left"
  | "held after leaving"
  | "waiting after leaving"
  | "erased"
  | "held after erasure"
  | "waiting after erasure";

/** What can happen to it, by a visitor or a program, by the mailbox's holder, or by the operator. */
export type SubscriberEvent =
  | "sign up"
  /** A sign-up that looks like spam. */
  | "sign up, suspected"
  | "confirm"
  | "leave"
  /** The address has refused a mail for good, or too often. */
  | "bounce"
  /** The reader's mail service has passed on that they call it spam. */
  | "complain"
  | "release"
  | "import as waiting"
  | "import as confirmed"
  | "import as bounced"
  | "import as left"
  | "remove"
  | "erase";

export type Transition = {
  to: SubscriberState;
  /** `confirm` asks for the confirmation, `known` says that there is nothing to do. One an hour of either. */
  mail?: "confirm" | "known";
  /** What the webhook hears; `ended` is an unsubscribing that only a webhook hears which knows of the subscription. */
  tell?: "subscribed" | "confirmed" | "unsubscribed" | "ended";
  /** The operator is told that something is held. */
  note?: true;
  answer: "ok" | "duplicate" | "unknown" | "unsubscribed" | "not held" | "present" | "erased";
};

type Row = Record<SubscriberEvent, Transition>;

const asks = { mail: "confirm", answer: "ok" } as const;
const asksAgain = { mail: "confirm", answer: "duplicate" } as const;
const asksAndTells = { ...asks, tell: "subscribed" } as const;
const holds = { note: true, answer: "ok" } as const;
const ends = { tell: "ended", answer: "ok" } as const;

/**
 * Where nothing changes but by its holder's own link in a mail to it. A suspected sign-up is always answered as a new
 * one, so that it tells nothing.
 */
const stays = (
  to: SubscriberState,
  answers: { confirm: Transition["answer"]; import: Transition["answer"] },
): Row => ({
  "sign up": { to, answer: "duplicate" },
  "sign up, suspected": { to, answer: "ok" },
  confirm: { to, answer: answers.confirm },
  leave: { to, answer: "ok" },
  bounce: { to, answer: "ok" },
  complain: { to, answer: "ok" },
  release: { to, answer: "not held" },
  "import as waiting": { to, answer: answers.import },
  "import as confirmed": { to, answer: answers.import },
  "import as bounced": { to, answer: answers.import },
  "import as left": { to, answer: answers.import },
  remove: { to, answer: "unknown" },
  erase: { to, answer: "ok" },
});

/**
 * Every state, and what each event makes of it; what isn't named changes nothing. `erased` is who is known
 * by a hash alone: everything was erased, or the operator removed what was kept of somebody who had left.
 */
export const subscriberStates: Record<SubscriberState, Row> = {
  absent: {
    ...stays("absent", { confirm: "unknown", import: "present" }),
    "sign up": { to: "waiting", ...asksAndTells },
    "sign up, suspected": { to: "held", ...holds },
    leave: { to: "absent", answer: "unknown" },
    release: { to: "absent", answer: "unknown" },
    "import as waiting": { to: "waiting", answer: "ok" },
    "import as confirmed": { to: "confirmed", answer: "ok" },
    "import as bounced": { to: "bounced", answer: "ok" },
    "import as left": { to: "left", answer: "ok" },
  },
  held: {
    ...stays("held", { confirm: "unknown", import: "present" }),
    "sign up": { to: "waiting", ...asksAndTells },
    leave: { to: "left", ...ends },
    release: { to: "waiting", ...asksAndTells },
    remove: { to: "absent", ...ends },
    erase: { to: "erased", ...ends },
  },
  waiting: {
    ...stays("waiting", { confirm: "unknown", import: "present" }),
    "sign up": { to: "waiting", ...asksAgain },
    confirm: { to: "confirmed", tell: "confirmed", answer: "ok" },
    leave: { to: "left", ...ends },
    remove: { to: "absent", ...ends },
    erase: { to: "erased", ...ends },
  },
  confirmed: {
    ...stays("confirmed", { confirm: "ok", import: "present" }),
    "sign up": { to: "confirmed", mail: "known", answer: "duplicate" },
    leave: { to: "left", tell: "unsubscribed", answer: "ok" },
    bounce: { to: "bounced", answer: "ok" },
    complain: { to: "bounced", answer: "ok" },
    remove: { to: "absent", ...ends },
    erase: { to: "erased", ...ends },
  },
  bounced: {
    ...stays("bounced", { confirm: "unknown", import: "present" }),
    // The mail that asks finds out whether the address works again.
    "sign up": { to: "waiting after bouncing", ...asksAgain },
    leave: { to: "left", tell: "unsubscribed", answer: "ok" },
    release: { to: "confirmed", answer: "ok" },
    remove: { to: "absent", ...ends },
    erase: { to: "erased", ...ends },
  },
  "waiting after bouncing": {
    ...stays("waiting after bouncing", { confirm: "unknown", import: "present" }),
    "sign up": { to: "waiting after bouncing", ...asksAgain },
    confirm: { to: "confirmed", answer: "ok" },
    leave: { to: "left", tell: "unsubscribed", answer: "ok" },
    release: { to: "confirmed", answer: "ok" },
    remove: { to: "absent", ...ends },
    erase: { to: "erased", ...ends },
  },
  left: {
    ...stays("left", { confirm: "unsubscribed", import: "present" }),
    "sign up": { to: "waiting after leaving", ...asks },
    "sign up, suspected": { to: "held after leaving", ...holds },
    remove: { to: "erased", answer: "ok" },
    erase: { to: "erased", answer: "ok" },
  },
  "held after leaving": {
    ...stays("held after leaving", { confirm: "unsubscribed", import: "present" }),
    "sign up": { to: "waiting after leaving", ...asks },
    leave: { to: "left", answer: "ok" },
    release: { to: "waiting after leaving", ...asks },
    remove: { to: "erased", answer: "ok" },
    erase: { to: "erased", answer: "ok" },
  },
  "waiting after leaving": {
    ...stays("waiting after leaving", { confirm: "unsubscribed", import: "present" }),
    "sign up": { to: "waiting after leaving", ...asksAgain },
    confirm: { to: "confirmed", tell: "confirmed", answer: "ok" },
    leave: { to: "left", answer: "ok" },
    remove: { to: "erased", answer: "ok" },
    erase: { to: "erased", answer: "ok" },
  },
  erased: {
    ...stays("erased", { confirm: "unknown", import: "erased" }),
    "sign up": { to: "waiting after erasure", ...asks },
    "sign up, suspected": { to: "held after erasure", ...holds },
    leave: { to: "erased", answer: "unknown" },
    release: { to: "erased", answer: "unknown" },
  },
  "held after erasure": {
    ...stays("held after erasure", { confirm: "unknown", import: "erased" }),
    "sign up": { to: "waiting after erasure", ...asks },
    leave: { to: "left", answer: "ok" },
    release: { to: "waiting after erasure", ...asks },
    remove: { to: "erased", answer: "ok" },
    erase: { to: "erased", answer: "ok" },
  },
  "waiting after erasure": {
    ...stays("waiting after erasure", { confirm: "unknown", import: "erased" }),
    "sign up": { to: "waiting after erasure", ...asksAgain },
    confirm: { to: "confirmed", tell: "confirmed", answer: "ok" },
    leave: { to: "left", answer: "ok" },
    remove: { to: "erased", answer: "ok" },
    erase: { to: "erased", answer: "ok" },
  },
};

/** What a row of the table of subscribers says, with whether its mailbox was erased before. */
type Standing = {
  confirmedAt: string | null;
  unsubscribedAt: string | null;
  pendingSince: string | null;
  heldAt: string | null;
  bouncedAt: string | null;
};

export function stateOf(standing: Standing | null, wasErased: boolean): SubscriberState {
  if (!standing) return wasErased ? "erased" : "absent";
  const { confirmedAt, unsubscribedAt, pendingSince, heldAt, bouncedAt } = standing;
  const pending = heldAt ? "held" : "waiting";
  if (unsubscribedAt) return pendingSince ? `${pending} after leaving` : "left";
  if (confirmedAt && bouncedAt) return pendingSince ? "waiting after bouncing" : "bounced";
  if (confirmedAt) return "confirmed";
  return wasErased ? `${pending} after erasure` : pending;
}

/** Whether nothing is sent to it because its address takes no mail, or its reader complained. */
export function hasBounced(state: SubscriberState): boolean {
  return state === "bounced" || state === "waiting after bouncing";
}

/** The same of `confirmed`, who are the only ones that are sent an issue, for a statement over all of them. */
export function isConfirmed(eb: ExpressionBuilder<Database, "subscribers">) {
  return eb.and([
    eb("subscribers.confirmed_at", "is not", null),
    eb("subscribers.unsubscribed_at", "is", null),
    eb("subscribers.bounced_at", "is", null),
  ]);
}
