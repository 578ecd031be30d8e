import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";
import { checkChain } from "./consent-chain.ts";
import { missingEntries } from "./missing-entries.ts";

/** Entries that are looked up at once: the latest, and as many from a place that is drawn by lot. */
const entriesSampled = 500;

/**
 * Checks a sample of the ledger's chains, of a size that doesn't grow with it, and that they hold what the readers' rows
 * say; answers the mailboxes of broken ones.
 */
export async function checkConsentChains(
  db: Kysely<Database>,
): Promise<{ checked: number; broken: string[] }> {
  const entries = db
    .selectFrom("consent_events")
    .select(["id", "mailbox_key"])
    .limit(entriesSampled);
  const latest = await entries.orderBy("id", "desc").execute();
  const from = Math.floor(Math.random() * (latest[0]?.id ?? 0));
  const others = await entries.where("id", ">=", from).orderBy("id").execute();
  const mailboxes = new Set([...latest, ...others].map(({ mailbox_key }) => mailbox_key));
  const broken: string[] = [];
  for (const mailbox of mailboxes) {
    // The row in the same statement, so that it isn't of another moment than its entries.
    const chain = await db
      .selectFrom("consent_events as entry")
      .innerJoin("subscribers as reader", "reader.mailbox_key", "entry.mailbox_key")
      .selectAll("entry")
      .select([
        "reader.email as readerEmail",
        "reader.subscribed_at",
        "reader.confirmed_at",
        "reader.unsubscribed_at",
        "reader.bounced_at",
      ])
      .where("entry.mailbox_key", "=", mailbox)
      .orderBy("entry.id")
      .execute();
    const [reader] = chain;
    if (reader === undefined) continue;
    const missing = missingEntries({ ...reader, email: reader.readerEmail }, chain);
    if (missing.length > 0 || checkChain(mailbox, chain).brokenAt !== null) broken.push(mailbox);
  }
  return { checked: mailboxes.size, broken };
}
