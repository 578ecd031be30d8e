import type { Kysely } from "kysely";
import { noteHeld } from "#contact/held/note-held.ts";
import { insertRows } from "#db/insert-rows.ts";
import type { Database } from "#db/tables.ts";
import { newDeliveryId, outboxRows } from "#mail/outbox-jobs.ts";
import {
  withdrawAddressChange,
  withdrawUnsentChangesTo,
} from "./address-change/withdraw-address-change.ts";
import { type ConsentEntry, consentRows } from "./consent-ledger.ts";
import type { Applied, Happening, HappeningEvent } from "./happening.ts";
import type { LoadedSubscriber, SubscriberRow } from "./load-subscriber.ts";
import { liftErasure } from "./privacy/erasures.ts";
import { type PlannedMail, signUpNews } from "./send-sign-up-news.ts";
import { type Change, changeOf, changesState } from "./subscriber-change.ts";
import { subscriberStates, type Transition } from "./subscriber-states.ts";
import { newSubscriberToken } from "./subscriber-token.ts";
import { withdrawMail } from "./withdraw-mail.ts";

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

/**
 * The mail that the table asks for, as the pause allows it: what begins to wait is mailed when the pause is over, and what
 * has been mailed already, not again before. A spelling that takes no mail holds that of another back for no moment.
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
  // The same link again, unless it would go to another address, whose holder may be somebody else.
  const isAgain = to === state && emailKey(row?.pending_email ?? "") === emailKey(address);
  const confirmToken = (isAgain && row?.confirm_token) || newSubscriberToken();
  return { deliveryId, at, to: address, token, confirmToken };
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
