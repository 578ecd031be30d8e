import type { Kysely } from "kysely";
import type { SiteIdentity } from "#content/site-settings.ts";
import { consentText } from "#content/subscribe-form.ts";
import { startOfTorontoDay, torontoDay } from "#content/toronto-time.ts";
import type { Database, Db, LeavingWay, QuarantineReason } from "#db/tables.ts";
import { findMailbox, mailboxKey, readAddress } from "#mail/mailbox-key.ts";
import { isDay } from "../text-files.ts";
import { addWordings, applyEvent, findMailboxOfToken, loadSubscriber } from "./apply-event.ts";
import { type SignUp, type SubscriberState, subscriberStates } from "./subscriber-states.ts";

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

/** A mailbox is mailed once an hour at most. `duplicate` doesn't reveal its state. */
export async function subscribe(
  { db, site, newsletterWebhookUrl, wakeOutbox, clock = () => new Date() }: NewsletterDeps,
  { email, requestId, suspicion = null, ...origin }: { email: string } & SignUpOrigin,
) {
  const address = readAddress(email);
  const mailbox = address === null ? null : findMailbox(address);
  if (address === null || mailbox === null) return { ok: false, reason: "invalid_email" } as const;
  const signUp = { email: address, suspicion, ...(await consentOf(db, site, origin)) };
  const now = clock();
  const answer = await db.transaction().execute(async (trx) => {
    const loaded = await loadSubscriber(trx, mailbox, now);
    const event = suspicion ? "sign up, suspected" : "sign up";
    const happening = { event, now, newsletterWebhookUrl, requestId, signUp } as const;
    return await applyEvent(trx, loaded, happening);
  });
  wakeOutbox();
  return { ok: true, duplicate: answer === "duplicate" } as const;
}

export const consentTextMaxLength = 5_000;
const pageMaxLength = 500;

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
    networkAddress: origin.clientAddress?.slice(0, 100) ?? null,
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

/** Only the latest link confirms. `unsubscribed`: the subscriber has left since. */
export async function confirmSubscription(
  { db, newsletterWebhookUrl, wakeOutbox, clock = () => new Date() }: NewsletterDeps,
  { token, requestId }: { token: string; requestId?: string | null },
) {
  const now = clock();
  const result = await db.transaction().execute(async (trx) => {
    const mailbox = await findMailboxOfToken(trx, token);
    if (mailbox === null) return { ok: false, reason: "unknown_token" } as const;
    const loaded = await loadSubscriber(trx, mailbox, now);
    if (loaded.row?.confirm_token !== token) return { ok: false, reason: "unknown_token" } as const;
    const happening = { event: "confirm", now, newsletterWebhookUrl, requestId } as const;
    const answer = await applyEvent(trx, loaded, happening);
    if (answer === "ok") return { ok: true } as const;
    const reason = answer === "unsubscribed" ? "unsubscribed" : "unknown_token";
    return { ok: false, reason } as const;
  });
  wakeOutbox();
  return result;
}

/** Releases a quarantined sign-up or a bounced address. */
export async function releaseSubscriber(
  { db, newsletterWebhookUrl, now }: OperatorDeps,
  { email }: { email: string },
) {
  return await db.transaction().execute(async (trx) => {
    const loaded = await loadSubscriber(trx, mailboxKey(email), now);
    const happening = { event: "release", now, newsletterWebhookUrl } as const;
    const answer = await applyEvent(trx, loaded, happening);
    if (answer === "ok") return { ok: true } as const;
    return { ok: false, answer, problem: "Nothing kept mail from them any more." } as const;
  });
}

type Leaving = { requestId?: string | null } & (
  | { token: string; way?: Extract<LeavingWay, "link" | "one_click"> }
  | { email: string }
);

/** Ends a subscription. Idempotent. */
export async function unsubscribe(
  { db, newsletterWebhookUrl, wakeOutbox, clock = () => new Date() }: Omit<NewsletterDeps, "site">,
  leaving: Leaving,
) {
  const now = clock();
  const result = await db.transaction().execute(async (trx) => {
    const [mailbox, way] =
      "token" in leaving
        ? [await findMailboxOfToken(trx, leaving.token), leaving.way ?? "link"]
        : [findMailbox(leaving.email), "operator" as const];
    const problem = "Nobody is subscribed by this address or link.";
    const unknown = { ok: false, reason: "unknown_token", problem } as const;
    if (mailbox === null) return unknown;
    const loaded = await loadSubscriber(trx, mailbox, now);
    const { requestId } = leaving;
    const happening = { event: "leave", way, now, newsletterWebhookUrl, requestId } as const;
    const answer = await applyEvent(trx, loaded, happening);
    return answer === "ok" ? ({ ok: true } as const) : unknown;
  });
  wakeOutbox();
  return result;
}

/** Express consent has no end; one that is implied by a purchase or a question has (CASL, s. 10(10), (13)). */
const consentKinds = {
  express: { words: "Express consent", lasts: null },
  purchase: { words: "Consent implied by a purchase or contract", lasts: { months: 24 } },
  question: { words: "Consent implied by a question or request", lasts: { months: 6 } },
} as const;

export type ByHand = {
  email: string;
  /** A name of `consentKinds`. */
  kind: string;
  /** How they agreed, in the owner's words. */
  how: string;
  /** `YYYY-MM-DD`, in Toronto. */
  day: string;
};

/** Adds a subscriber with the proof of consent that the owner has. */
export async function addByHand(deps: OperatorDeps, { email, kind, how, day }: ByHand) {
  const refuse = (problem: string) => ({ ok: false, problem }) as const;
  const address = readAddress(email.trim());
  if (!address) return refuse("That is no address that mail can be sent to.");
  if (!Object.hasOwn(consentKinds, kind)) return refuse("Say which kind of consent it is.");
  const words = how.trim().slice(0, consentTextMaxLength);
  if (words === "") return refuse("Say how they agreed: that is your proof if anybody asks.");
  if (!isDay(day)) return refuse("Say on which day they agreed.");
  const consent = consentKinds[kind as keyof typeof consentKinds];
  const today = torontoDay(deps.now.getTime()).toString();
  if (day > today) return refuse("That day is still to come.");
  const lastDay = consent.lasts && Temporal.PlainDate.from(day).add(consent.lasts).toString();
  if (lastDay !== null && lastDay <= today) {
    const problem = "That is too long ago: such a consent is over by now.";
    return refuse(`${problem} Ask them to sign up on the site.`);
  }
  const until = lastDay === null ? "" : `, until ${lastDay}`;
  return await addSubscriber(deps, {
    email: address,
    wording: `${consent.words}, of ${day}${until}. In the sender's words: ${words}`,
    agreedAt: day === today ? deps.now : new Date(startOfTorontoDay(day)),
    endsAt: lastDay === null ? null : new Date(startOfTorontoDay(lastDay)),
  });
}

/** Adds a subscriber whose consent the operator can prove. Not after an unsubscribe or erasure. */
export async function addSubscriber(
  { db, newsletterWebhookUrl, now }: OperatorDeps,
  { agreedAt, ...consent }: Pick<SignUp, "email" | "wording" | "endsAt"> & { agreedAt: Date },
) {
  return await db.transaction().execute(async (trx) => {
    const loaded = await loadSubscriber(trx, mailboxKey(consent.email), now);
    const { answer } = subscriberStates[loaded.state].add;
    if (answer !== "ok") {
      return { ok: false, answer, problem: whyNotAdded(loaded.state) } as const;
    }
    const nothing = { page: null, networkAddress: null, suspicion: null };
    const signUp = { ...consent, ...nothing };
    const happening = { event: "add", now, occurredAt: agreedAt, newsletterWebhookUrl } as const;
    await applyEvent(trx, loaded, { ...happening, signUp });
    const { row } = await loadSubscriber(trx, loaded.mailbox, now);
    return { ok: true, id: row?.id ?? 0 } as const;
  });
}

function whyNotAdded(state: SubscriberState): string {
  const back = "They come back only by signing up on the site themselves";
  if (/erasure|erased/.test(state)) return `This person was erased, or left long ago. ${back}.`;
  if (/left|leaving/.test(state))
    return `This person has left. ${back}: that is the new express consent that the law asks for.`;
  if (state === "confirmed") return "This person is a subscriber already.";
  if (state === "agreed for a time")
    return "This person is a subscriber already, until the consent that you wrote down ends. Signing up on the site makes it lasting.";
  if (state === "quarantined")
    return "This person has signed up, and may be a program. Find them under “May be spam”.";
  return "Mail to this address came back. Find it under Subscribers, and say there that it works again.";
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
