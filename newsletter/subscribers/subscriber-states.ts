import { type Selectable, sql, type Updateable } from "kysely";
import type { Database, QuarantineReason } from "#db/tables.ts";

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
  /** The owner has somebody of a list asked whether they want the newsletter. */
  | "ask"
  | "erase";

type Row = Selectable<Database["subscribers"]>;
type Change = Updateable<Database["subscribers"]>;

export type SignUp = {
  email: string;
  wording: string;
  page: string | null;
  networkAddress: string | null;
  suspicion: QuarantineReason | null;
  /** The end of an implied consent. */
  endsAt?: Date | null;
};

/** `endedAt` may be earlier than `now`, where another tool's list says so. */
type Facts = { row: Row | null; now: string; endedAt: string; signUp?: SignUp };

export type Transition = {
  to: SubscriberState;
  /** The columns that change. A repeat changes them only together with its mail. */
  write?: (facts: Facts) => Change;
  /** `confirm` and `ask` ask for a confirmation, `known` says that there is nothing to do. */
  mail?: "confirm" | "ask" | "known";
  /** `ended` is an unsubscribe that is sent only if the webhook knows of the subscription. */
  tell?: "subscribed" | "confirmed" | "unsubscribed" | "ended";
  /** Tells the owner that somebody is quarantined. */
  note?: true;
  answer: "ok" | "duplicate" | "unknown" | "unsubscribed" | "not quarantined";
};

const nothingPending = { pending_email: null, pending_since: null, held_at: null } as const;

/** Beside a subscriber who left, bounced or agreed for a time: nothing else changes yet. */
const waitingBeside = ({ signUp, now }: Facts): Change => ({
  pending_email: signUp?.email,
  pending_since: now,
  held_at: null,
  held_reason: null,
});
const waiting = (facts: Facts): Change => ({
  ...waitingBeside(facts),
  email: facts.signUp?.email,
  subscribed_at: facts.now,
});
const held = ({ signUp, now }: Facts) => ({ held_at: now, held_reason: signUp?.suspicion });

const writes = {
  waiting,
  waitingBeside,
  quarantined: (facts) => ({ ...waiting(facts), ...held(facts) }),
  quarantinedBeside: (facts) => ({ ...waitingBeside(facts), ...held(facts) }),
  confirmed: ({ row, now }) => ({
    ...nothingPending,
    email: row?.pending_email ?? row?.email,
    subscribed_at: row?.pending_since ?? row?.subscribed_at,
    confirmed_at: now,
    unsubscribed_at: null,
    // The mail with the link arrived, so an earlier bounce no longer counts.
    bounced_at: null,
    consent_ends_at: null,
  }),
  added: ({ signUp, now, endedAt }) => ({
    ...nothingPending,
    email: signUp?.email,
    subscribed_at: endedAt,
    confirmed_at: now,
    consent_ends_at: signUp?.endsAt?.toISOString() ?? null,
  }),
  left: ({ row, endedAt }) => ({
    ...nothingPending,
    unsubscribed_at: row?.unsubscribed_at ?? endedAt,
  }),
  bounced: ({ endedAt }) => ({ bounced_at: endedAt }),
  released: ({ now }) => ({ held_at: null, released_at: now }),
  worksAgain: ({ now }) => ({ ...nothingPending, bounced_at: null, released_at: now }),
} satisfies Record<string, Transition["write"]>;

type Events = Record<SubscriberEvent, Transition>;

const asks = { mail: "confirm", answer: "ok" } as const;
const asksAgain = { mail: "confirm", answer: "duplicate" } as const;
const asksAndTells = { ...asks, tell: "subscribed" } as const;
const quarantines = { write: writes.quarantined, note: true, answer: "ok" } as const;
const confirms = { to: "confirmed", write: writes.confirmed, answer: "ok" } as const;
const adds = { to: "confirmed", write: writes.added, answer: "ok" } as const;
const leaves = { to: "left", write: writes.left, answer: "ok" } as const;
const bounces = { to: "bounced", write: writes.bounced, answer: "ok" } as const;
const restores = { to: "confirmed", write: writes.worksAgain, answer: "ok" } as const;

/** Only the subscriber's link changes such a state. Suspected sign-ups are answered as new. */
const stays = (to: SubscriberState, confirm: Transition["answer"] = "unknown"): Events => ({
  "sign up": { to, answer: "duplicate" },
  "sign up, suspected": { to, answer: "ok" },
  add: { to, answer: "duplicate" },
  confirm: { to, answer: confirm },
  leave: { to, answer: "ok" },
  bounce: { to, answer: "ok" },
  complain: { to, answer: "ok" },
  release: { to, answer: "not quarantined" },
  ask: { to, answer: "ok" },
  erase: { to, answer: "ok" },
});

const isKnown = (to: SubscriberState, confirm?: Transition["answer"]): Events => ({
  ...stays(to, confirm),
  erase: { to: "erased", tell: "ended", answer: "ok" },
});

const isMailed = (to: SubscriberState): Events => ({
  ...isKnown(to, "ok"),
  leave: { ...leaves, tell: "unsubscribed" },
  bounce: bounces,
  complain: bounces,
});

const isGone = (to: SubscriberState, confirm?: Transition["answer"]): Events => ({
  ...stays(to, confirm),
  add: { to, answer: "unsubscribed" },
  leave: leaves,
  erase: { to: "erased", answer: "ok" },
});

export const subscriberStates: Record<SubscriberState, Events> = {
  absent: {
    ...stays("absent"),
    "sign up": { to: "waiting", write: writes.waiting, ...asksAndTells },
    "sign up, suspected": { to: "quarantined", ...quarantines },
    add: adds,
    leave: { to: "absent", answer: "unknown" },
    release: { to: "absent", answer: "unknown" },
  },
  quarantined: {
    ...isKnown("quarantined"),
    "sign up": { to: "waiting", write: writes.waiting, ...asksAndTells },
    leave: { ...leaves, tell: "ended" },
    release: { to: "waiting", write: writes.released, ...asksAndTells },
  },
  waiting: {
    ...isKnown("waiting"),
    "sign up": { to: "waiting", write: writes.waiting, ...asksAgain },
    add: { ...adds, tell: "confirmed" },
    confirm: { ...confirms, tell: "confirmed" },
    leave: { ...leaves, tell: "ended" },
    ask: { to: "waiting", mail: "ask", answer: "ok" },
  },
  confirmed: {
    ...isMailed("confirmed"),
    "sign up": { to: "confirmed", mail: "known", answer: "duplicate" },
  },
  "agreed for a time": {
    ...isMailed("agreed for a time"),
    "sign up": { to: "agreed for a time", write: writes.waitingBeside, ...asksAgain },
    confirm: confirms,
  },
  bounced: {
    ...isKnown("bounced"),
    // The mail tests whether the address works again.
    "sign up": { to: "waiting after bouncing", write: writes.waitingBeside, ...asksAgain },
    leave: { ...leaves, tell: "unsubscribed" },
    release: restores,
  },
  "waiting after bouncing": {
    ...isKnown("waiting after bouncing"),
    "sign up": { to: "waiting after bouncing", write: writes.waitingBeside, ...asksAgain },
    confirm: confirms,
    leave: { ...leaves, tell: "unsubscribed" },
    release: restores,
  },
  left: {
    ...isGone("left", "unsubscribed"),
    "sign up": { to: "waiting after leaving", write: writes.waitingBeside, ...asks },
    "sign up, suspected": {
      to: "quarantined after leaving",
      ...quarantines,
      write: writes.quarantinedBeside,
    },
  },
  "quarantined after leaving": {
    ...isGone("quarantined after leaving", "unsubscribed"),
    "sign up": { to: "waiting after leaving", write: writes.waitingBeside, ...asks },
    release: { to: "waiting after leaving", write: writes.released, ...asks },
  },
  "waiting after leaving": {
    ...isGone("waiting after leaving", "unsubscribed"),
    "sign up": { to: "waiting after leaving", write: writes.waitingBeside, ...asksAgain },
    confirm: { ...confirms, tell: "confirmed" },
  },
  erased: {
    ...stays("erased"),
    "sign up": { to: "waiting after erasure", write: writes.waiting, ...asks },
    "sign up, suspected": { to: "quarantined after erasure", ...quarantines },
    add: { to: "erased", answer: "unsubscribed" },
    leave: { to: "erased", answer: "unknown" },
    release: { to: "erased", answer: "unknown" },
  },
  "quarantined after erasure": {
    ...isGone("quarantined after erasure"),
    "sign up": { to: "waiting after erasure", write: writes.waiting, ...asks },
    release: { to: "waiting after erasure", write: writes.released, ...asks },
  },
  "waiting after erasure": {
    ...isGone("waiting after erasure"),
    "sign up": { to: "waiting after erasure", write: writes.waiting, ...asksAgain },
    confirm: { ...confirms, tell: "confirmed" },
  },
};

type LoadedState = { row: Row | null; state: SubscriberState; pauseUntil: Date | null };

/** Plans a mail an hour after the mailbox's last: a new state's mail waits, a repeat's is dropped. */
export function planMail(
  { to, mail }: Transition,
  { row, state, pauseUntil, mailAt, signUp }: LoadedState & { mailAt: Date; signUp?: SignUp },
  newToken: () => string,
) {
  const isRepeat = to === state;
  if (mail === undefined || (pauseUntil && isRepeat)) return null;
  const notBefore = pauseUntil ?? mailAt;
  const token = row?.token ?? newToken();
  if (mail === "known")
    return { notBefore, payload: { email: row?.email ?? "", token, confirmToken: null } };
  const email = signUp?.email ?? row?.pending_email ?? row?.email ?? "";
  // Reuse the link, unless it would go to another address, which may be somebody else's.
  const isPending = spellingOf(email) === spellingOf(row?.pending_email ?? "");
  const confirmToken = (isRepeat && isPending && row?.confirm_token) || newToken();
  const payload = { email, token, confirmToken, ...(mail === "ask" && { isAsked: true }) };
  return { notBefore, payload };
}

/** Ignores capitals and Unicode composition. */
function spellingOf(email: string): string {
  return email.normalize("NFC").toLowerCase();
}

/** The webhook's event and when it was told of the subscription; null where it hears nothing. */
export function tellingOf({ tell }: Transition, row: Row | null, now: string) {
  if (!tell || (tell === "ended" && !row?.webhook_told_at)) return null;
  const type = `newsletter.${tell === "ended" ? "unsubscribed" : tell}` as const;
  const begins = type !== "newsletter.unsubscribed";
  return { type, webhook_told_at: begins ? (row?.webhook_told_at ?? now) : null };
}

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

export type ListedState = "confirmed" | "unconfirmed" | "bounced" | "unsubscribed";

export const listedState = sql<ListedState>`case
  when subscribers.unsubscribed_at is not null then 'unsubscribed'
  when subscribers.confirmed_at is null then 'unconfirmed'
  when subscribers.bounced_at is not null then 'bounced' else 'confirmed' end`;

/** As the desk and the counts show them: quarantined sign-ups are a state of their own. */
export const shownState = sql<
  ListedState | "held"
>`case when subscribers.held_at is not null then 'held' else ${listedState} end`;

export const isConfirmed = sql<boolean>`(${listedState} = 'confirmed')`;

/** An implied consent may be over by then. */
export function isMailedAt(at: string) {
  return sql<boolean>`(${isConfirmed}
    and (subscribers.consent_ends_at is null or subscribers.consent_ends_at > ${at}))`;
}
