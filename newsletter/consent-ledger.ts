import { hash } from "node:crypto";
import type { Kysely, Selectable } from "kysely";
import { consentText } from "#content/subscribe-form.ts";
import type { SiteIdentity } from "#contracts/site-settings.ts";
import type { ConsentEvent, ConsentEventsTable, Database, LeavingWay } from "#db/tables.ts";

const pageMaxLength = 500;
const addressMaxLength = 100;

export type ConsentOrigin = {
  /** What the browser named as the form's page: a whole address or a path. */
  referrer: string | null;
  /** Where the request itself was sent to. */
  requestUrl: string;
  clientAddress: string | null;
};

/**
 * What is stored of one consent beside its time: the exact wording shown, the page it was on, and the network address it
 * came from. The burden of proof is the sender's (CASL, s. 13).
 */
export function consentOf(site: SiteIdentity, origin: ConsentOrigin) {
  return {
    wording: consentText({ ...site, siteName: site.name }),
    page: consentPage(site, origin),
    networkAddress: origin.clientAddress?.slice(0, addressMaxLength) ?? null,
  };
}

/** The path of the page, where it is one of this site's; a query could hold anything and is left out. */
function consentPage(site: SiteIdentity, { referrer, requestUrl }: ConsentOrigin): string | null {
  if (!referrer || !URL.canParse(referrer, site.url)) return null;
  const page = new URL(referrer, site.url);
  const ownOrigins = [new URL(site.url).origin, new URL(requestUrl).origin];
  return ownOrigins.includes(page.origin) ? page.pathname.slice(0, pageMaxLength) : null;
}

export type ConsentEntry = {
  mailbox: string;
  event: ConsentEvent;
  /** As typed. */
  email: string;
  occurredAt: string;
  recordedAt: string;
  /** Given with a sign-up and an import: the words that were agreed to. */
  wording?: string;
  page?: string | null;
  networkAddress?: string | null;
  way?: LeavingWay;
};

/**
 * Adds entries to the ledger, after the subscribers' rows. Triggers refuse any later change; an entry is deleted with its
 * subscriber alone.
 */
export async function addConsentEntries(
  trx: Kysely<Database>,
  entries: readonly ConsentEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const wordings = new Set(entries.flatMap(({ wording }) => wording ?? []));
  if (wordings.size > 0) {
    await trx
      .insertInto("consent_wordings")
      // In one order, so that two imports wait for each other and never in a circle.
      .values([...wordings].toSorted().map((wording) => ({ hash: wordingHash(wording), wording })))
      .onConflict((conflict) => conflict.column("hash").doNothing())
      .execute();
  }
  await trx
    .insertInto("consent_events")
    .values(
      entries.map((entry) => ({
        mailbox_key: entry.mailbox,
        event: entry.event,
        email: entry.email,
        wording_hash: entry.wording === undefined ? null : wordingHash(entry.wording),
        page: entry.page ?? null,
        network_address: entry.networkAddress ?? null,
        way: entry.way ?? null,
        occurred_at: entry.occurredAt,
        recorded_at: entry.recordedAt,
      })),
    )
    .execute();
}

function wordingHash(wording: string): string {
  return hash("sha256", wording, "hex");
}

/** Whether an entry holds the consent to the sign-up that the subscription rests on. */
export function isConsentTo(
  { subscribed_at, email }: { subscribed_at: string; email: string },
  entry: Pick<Selectable<ConsentEventsTable>, "occurred_at" | "email" | "wording_hash">,
): boolean {
  return (
    entry.occurred_at === subscribed_at && entry.email === email && entry.wording_hash !== null
  );
}
