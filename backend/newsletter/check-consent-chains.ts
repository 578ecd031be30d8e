import type { Kysely } from "kysely";
import type { Database } from "../database/tables.ts";
import { checkChain } from "./consent-chain.ts";

/** Entries that are looked up at once: the latest, and as many from a place that is drawn by lot. */
const entriesSampled = 500;

/** Checks a sample of the ledger's chains, of a size that doesn't grow with it; answers the mailboxes of broken ones. */
export async function checkConsentChains(
  db: Kysely<Database>,
  { drawn = Math.random() }: { drawn?: number } = {},
): Promise<{ checked: number; broken: string[] }> {
  const entries = db
    .selectFrom("consent_events")
    .select(["id", "mailbox_key"])
    .limit(entriesSampled);
  const latest = await entries.orderBy("id", "desc").execute();
  const from = Math.floor(drawn * (latest[0]?.id ?? 0));
  const others = await entries.where("id", ">=", from).orderBy("id").execute();
  const mailboxes = new Set([...latest, ...others].map(({ mailbox_key }) => mailbox_key));
  const broken: string[] = [];
  for (const mailbox of mailboxes) {
    const chain = await db
      .selectFrom("consent_events")
      .selectAll()
      .where("mailbox_key", "=", mailbox)
      .orderBy("id")
      .execute();
    if (checkChain(mailbox, chain).brokenAt !== null) broken.push(mailbox);
  }
  return { checked: mailboxes.size, broken };
}
