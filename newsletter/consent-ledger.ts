import { createHash } from "node:crypto";
import type { Insertable } from "kysely";
import { consentText } from "#content/subscribe-form.ts";
import type { SiteIdentity } from "#contracts/site-settings.ts";
import type { Database, Db } from "#db/tables.ts";

const pageMaxLength = 500;
const addressMaxLength = 100;

export type ConsentOrigin = {
  /** The Referer: a whole address or a path. */
  referrer: string | null;
  requestUrl: string;
  clientAddress: string | null;
};

/**
 * The proof of one consent: the wording shown, the page, and the network address. The burden of proof is the sender's
 * (CASL, s. 13).
 */
export function consentOf(site: SiteIdentity, origin: ConsentOrigin) {
  return {
    wording: presentWording(site),
    page: consentPage(site, origin),
    networkAddress: origin.clientAddress?.slice(0, addressMaxLength) ?? null,
  };
}

function presentWording(site: SiteIdentity): string {
  return consentText({ ...site, siteName: site.name });
}

/** A wording that a form has shown, by its hash; undefined where there was none. */
export async function findWording(db: Db, hash: string): Promise<string | undefined> {
  const row = db.selectFrom("consent_wordings").select("wording").where("hash", "=", hash);
  return (await row.executeTakeFirst())?.wording;
}

/** Stores the wording that forms show from now on, for sign-ups on pages that stay open when it changes. */
export async function rememberWording(db: Db, site: SiteIdentity): Promise<void> {
  await addWordings(db, [presentWording(site)]);
}

/** The path of a page of this site; a query could hold anything and is dropped. */
function consentPage(site: SiteIdentity, { referrer, requestUrl }: ConsentOrigin): string | null {
  if (!referrer || !URL.canParse(referrer, site.url)) return null;
  const page = new URL(referrer, site.url);
  const ownOrigins = [new URL(site.url).origin, new URL(requestUrl).origin];
  return ownOrigins.includes(page.origin) ? page.pathname.slice(0, pageMaxLength) : null;
}

export type ConsentEntry = Omit<Insertable<Database["consent_events"]>, "wording_hash"> & {
  /** The words agreed to, with a sign-up or an import. */
  wording?: string;
};

/** Adds entries to the ledger, after the subscribers' rows. Triggers refuse any later change. */
export async function addConsentEntries(trx: Db, entries: readonly ConsentEntry[]): Promise<void> {
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

async function addWordings(trx: Db, wordings: string[]): Promise<void> {
  await trx
    .insertInto("consent_wordings")
    // Sorted, so that two imports can't deadlock.
    .values(wordings.toSorted().map((wording) => ({ hash: wordingHash(wording), wording })))
    .onConflict((conflict) => conflict.column("hash").doNothing())
    .execute();
}

function wordingHash(wording: string): string {
  return createHash("sha256").update(wording).digest("hex");
}
