import type { Insertable, Kysely, Updateable } from "kysely";
import { noteQuarantined } from "#contact/quarantine.ts";
import type { WebhookEvent } from "#contracts/newsletter.ts";
import type {
  ConsentEvent,
  Database,
  HeldReason,
  LeavingWay,
  Priority,
  SubscribersTable,
} from "#db/tables.ts";
import { enqueueAll, newDeliveryId, type OutboxJob, type OutboxKind } from "#mail/outbox-jobs.ts";
import { addConsentEntries, type ConsentEntry } from "./consent-ledger.ts";
import { liftErasure } from "./erasures.ts";
import { type LoadedSubscriber, withdrawMail } from "./load-subscriber.ts";
import {
  hasBounced,
  type SubscriberEvent,
  type SubscriberState,
  subscriberStates,
  type Transition,
} from "./subscriber-states.ts";
import { newSubscriberToken } from "./subscriber-token.ts";

export type SignUp = {
  email: string;
  wording: string;
  page: string | null;
  networkAddress: string | null;
  suspicion: HeldReason | null;
};

type HappeningEvent = Exclude<SubscriberEvent, "remove" | "erase" | `import ${string}`>;

export type Happening = {
  event: HappeningEvent;
  now: Date;
  /** Set where the time of leaving or bouncing is earlier than `now`. */
  occurredAt?: Date;
  newsletterWebhookUrl: string | null;
  requestId?: string | null;
  priority?: Priority;
  signUp?: SignUp;
  way?: LeavingWay;
};

export type Applied = {
  answer: Transition["answer"];
  /** The earliest time of its mail; null where none is written. */
  mailAt: Date | null;
};

/**
 * Applies an event to a mailbox that was loaded in the same transaction: updates the row, the ledger and the outbox as
 * the table of states says.
 */
export async function applyEvent(
  trx: Kysely<Database>,
  loaded: LoadedSubscriber,
  happening: Happening,
): Promise<Applied> {
  const { row, mailbox, state } = loaded;
  const { event, now, signUp } = happening;
  const transition = subscriberStates[state][event];
  const changesState = transition.to !== state;
  const mail = planMail(loaded, transition, happening);
  const change = changeOf(loaded, transition, happening, mail);

  if (row) {
    await updateRow(trx, { row, mailbox, change });
    if (mail || (changesState && event !== "sign up")) await withdrawMail(trx, mailbox, now);
  } else if (signUp) {
    await insertRow(trx, { mailbox, change, signUp, now });
  }
  if (transition.to === "confirmed" && changesState) await liftErasure(trx, mailbox);
  if (transition.note && signUp) await noteQuarantined(trx, now);
  if (signUp || changesState) await addConsentEntries(trx, [entryOf(loaded, happening)]);
  await enqueueAll(trx, [
    ...confirmationJob(mail, happening),
    ...webhookJob(loaded, transition, change.email ?? row?.email ?? "", happening),
  ]);
  return { answer: transition.answer, mailAt: mail?.at ?? null };
}

type PlannedMail = {
  deliveryId: string;
  at: Date;
  to: string;
  token: string;
  /** Null where there is nothing to confirm. */
  confirmToken: string | null;
};

/**
 * Plans the mail that the table asks for within the pause of an hour: a new state's mail waits for its end, a repeat's
 * is dropped. A spelling that refuses mail doesn't delay another spelling.
 */
function planMail(
  { state, row, ...pauses }: LoadedSubscriber,
  { to, mail }: Transition,
  { now, signUp }: Happening,
): PlannedMail | null {
  const isOther =
    mail === "confirm" && signUp && emailKey(signUp.email) !== emailKey(row?.pending_email ?? "");
  const pauseUntil = isOther ? pauses.pauseBesideRefused : pauses.pauseUntil;
  if (mail === undefined || (pauseUntil && to === state)) return null;
  const deliveryId = newDeliveryId();
  const at = pauseUntil ?? now;
  const token = row?.token ?? newSubscriberToken();
  if (mail === "known") return { deliveryId, at, to: row?.email ?? "", token, confirmToken: null };
  const address = signUp?.email ?? row?.pending_email ?? row?.email ?? "";
  // Reuse the link, unless it would go to another address, which may be somebody else's.
  const isAgain = to === state && emailKey(row?.pending_email ?? "") === emailKey(address);
  const confirmToken = (isAgain && row?.confirm_token) || newSubscriberToken();
  return { deliveryId, at, to: address, token, confirmToken };
}

/** Ignores capitals and Unicode composition; `findMailbox` says whose address it is. */
function emailKey(email: string): string {
  return email.normalize("NFC").toLowerCase();
}

type Change = Updateable<SubscribersTable>;

const nothingPending = { pending_email: null, pending_since: null, held_at: null } as const;

function changeOf(
  { row, state }: LoadedSubscriber,
  { to, tell }: Transition,
  { event, signUp, newsletterWebhookUrl, ...times }: Happening,
  mail: PlannedMail | null,
): Change {
  const now = times.now.toISOString();
  const endedAt = (times.occurredAt ?? times.now).toISOString();
  const changesState = to !== state;
  const change: Change = {};
  if (mail) change.mail_delivery_id = mail.deliveryId;
  if (mail?.confirmToken) change.confirm_token = mail.confirmToken;
  if (signUp && (changesState || mail?.confirmToken)) {
    const isHeld = event === "sign up, suspected";
    Object.assign(change, {
      pending_email: signUp.email,
      pending_since: now,
      held_at: isHeld ? now : null,
      held_reason: isHeld ? signUp.suspicion : null,
    });
    if (!isBesideStanding(to)) Object.assign(change, { email: signUp.email, subscribed_at: now });
    if (!row) change.token = mail?.token ?? newSubscriberToken();
  }
  if (event === "release" && changesState) {
    Object.assign(change, { held_at: null, released_at: now });
  }
  if (to === "bounced" && changesState) change.bounced_at = endedAt;
  if (hasBounced(state) && to === "confirmed") {
    Object.assign(change, { ...nothingPending, bounced_at: null });
  }
  if (event === "confirm" && changesState && row) {
    Object.assign(change, {
      ...nothingPending,
      email: row.pending_email ?? row.email,
      subscribed_at: row.pending_since ?? row.subscribed_at,
      confirmed_at: now,
      unsubscribed_at: null,
      // The mail with the link arrived, so an earlier bounce no longer counts.
      bounced_at: null,
    });
  }
  if (event === "leave" && changesState) {
    Object.assign(change, { ...nothingPending, unsubscribed_at: row?.unsubscribed_at ?? endedAt });
  }
  if (tell && newsletterWebhookUrl !== null) {
    const begins = tell === "subscribed" || tell === "confirmed";
    change.webhook_told_at = begins ? (row?.webhook_told_at ?? now) : null;
  }
  return change;
}

/** Whether a sign-up waits beside a subscriber who left or bounced, and changes nothing until it is confirmed. */
function isBesideStanding(state: SubscriberState): boolean {
  return state.endsWith("after leaving") || hasBounced(state);
}

async function insertRow(
  trx: Kysely<Database>,
  { mailbox, change, signUp, now }: { mailbox: string; change: Change; signUp: SignUp; now: Date },
): Promise<void> {
  const row: Insertable<SubscribersTable> = {
    email: signUp.email,
    token: newSubscriberToken(),
    subscribed_at: now.toISOString(),
    ...change,
    mailbox_key: mailbox,
  };
  await trx.insertInto("subscribers").values(row).execute();
}

/** An earlier confirm link no longer confirms, but still leads to the mailbox. */
async function updateRow(
  trx: Kysely<Database>,
  {
    row,
    mailbox,
    change,
  }: { row: NonNullable<LoadedSubscriber["row"]>; mailbox: string; change: Change },
): Promise<void> {
  if (Object.keys(change).length === 0) return;
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

const entryEvents: Record<HappeningEvent, ConsentEvent> = {
  "sign up": "signed_up",
  "sign up, suspected": "held",
  confirm: "confirmed",
  leave: "left",
  bounce: "bounced",
  complain: "complained",
  release: "released",
};

function entryOf(
  { row, mailbox }: LoadedSubscriber,
  { event, now, occurredAt = now, signUp, way }: Happening,
): ConsentEntry {
  const entry = {
    mailbox,
    event: entryEvents[event],
    occurredAt: occurredAt.toISOString(),
    recordedAt: now.toISOString(),
  };
  if (!signUp) return { ...entry, email: row?.pending_email ?? row?.email ?? "", way };
  const { email, wording, page, networkAddress } = signUp;
  return { ...entry, email, wording, page, networkAddress };
}

function confirmationJob(
  mail: PlannedMail | null,
  { now, requestId, priority }: Happening,
): OutboxJob<OutboxKind>[] {
  if (mail === null) return [];
  const { deliveryId, at, to, token, confirmToken } = mail;
  const payload = { email: to, token, confirmToken };
  return [
    {
      kind: "confirmation-email",
      payload,
      now,
      deliveryId,
      notBefore: at,
      requestId,
      priority,
    },
  ];
}

function webhookJob(
  { row }: LoadedSubscriber,
  { tell }: Transition,
  email: string,
  { now, newsletterWebhookUrl, requestId }: Happening,
): OutboxJob<OutboxKind>[] {
  if (tell === undefined || newsletterWebhookUrl === null) return [];
  // The webhook never heard of this subscription.
  if (tell === "ended" && !row?.webhook_told_at) return [];
  const type: WebhookEvent["type"] = `newsletter.${tell === "ended" ? "unsubscribed" : tell}`;
  const payload = { type, timestamp: now.toISOString(), data: { email } };
  return [{ kind: "newsletter-webhook", payload, now, requestId }];
}
