import { createHash } from "node:crypto";
import type { Insertable, Updateable } from "kysely";
import { foldText } from "#db/hold-text.ts";
import type { ConsentEvent, Database, Db, LeavingWay, QuarantineReason } from "#db/tables.ts";
import { enqueue, newDeliveryId, noteQuarantined } from "#mail/outbox-jobs.ts";
import {
  type LoadedSubscriber,
  liftErasure,
  newSubscriberToken,
  withdrawMail,
} from "./load-subscriber.ts";
import {
  hasBounced,
  type SubscriberEvent,
  type SubscriberState,
  subscriberStates,
  type Transition,
} from "./subscriber-states.ts";

type SignUp = {
  email: string;
  wording: string;
  page: string | null;
  networkAddress: string | null;
  suspicion: QuarantineReason | null;
  endsAt?: Date | null;
};

type HappeningEvent = Exclude<SubscriberEvent, "erase">;

type Happening = {
  event: HappeningEvent;
  now: Date;
  occurredAt?: Date;
  newsletterWebhookUrl: string | null;
  requestId?: string | null;
  signUp?: SignUp;
  way?: LeavingWay;
};

/**
 * Applies an event to a mailbox loaded in the same transaction. `mailAt`: when its mail may go;
 * null: none.
 */
export async function applyEvent(trx: Db, loaded: LoadedSubscriber, happening: Happening) {
  const { row, mailbox, state } = loaded;
  const { event, now, signUp, requestId } = happening;
  const transition = subscriberStates[state][event];
  const { to, tell, note, answer } = transition;
  const changesState = to !== state;
  const mail = planMail(loaded, transition, happening);
  const change = changeOf(loaded, transition, happening, mail);

  if (row) {
    await updateRow(trx, row, change);
    if (mail || (changesState && event !== "sign up")) await withdrawMail(trx, mailbox, now);
  } else if (signUp) {
    const since = { email: signUp.email, subscribed_at: now.toISOString() };
    const added = { token: newSubscriberToken(), ...since, ...change, mailbox_key: mailbox };
    const search_text = foldText(signUp.email);
    await trx
      .insertInto("subscribers")
      .values({ ...added, search_text })
      .execute();
  }
  if (to === "confirmed" && changesState && event !== "add") await liftErasure(trx, mailbox);
  if (note) await noteQuarantined(trx, now);
  if (signUp || changesState) await addConsentEntries(trx, [entryOf(loaded, happening)]);
  if (mail) {
    await enqueue(trx, { kind: "confirmation-email", ...mail, now, requestId });
  }
  // The webhook doesn't hear of the end of a subscription that it never heard of.
  const isNews = tell !== "ended" || row?.webhook_told_at;
  if (tell && isNews && happening.newsletterWebhookUrl !== null) {
    const type = `newsletter.${tell === "ended" ? "unsubscribed" : tell}` as const;
    const data = { email: change.email ?? row?.email ?? "" };
    const payload = { type, timestamp: now.toISOString(), data };
    await enqueue(trx, { kind: "newsletter-webhook", payload, now, requestId });
  }
  return { answer, mailAt: mail?.notBefore ?? null };
}

type PlannedMail = {
  deliveryId: string;
  notBefore: Date;
  payload: { email: string; token: string; confirmToken: string | null };
};

/** Plans the mail an hour after the last: a new state's mail waits, a repeat's is dropped. */
function planMail(
  { state, row, ...pauses }: LoadedSubscriber,
  { to, mail }: Transition,
  { now, signUp }: Happening,
): PlannedMail | null {
  const pending = emailKey(row?.pending_email ?? "");
  const isOther = mail === "confirm" && signUp && emailKey(signUp.email) !== pending;
  const pauseUntil = isOther ? pauses.pauseBesideRefused : pauses.pauseUntil;
  if (mail === undefined || (pauseUntil && to === state)) return null;
  const known = { email: row?.email ?? "", token: row?.token ?? newSubscriberToken() };
  const planned = { deliveryId: newDeliveryId(), notBefore: pauseUntil ?? now };
  if (mail === "known") return { ...planned, payload: { ...known, confirmToken: null } };
  const email = signUp?.email ?? row?.pending_email ?? known.email;
  // Reuse the link, unless it would go to another address, which may be somebody else's.
  const isAgain = to === state && pending === emailKey(email);
  const confirmToken = (isAgain && row?.confirm_token) || newSubscriberToken();
  return { ...planned, payload: { ...known, email, confirmToken } };
}

/** Ignores capitals and Unicode composition. */
function emailKey(email: string): string {
  return email.normalize("NFC").toLowerCase();
}

type Change = Updateable<Database["subscribers"]>;

const nothingPending = { pending_email: null, pending_since: null, held_at: null } as const;

function changeOf(
  { row, state }: LoadedSubscriber,
  { to, tell }: Transition,
  happening: Happening,
  mail: PlannedMail | null,
): Change {
  const { event, now: at, occurredAt = at, signUp, newsletterWebhookUrl } = happening;
  const now = at.toISOString();
  const endedAt = occurredAt.toISOString();
  const confirmToken = mail?.payload.confirmToken;
  const change: Change = {};
  if (mail) change.mail_delivery_id = mail.deliveryId;
  if (confirmToken) change.confirm_token = confirmToken;
  if (to !== state || (signUp && confirmToken)) {
    Object.assign(change, changesBy[event]({ row, state, to, now, endedAt, signUp, mail }));
  }
  if (tell && newsletterWebhookUrl !== null) {
    const begins = tell === "subscribed" || tell === "confirmed";
    change.webhook_told_at = begins ? (row?.webhook_told_at ?? now) : null;
  }
  return change;
}

type ChangeFacts = Pick<LoadedSubscriber, "row" | "state"> & {
  to: SubscriberState;
  now: string;
  endedAt: string;
  signUp: SignUp | undefined;
  mail: PlannedMail | null;
};

const changesBy: Record<HappeningEvent, (facts: ChangeFacts) => Change> = {
  "sign up": pendingSignUp,
  "sign up, suspected": (facts) => ({
    ...pendingSignUp(facts),
    held_at: facts.now,
    held_reason: facts.signUp?.suspicion,
  }),
  confirm: ({ row, now }) => ({
    ...nothingPending,
    email: row?.pending_email ?? row?.email,
    subscribed_at: row?.pending_since ?? row?.subscribed_at,
    confirmed_at: now,
    unsubscribed_at: null,
    // The mail with the link arrived, so an earlier bounce no longer counts.
    bounced_at: null,
    consent_ends_at: null,
  }),
  add: ({ now, endedAt, signUp }) => ({
    ...nothingPending,
    email: signUp?.email,
    subscribed_at: endedAt,
    confirmed_at: now,
    consent_ends_at: signUp?.endsAt?.toISOString() ?? null,
  }),
  leave: ({ row, endedAt }) => ({
    ...nothingPending,
    unsubscribed_at: row?.unsubscribed_at ?? endedAt,
  }),
  bounce: ({ endedAt }) => ({ bounced_at: endedAt }),
  complain: ({ endedAt }) => ({ bounced_at: endedAt }),
  release: ({ state, now }) => ({
    ...(hasBounced(state) ? { ...nothingPending, bounced_at: null } : { held_at: null }),
    released_at: now,
  }),
};

function pendingSignUp({ row, to, now, signUp, mail }: ChangeFacts): Change {
  if (!signUp) return {};
  const { email } = signUp;
  // Beside a subscriber who left, bounced or agreed for a time, a sign-up changes nothing until it is confirmed.
  const isBeside = to.endsWith("after leaving") || hasBounced(to) || to === "agreed for a time";
  return {
    pending_email: email,
    pending_since: now,
    held_at: null,
    held_reason: null,
    ...(isBeside ? {} : { email, subscribed_at: now }),
    ...(!row && mail ? { token: mail.payload.token } : {}),
  };
}

/** An earlier confirm link no longer confirms, but still leads to the mailbox. */
async function updateRow(
  trx: Db,
  row: NonNullable<LoadedSubscriber["row"]>,
  change: Change,
): Promise<void> {
  const { id, mailbox_key, token, confirm_token: former } = row;
  if (Object.keys(change).length === 0) return;
  const search_text = foldText(change.email ?? row.email);
  await trx
    .updateTable("subscribers")
    .set({ ...change, search_text })
    .where("id", "=", id)
    .execute();
  if (!change.confirm_token || !former || [change.confirm_token, token].includes(former)) return;
  await trx
    .insertInto("former_tokens")
    .values({ token: former, mailbox_key })
    .onConflict((conflict) => conflict.column("token").doNothing())
    .execute();
}

const entryEvents: Record<HappeningEvent, ConsentEvent> = {
  "sign up": "signed_up",
  "sign up, suspected": "held",
  add: "added",
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
  return {
    mailbox_key: mailbox,
    event: entryEvents[event],
    email: signUp?.email ?? row?.pending_email ?? row?.email ?? "",
    wording: signUp?.wording,
    page: signUp?.page,
    network_address: signUp?.networkAddress,
    way,
    occurred_at: occurredAt.toISOString(),
    recorded_at: now.toISOString(),
  };
}

type ConsentEntry = Omit<Insertable<Database["consent_events"]>, "wording_hash"> & {
  wording?: string;
};

async function addConsentEntries(trx: Db, entries: readonly ConsentEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const wordings = new Set(entries.flatMap(({ wording }) => wording ?? []));
  if (wordings.size > 0) await addWordings(trx, [...wordings]);
  await trx
    .insertInto("consent_events")
    .values(
      entries.map(({ wording, ...entry }) => ({
        ...entry,
        wording_hash: wording === undefined ? null : wordingHash(wording),
      })),
    )
    .execute();
}

export async function addWordings(trx: Db, wordings: string[]): Promise<void> {
  await trx
    .insertInto("consent_wordings")
    // Sorted, so that two imports can't deadlock.
    .values(wordings.toSorted().map((wording) => ({ hash: wordingHash(wording), wording })))
    .onConflict((conflict) => conflict.column("hash").doNothing())
    .execute();
}

export function wordingHash(wording: string): string {
  return createHash("sha256").update(wording).digest("hex");
}
