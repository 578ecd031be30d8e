import type { Kysely } from "kysely";
import { insertRows } from "../database/insert-rows.ts";
import type { Database } from "../database/tables.ts";
import type { HeldReason } from "../held/held-reason.ts";
import { noteHeld } from "../held/note-held.ts";
import { newDeliveryId, outboxRows } from "../outbox/enqueue.ts";
import type { Priority } from "../outbox/priority.ts";
import { liftErasure } from "../privacy/erasures.ts";
import {
  withdrawAddressChange,
  withdrawUnsentChangesTo,
} from "./address-change/withdraw-address-change.ts";
import type { LeavingWay } from "./consent-event.ts";
import { type ConsentEntry, consentRows } from "./consent-ledger.ts";
import type { LoadedSubscriber, SubscriberRow } from "./load-subscriber.ts";
import { type PlannedMail, signUpNews } from "./send-sign-up-news.ts";
import {
  hasBounced,
  type SubscriberEvent,
  type SubscriberState,
  subscriberStates,
  type Transition,
} from "./subscriber-states.ts";
import { newSubscriberToken } from "./subscriber-token.ts";
import { withdrawMail } from "./withdraw-mail.ts";

/** A sign-up as it came: the spelling, and what proves the consent. */
export type SignUp = {
  email: string;
  wording: string;
  page: string | null;
  networkAddress: string | null;
  suspicion: HeldReason | null;
};

/** What a reader brings along from the address before: the consent that stands, and where it stands. */
export type Arrival = {
  /** The new address, as typed. */
  email: string;
  fromId: number;
  proof: {
    occurredAt: string;
    wordingHash: string;
    page: string | null;
    networkAddress: string | null;
    carriedHash: string;
  };
};

type HappeningEvent = Exclude<SubscriberEvent, "remove" | "erase" | `import ${string}`>;

export type Happening = {
  event: HappeningEvent;
  now: Date;
  /** When somebody left or bounced, where it is heard of only now. */
  occurredAt?: Date;
  newsletterWebhookUrl: string | null;
  requestId?: string | null;
  /** When its mail is sent, where mail waits at a pace. */
  priority?: Priority;
  signUp?: SignUp;
  /** Given with "move here". */
  arrival?: Arrival;
  way?: LeavingWay;
};

export type Applied = {
  answer: Transition["answer"];
  /** When a mail goes out at the earliest, where one is written. */
  mailAt: Date | null;
};

/**
 * Lets an event happen to a mailbox that was loaded in the same transaction: what the table of states says, in the row,
 * the ledger and the outbox together.
 */
export async function applyEvent(
  trx: Kysely<Database>,
  loaded: LoadedSubscriber,
  happening: Happening,
): Promise<Applied> {
  const [applied] = await applyEvents(trx, [{ loaded, happening }]);
  return applied as Applied;
}

/** The same for different mailboxes at once, in a few statements for all. Answers each in its place. */
export async function applyEvents(
  trx: Kysely<Database>,
  events: readonly { loaded: LoadedSubscriber; happening: Happening }[],
): Promise<Applied[]> {
  const planned = events.map(({ loaded, happening }) => {
    const transition = subscriberStates[loaded.state][happening.event];
    const mail = planMail(loaded, transition, happening);
    const change = changeOf(loaded, transition, happening, mail);
    return { loaded, happening, transition, mail, change };
  });
  for (const { loaded, change } of planned) {
    if (loaded.row && change !== null) await changeRow(trx, loaded.row, loaded.mailbox, change);
  }
  for (const { loaded, transition, mail, happening } of planned) {
    if (transition.to === "confirmed" && loaded.state !== "confirmed") {
      await liftErasure(trx, loaded.mailbox);
    }
    if (mail && loaded.isMoveAsked) {
      await withdrawUnsentChangesTo(trx, loaded.mailbox, happening.now);
    }
    if (loaded.state === "confirmed" && transition.to !== "confirmed") {
      await withdrawAddressChange(trx, loaded.mailbox, happening.now);
    }
    const isNews = changesState(loaded, transition) && happening.event !== "sign up";
    if (loaded.row && (mail || isNews)) await withdrawMail(trx, loaded.mailbox, happening.now);
  }
  const toNote = planned.find(({ transition, happening }) => transition.note && happening.signUp);
  if (toNote) await noteHeld(trx, toNote.happening.now);
  const entries = planned.flatMap(({ loaded, transition, happening }) =>
    entryFor(loaded, transition, happening),
  );
  const news = planned.map(({ loaded, transition, mail, change, happening }) => ({
    loaded,
    transition,
    mail,
    ...happening,
    email: emailAfter(change, loaded),
  }));
  await insertRows(
    trx,
    { table: "subscribers", rows: planned.flatMap(newRow) },
    { table: "consent_events", rows: await consentRows(trx, entries) },
    { table: "outbox", rows: outboxRows(signUpNews(news)) },
  );
  return planned.map(({ transition, mail }) => ({
    answer: transition.answer,
    mailAt: mail?.at ?? null,
  }));
}

const changesState = ({ state }: LoadedSubscriber, { to }: Transition) => to !== state;

/**
 * The mail that the table asks for, as the pause allows it: what begins to wait is mailed when the pause is over, and what
 * has been mailed already, not again before.
 */
function planMail(
  { state, row, pauseUntil }: LoadedSubscriber,
  { to, mail }: Transition,
  { now, signUp }: Happening,
): PlannedMail | null {
  if (mail === undefined || (pauseUntil && to === state)) return null;
  const deliveryId = newDeliveryId();
  const at = pauseUntil ?? now;
  const token = row?.token ?? newSubscriberToken();
  if (mail === "known") return { deliveryId, at, to: row?.email ?? "", token, confirmToken: null };
  const address = signUp?.email ?? row?.pending_email ?? row?.email ?? "";
  // The same link again, unless it would go to another address, whose holder may be somebody else.
  const isAgain = to === state && emailKey(row?.pending_email ?? "") === emailKey(address);
  const confirmToken = (isAgain && row?.confirm_token) || newSubscriberToken();
  return { deliveryId, at, to: address, token, confirmToken };
}

type Change = {
  email?: string;
  token?: string;
  confirm_token?: string | null;
  subscribed_at?: string;
  confirmed_at?: string | null;
  unsubscribed_at?: string | null;
  pending_email?: string | null;
  pending_since?: string | null;
  mail_delivery_id?: string;
  held_at?: string | null;
  held_reason?: HeldReason | null;
  released_at?: string | null;
  webhook_told_at?: string | null;
  bounced_at?: string | null;
  moved_from_id?: number;
};

const nothingPending = { pending_email: null, pending_since: null, held_at: null } as const;

/** The columns that the transition changes; null where it changes none. */
function changeOf(
  loaded: LoadedSubscriber,
  transition: Transition,
  happening: Happening,
  mail: PlannedMail | null,
): Change | null {
  const { event, signUp, arrival, newsletterWebhookUrl } = happening;
  const { row } = loaded;
  const now = happening.now.toISOString();
  const endedAt = (happening.occurredAt ?? happening.now).toISOString();
  const change: Change = {};
  const isNews = changesState(loaded, transition);
  const beside = isBesideStanding(transition.to);
  if (mail) change.mail_delivery_id = mail.deliveryId;
  if (mail?.confirmToken) change.confirm_token = mail.confirmToken;
  if (signUp && (isNews || mail?.confirmToken)) {
    Object.assign(change, { pending_email: signUp.email, pending_since: now });
    if (!beside) Object.assign(change, { email: signUp.email, subscribed_at: now });
    const isHeld = event === "sign up, suspected";
    change.held_at = isHeld ? now : null;
    change.held_reason = isHeld ? signUp.suspicion : null;
    if (!row) change.token = mail?.token ?? newSubscriberToken();
  }
  if (event === "release" && isNews) Object.assign(change, { held_at: null, released_at: now });
  if (transition.to === "bounced" && isNews) change.bounced_at = endedAt;
  if (hasBounced(loaded.state) && transition.to === "confirmed") {
    Object.assign(change, { ...nothingPending, bounced_at: null });
  }
  if (event === "confirm" && isNews && row) {
    const { pending_email, pending_since, email, subscribed_at } = row;
    Object.assign(change, {
      ...nothingPending,
      email: pending_email ?? email,
      subscribed_at: pending_since ?? subscribed_at,
      confirmed_at: now,
      unsubscribed_at: null,
      // Of who bounced before leaving: the mail with the link has arrived.
      bounced_at: null,
    });
  }
  if (event === "move here" && isNews && arrival) {
    Object.assign(change, {
      ...nothingPending,
      email: arrival.email,
      subscribed_at: arrival.proof.occurredAt,
      confirmed_at: now,
      unsubscribed_at: null,
      bounced_at: null,
      moved_from_id: arrival.fromId,
      token: row?.token ?? newSubscriberToken(),
    });
  }
  if ((event === "leave" || event === "move away") && isNews) {
    Object.assign(change, { ...nothingPending, unsubscribed_at: row?.unsubscribed_at ?? endedAt });
  }
  const { tell } = transition;
  if (tell && newsletterWebhookUrl !== null) {
    const begins = tell === "subscribed" || tell === "confirmed";
    change.webhook_told_at = begins ? (row?.webhook_told_at ?? now) : null;
  }
  return Object.keys(change).length === 0 ? null : change;
}

/** Whether what waits stands beside somebody who has left or bounced, who stays as they are until it is confirmed. */
function isBesideStanding(state: SubscriberState): boolean {
  return state.endsWith("after leaving") || hasBounced(state);
}

type PlannedChange = { loaded: LoadedSubscriber; change: Change | null };

function newRow({ loaded: { row, mailbox }, change }: PlannedChange) {
  if (row || change === null) return [];
  const { email = "", token = "", subscribed_at = "" } = change;
  return [{ ...change, email, token, subscribed_at, mailbox_key: mailbox }];
}

async function changeRow(
  trx: Kysely<Database>,
  row: SubscriberRow,
  mailbox: string,
  change: Change,
): Promise<void> {
  await trx.updateTable("subscribers").set(change).where("id", "=", row.id).execute();
  const former = row.confirm_token;
  if (change.confirm_token && former && former !== change.confirm_token && former !== row.token) {
    await trx
      .insertInto("former_tokens")
      .values({ token: former, mailbox_key: mailbox })
      .onConflict((conflict) => conflict.column("token").doNothing())
      .execute();
  }
}

function emailAfter(change: Change | null, { row }: LoadedSubscriber): string {
  return change?.email ?? row?.email ?? "";
}

/** Every sign-up is written down, and whatever else changed something: one entry or none. */
function entryFor(
  loaded: LoadedSubscriber,
  transition: Transition,
  { event, now, occurredAt = now, signUp, arrival, way }: Happening,
): ConsentEntry[] {
  if (!signUp && !changesState(loaded, transition)) return [];
  const at = now.toISOString();
  const isFirst = loaded.row === null;
  const entry = {
    mailbox: loaded.mailbox,
    isFirst,
    occurredAt: occurredAt.toISOString(),
    recordedAt: at,
  };
  if (signUp) {
    const { email, wording, page, networkAddress } = signUp;
    const kind = event === "sign up" ? "signed_up" : "held";
    return [{ ...entry, event: kind, email, wording, page, networkAddress }];
  }
  if (arrival) return [{ ...entry, ...arrival.proof, event: "moved_here", email: arrival.email }];
  const email = loaded.row?.pending_email ?? loaded.row?.email ?? "";
  return [{ ...entry, event: entryOf[event], email, way }];
}

const entryOf: Record<HappeningEvent, ConsentEntry["event"]> = {
  "sign up": "signed_up",
  "sign up, suspected": "held",
  confirm: "confirmed",
  "move away": "moved_away",
  "move here": "moved_here",
  leave: "left",
  bounce: "bounced",
  complain: "complained",
  release: "released",
};

/** The form of an address that is the same however it is capitalised or composed. Whose it is, `findMailbox` says. */
function emailKey(email: string): string {
  return email.normalize("NFC").toLowerCase();
}
