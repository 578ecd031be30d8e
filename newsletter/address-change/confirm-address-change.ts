import type { Kysely } from "kysely";
import { isPostgres } from "#db/is-postgres.ts";
import type { Database } from "#db/tables.ts";
import { applyEvent } from "../apply-event.ts";
import { checkChain } from "../consent-chain.ts";
import { addConsentEntries, isConsentTo } from "../consent-ledger.ts";
import { findMailboxOfToken } from "../find-mailbox-of-token.ts";
import type { Arrival } from "../happening.ts";
import { type LoadedSubscriber, loadSubscriber, lockMailboxes } from "../load-subscriber.ts";
import type { NewsletterDeps } from "../newsletter-deps.ts";
import { isSubscriberToken, newSubscriberToken } from "../subscriber-token.ts";
import { withdrawAddressChange } from "./withdraw-address-change.ts";

type ConfirmAddressChangeResult =
  | { ok: true }
  | { ok: false; reason: "unknown_token" }
  /** Confirmed once, and left since: an old link doesn't bring anybody back. */
  | { ok: false; reason: "unsubscribed" };

type Change = { from_mailbox: string; to_mailbox: string; to_email: string };

/**
 * Moves a reader to the address whose owner has followed the link that was mailed there, in one transaction: the new
 * mailbox is a reader with the consent of the old one in its ledger, the old one has left, links in issues from before
 * end what runs now, and what of an issue is still to go out goes to the new address. A repeat is answered like the
 * first time.
 */
export async function confirmAddressChange(
  { db, newsletterWebhookUrl, wakeOutbox, clock = () => new Date() }: NewsletterDeps,
  { token, requestId }: { token: string; requestId?: string | null },
): Promise<ConfirmAddressChangeResult> {
  const now = clock();
  const result = await db
    .transaction()
    .execute(async (trx): Promise<ConfirmAddressChangeResult> => {
      const asked = await findChange(trx, token);
      if (asked === null) return await answerRepeat(trx, token, now);
      await lockMailboxes(trx, [asked.from_mailbox, asked.to_mailbox]);
      // Whoever had the locks may have confirmed it, or taken it back.
      const change = await findChange(trx, token);
      if (change === null) return await answerRepeat(trx, token, now);
      await move(trx, change, { now, newsletterWebhookUrl, requestId });
      await trx
        .insertInto("former_tokens")
        .values({ token, mailbox_key: change.to_mailbox })
        .execute();
      return { ok: true };
    });
  wakeOutbox();
  return result;
}

async function findChange(trx: Kysely<Database>, token: string): Promise<Change | null> {
  if (!isSubscriberToken(token)) return null;
  const change = await trx
    .selectFrom("address_changes")
    .select(["from_mailbox", "to_mailbox", "to_email"])
    .where("token", "=", token)
    .executeTakeFirst();
  return change ?? null;
}

async function answerRepeat(
  trx: Kysely<Database>,
  token: string,
  now: Date,
): Promise<ConfirmAddressChangeResult> {
  const mailbox = await findMailboxOfToken(trx, token);
  const state = mailbox === null ? null : (await loadSubscriber(trx, mailbox, now)).state;
  if (state === "confirmed") return { ok: true };
  return { ok: false, reason: state === "left" ? "unsubscribed" : "unknown_token" };
}

type Happening = { now: Date; newsletterWebhookUrl: string | null; requestId?: string | null };

/** A wish is there only as long as its reader is one: leaving, a bounce and an erasure take it along. */
async function move(trx: Kysely<Database>, change: Change, happening: Happening): Promise<void> {
  const { now } = happening;
  const from = await loadSubscriber(trx, change.from_mailbox, now);
  const reader = from.row;
  if (reader === null || from.state !== "confirmed") {
    throw new Error("A wish for another address has outlived its reader.");
  }
  const proof = await readProof(trx, { mailbox: from.mailbox, ...reader });
  const arrival: Arrival = { email: change.to_email, fromId: reader.id, proof };
  await withdrawAddressChange(trx, from.mailbox, now);
  if (change.to_mailbox === from.mailbox) return await respell(trx, from, arrival, now);
  const to = await loadSubscriber(trx, change.to_mailbox, now);
  await applyEvent(trx, to, { event: "move here", arrival, ...happening });
  if (to.state !== "confirmed") {
    const at = now.toISOString();
    const entry = { mailbox: to.mailbox, occurredAt: at, recordedAt: at };
    await addConsentEntries(trx, [{ ...entry, event: "confirmed", email: change.to_email }]);
  }
  await applyEvent(trx, from, { event: "move away", ...happening });
  const { id, token } = reader;
  await carryLinksAndIssues(trx, { mailbox: from.mailbox, id, token }, change.to_mailbox);
}

/** The entry whose consent stands, with its hash. */
async function readProof(
  trx: Kysely<Database>,
  { mailbox, ...signUp }: { mailbox: string; email: string; subscribed_at: string },
): Promise<Arrival["proof"]> {
  const entries = await trx
    .selectFrom("consent_events")
    .selectAll()
    .where("mailbox_key", "=", mailbox)
    .orderBy("id")
    .execute();
  const { hashes } = checkChain(mailbox, entries);
  const at = entries.findLastIndex((entry) => isConsentTo(signUp, entry));
  const [entry, carriedHash] = [entries[at], hashes[at]];
  if (!entry?.wording_hash || !carriedHash) {
    throw new Error("The ledger has no entry for the sign-up of a reader who changes the address.");
  }
  const { occurred_at: occurredAt, wording_hash: wordingHash, page } = entry;
  return { occurredAt, wordingHash, page, networkAddress: entry.network_address, carriedHash };
}

/** Another spelling of the same mailbox: nobody comes and nobody goes, and mail goes to what was typed now. */
async function respell(
  trx: Kysely<Database>,
  { mailbox, row }: LoadedSubscriber,
  { email, proof }: Arrival,
  now: Date,
): Promise<void> {
  const recordedAt = now.toISOString();
  const entry = { ...proof, mailbox, email, recordedAt };
  await addConsentEntries(trx, [{ ...entry, event: "moved_here" }]);
  await trx
    .updateTable("subscribers")
    .set({ email })
    .where("id", "=", row?.id ?? 0)
    .execute();
}

/**
 * The link in issues that went to the old address, or to those before it, ends the subscription as it runs now; only that,
 * since the old mailbox may be in other hands. Mails that wait and that nobody holds are the new address's, unless it has
 * one of that issue.
 */
async function carryLinksAndIssues(
  trx: Kysely<Database>,
  former: { mailbox: string; id: number; token: string },
  toMailbox: string,
): Promise<void> {
  const { id } = await trx
    .selectFrom("subscribers")
    .select("id")
    .where("mailbox_key", "=", toMailbox)
    .executeTakeFirstOrThrow();
  await trx
    .updateTable("subscribers")
    .set({ token: newSubscriberToken() })
    .where("id", "=", former.id)
    .execute();
  await trx
    .updateTable("former_tokens")
    .set({ mailbox_key: toMailbox })
    .where("mailbox_key", "=", former.mailbox)
    .execute();
  await trx
    .insertInto("former_tokens")
    .values({ token: former.token, mailbox_key: toMailbox })
    .execute();
  const issuesOfNew = trx.selectFrom("send_rows").select("issue_id").where("reader_id", "=", id);
  const open = await trx
    .selectFrom("send_rows")
    .select("id")
    .where("reader_id", "=", former.id)
    .where("state", "in", ["waiting", "deferred"])
    .where("issue_id", "not in", issuesOfNew)
    .$if(isPostgres(trx), (select) => select.forUpdate().skipLocked())
    .execute();
  if (open.length === 0) return;
  await trx
    .updateTable("send_rows")
    .set({ reader_id: id })
    .where(
      "id",
      "in",
      open.map((row) => row.id),
    )
    .execute();
}
