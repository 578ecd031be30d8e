import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";
import { mailboxKey } from "#mail/mailbox-key.ts";
import { chainStart, checkChain } from "./consent-chain.ts";
import { wordingHash } from "./consent-ledger.ts";
import { missingEntries } from "./missing-entries.ts";
import { findMailboxRows, type MailboxRows } from "./privacy/mailbox-rows.ts";

export type ProvedEntry = MailboxRows["consentEvents"][number] & { hash: string };

/** The ledger of one mailbox with the hashes, and where it doesn't hold. */
export type ConsentProof = {
  mailbox: string;
  chainStart: string;
  subscription: Pick<
    MailboxRows["subscriptions"][number],
    "email" | "subscribed_at" | "confirmed_at" | "unsubscribed_at" | "bounced_at"
  >;
  entries: ProvedEntry[];
  /** Each in a sentence; none where everything fits together. */
  faults: string[];
};

/** Collects what proves the consent of a mailbox, and checks it. Null where it isn't among the subscribers. */
export async function proveConsent(
  db: Kysely<Database>,
  email: string,
): Promise<ConsentProof | null> {
  const mailbox = mailboxKey(email);
  const { subscriptions, consentEvents } = await findMailboxRows(db, email);
  const [subscription] = subscriptions;
  if (!subscription) return null;
  const { hashes, brokenAt } = checkChain(mailbox, consentEvents);
  const entries = consentEvents.map((entry, at) => ({ ...entry, hash: hashes[at] ?? "" }));
  return {
    mailbox,
    chainStart: chainStart(mailbox),
    subscription,
    entries,
    faults: [
      ...(brokenAt === null
        ? []
        : [
            `Entry ${brokenAt + 1} does not carry the hash of what is before it: something there was changed, put in or taken out.`,
          ]),
      ...entries.flatMap((entry, at) => wordingFault(entry, at + 1)),
      ...missingEntries(subscription, entries),
    ],
  };
}

function wordingFault({ wording, wording_hash }: ProvedEntry, number: number): string[] {
  if (wording_hash === null) return [];
  if (wording !== null && wordingHash(wording) === wording_hash) return [];
  return [`The wording of entry ${number} is not the one whose hash the entry carries.`];
}
