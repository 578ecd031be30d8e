import type { Kysely } from "kysely";
import type { SiteIdentity } from "#content/site-settings.ts";
import { consentText } from "#content/subscribe-form.ts";
import type { Database, Db, LeavingWay, QuarantineReason } from "#db/tables.ts";
import { findMailbox, mailboxKey, readAddress } from "#mail/mailbox-key.ts";
import { addWordings, applyEvent } from "./apply-event.ts";
import { findMailboxOfToken, loadSubscriber } from "./load-subscriber.ts";
import {
  hasBounced,
  type SubscriberState,
  subscriberStates,
  type Transition,
} from "./subscriber-states.ts";

export type NewsletterDeps = {
  db: Db;
  site: SiteIdentity;
  newsletterWebhookUrl: string | null;
  wakeOutbox: () => void;
  clock?: () => Date;
};

export type OperatorDeps = Pick<NewsletterDeps, "db" | "newsletterWebhookUrl"> & { now: Date };

type ConsentOrigin = {
  referrer: string | null;
  requestUrl: string;
  clientAddress: string | null;
  /** SHA-256 of the wording shown, in hexadecimal. */
  wordingHash?: string;
};

type SignUpOrigin = ConsentOrigin & {
  requestId?: string | null;
  suspicion?: QuarantineReason | null;
};

/**
 * Takes a sign-up in one transaction. A mailbox is mailed once an hour at most. `duplicate` doesn't
 * reveal its state.
 */
export async function subscribe(
  { db, site, newsletterWebhookUrl, wakeOutbox, clock = () => new Date() }: NewsletterDeps,
  { email, requestId, suspicion = null, ...origin }: { email: string } & SignUpOrigin,
) {
  const address = readAddress(email);
  const mailbox = address === null ? null : findMailbox(address);
  if (address === null || mailbox === null) return { ok: false, reason: "invalid_email" } as const;
  const signUp = { email: address, suspicion, ...(await consentOf(db, site, origin)) };
  const now = clock();
  const { answer } = await db.transaction().execute(async (trx) => {
    const loaded = await loadSubscriber(trx, mailbox, now);
    const event = suspicion ? "sign up, suspected" : "sign up";
    const happening = { event, now, newsletterWebhookUrl, requestId, signUp } as const;
    return await applyEvent(trx, loaded, happening);
  });
  wakeOutbox();
  return { ok: true, duplicate: answer === "duplicate" } as const;
}

const pageMaxLength = 500;
const addressMaxLength = 100;

/** The proof of one consent; the sender bears its burden (CASL, s. 13). */
async function consentOf(db: Db, site: SiteIdentity, origin: ConsentOrigin) {
  // An unknown wording counts as the present one.
  const shown = await db
    .selectFrom("consent_wordings")
    .select("wording")
    .where("hash", "=", origin.wordingHash ?? "")
    .executeTakeFirst();
  return {
    wording: shown?.wording ?? presentWording(site),
    page: consentPage(site, origin),
    networkAddress: origin.clientAddress?.slice(0, addressMaxLength) ?? null,
  };
}

function presentWording(site: SiteIdentity): string {
  return consentText({ ...site, siteName: site.name });
}

/** Open pages may still show this wording later. */
export async function rememberWording(db: Db, site: SiteIdentity): Promise<void> {
  await addWordings(db, [presentWording(site)]);
}

/** Drops the query, which could hold anything. */
function consentPage(site: SiteIdentity, { referrer, requestUrl }: ConsentOrigin): string | null {
  if (!referrer || !URL.canParse(referrer, site.url)) return null;
  const page = new URL(referrer, site.url);
  const ownOrigins = [new URL(site.url).origin, new URL(requestUrl).origin];
  return ownOrigins.includes(page.origin) ? page.pathname.slice(0, pageMaxLength) : null;
}

/**
 * Confirms an address. Only the latest link confirms. `unsubscribed`: the subscriber has left
 * since.
 */
export async function confirmSubscription(
  { db, newsletterWebhookUrl, wakeOutbox, clock = () => new Date() }: NewsletterDeps,
  { token, requestId }: { token: string; requestId?: string | null },
) {
  const now = clock();
  const result = await db.transaction().execute(async (trx) => {
    const mailbox = await findMailboxOfToken(trx, token);
    if (mailbox === null) return { ok: false, reason: "unknown_token" } as const;
    const loaded = await loadSubscriber(trx, mailbox, now);
    const isLatest = loaded.row?.confirm_token === token;
    const { answer } = isLatest
      ? await applyEvent(trx, loaded, { event: "confirm", now, newsletterWebhookUrl, requestId })
      : subscriberStates[withoutPending(loaded.state)].confirm;
    if (answer === "ok") return { ok: true } as const;
    const reason = answer === "unsubscribed" ? "unsubscribed" : "unknown_token";
    return { ok: false, reason } as const;
  });
  wakeOutbox();
  return result;
}

function withoutPending(state: SubscriberState): SubscriberState {
  if (state.endsWith("after leaving")) return "left";
  return ["confirmed", "agreed for a time", "left"].includes(state) ? state : "absent";
}

/** Releases a quarantined sign-up or a bounced address. `mailAt`: when its mail may go; null: none. */
export async function releaseSubscriber(
  { db, newsletterWebhookUrl, now }: OperatorDeps,
  { email }: { email: string },
) {
  return await db.transaction().execute(async (trx) => {
    const loaded = await loadSubscriber(trx, mailboxKey(email), now);
    const happening = { event: "release", now, newsletterWebhookUrl } as const;
    const { answer, mailAt } = await applyEvent(trx, loaded, happening);
    if (answer !== "ok") {
      const reason = answer === "unknown" ? "unknown_subscriber" : "not_quarantined";
      return { ok: false, reason } as const;
    }
    const released = loaded.row?.pending_email ?? loaded.row?.email ?? email;
    const waits = !hasBounced(loaded.state);
    return { ok: true, email: released, mailAt: waits ? (mailAt ?? now) : null } as const;
  });
}

type Leaving = { requestId?: string | null } & (
  | { token: string; way?: Extract<LeavingWay, "link" | "one_click"> }
  | { email: string }
);

/** Ends a subscription. Idempotent. */
export async function unsubscribe(
  {
    db,
    newsletterWebhookUrl,
    wakeOutbox,
    clock = () => new Date(),
  }: Pick<NewsletterDeps, "db" | "newsletterWebhookUrl" | "wakeOutbox" | "clock">,
  leaving: Leaving,
) {
  const now = clock();
  const result = await db.transaction().execute(async (trx) => {
    const [mailbox, way] =
      "token" in leaving
        ? [await findMailboxOfToken(trx, leaving.token), leaving.way ?? "link"]
        : [findMailbox(leaving.email), "operator" as const];
    const unknown = { ok: false, reason: "unknown_token" } as const;
    if (mailbox === null) return unknown;
    const loaded = await loadSubscriber(trx, mailbox, now);
    const { requestId } = leaving;
    const happening = { event: "leave", way, now, newsletterWebhookUrl, requestId } as const;
    const { answer } = await applyEvent(trx, loaded, happening);
    return answer === "ok" ? ({ ok: true } as const) : unknown;
  });
  wakeOutbox();
  return result;
}

type AddedPerson = {
  email: string;
  wording: string;
  agreedAt: Date;
  endsAt: Date | null;
};

/** Adds a subscriber whose consent the operator can prove. Not after an unsubscribe or erasure. */
export async function addSubscriber(
  { db, newsletterWebhookUrl, now }: OperatorDeps,
  person: AddedPerson,
): Promise<
  { ok: true; id: number } | { ok: false; state: SubscriberState; answer: Transition["answer"] }
> {
  const { email, wording, agreedAt, endsAt } = person;
  return await db.transaction().execute(async (trx) => {
    const loaded = await loadSubscriber(trx, mailboxKey(email), now);
    const { answer } = subscriberStates[loaded.state].add;
    if (answer !== "ok") return { ok: false, state: loaded.state, answer };
    const nothing = { page: null, networkAddress: null, suspicion: null };
    const signUp = { email, wording, ...nothing, endsAt };
    const happening = { event: "add", now, occurredAt: agreedAt, newsletterWebhookUrl } as const;
    await applyEvent(trx, loaded, { ...happening, signUp });
    const { row } = await loadSubscriber(trx, loaded.mailbox, now);
    return { ok: true, id: row?.id ?? 0 };
  });
}

export async function endImpliedConsents(
  db: Kysely<Database>,
  { now, newsletterWebhookUrl }: Omit<OperatorDeps, "db">,
): Promise<number> {
  const over = await expired(db, now).execute();
  for (const { mailbox } of over) {
    await db.transaction().execute(async (trx) => {
      const still = await expired(trx, now).where("mailbox_key", "=", mailbox).execute();
      if (still.length === 0) return;
      const loaded = await loadSubscriber(trx, mailbox, now);
      const way = "expired" as const;
      await applyEvent(trx, loaded, { event: "leave", way, now, newsletterWebhookUrl });
    });
  }
  return over.length;
}

function expired(db: Db, now: Date) {
  return db
    .selectFrom("subscribers")
    .select("mailbox_key as mailbox")
    .where("consent_ends_at", "<=", now.toISOString())
    .where("unsubscribed_at", "is", null);
}
