import type { MiddlewareHandler } from "hono";
import { isbot } from "isbot";
import { type Insertable, type Kysely, sql, type Transaction } from "kysely";
import type { Logger } from "pino";
import { torontoDay } from "#content/toronto-time.ts";
import type { CountEvent } from "#contracts/ports.ts";
import { isPostgres } from "#db/database-handle.ts";
import { createRecurringWork } from "#db/recurring-work.ts";
import type { Database, VisitKind } from "#db/tables.ts";
import { type AppEnv, findPage, type PageAddress } from "./page-address.ts";

// Visits are counted in memory and added to the day's sums in the database. Nothing about the visitor is stored.

/** Longer than any browser's. */
const userAgentMaxLength = 512;
const nameMaxLength = 60;
/** A public host name: it ends in letters, so no IP address and no machine name of a local network. */
const publicHost = /^(?:[a-z0-9-]{1,63}\.)+[a-z][a-z0-9-]{1,30}$/;
const campaignForm = /^[\p{L}\p{N}][\p{L}\p{N} ._+-]*$/u;
/** The name for visits from outside whose origin is unknown. */
const noReferrer = "(none)";

export type VisitsOptions = {
  visits: Pick<VisitCounter, "count" | "countEvent">;
  /** The site's own. */
  host: string;
  hasIssue: (id: number) => Promise<boolean | null>;
};

/** Counts a page that a person opens, by the browser's Fetch Metadata headers. */
export function countOpened(
  { visits, host }: VisitsOptions,
  { headers, method, url }: Request,
  { status }: Response,
  address: PageAddress,
): void {
  if (headers.get("sec-fetch-mode") !== "navigate" || method !== "GET" || status !== 200) return;
  // A prefetched page isn't opened yet.
  if (headers.get("sec-fetch-dest") !== "document" || headers.has("sec-purpose")) return;
  if (address.page.kind !== "page" || address.isData || !mayBeCounted(headers)) return;
  countShown(visits, address);
  if (headers.get("sec-fetch-site") === "same-origin") return;
  visits.count("referrer", referrerOf(headers.get("referer"), host));
  const campaign = campaignOf(url);
  if (campaign) visits.count("campaign", campaign);
}

/**
 * Accepts `POST /visits?booking`, and `POST /visits?/pricing` for a page that the router showed without a request for
 * its document. Always answers 204, so that nothing can be learned from it.
 */
export function takeVisitNotes(options: VisitsOptions | null) {
  const takeNotes: MiddlewareHandler<AppEnv> = async (c) => {
    const { headers, url } = c.req.raw;
    const isEmpty = !headers.has("transfer-encoding") && !Number(headers.get("content-length"));
    const isOwnPage = headers.get("sec-fetch-site") === "same-origin";
    if (options && isEmpty && isOwnPage && mayBeCounted(headers)) {
      await countNote(options, url.slice(url.indexOf("?") + 1));
    }
    c.header("Cache-Control", "no-store");
    // A body isn't read, so the connection can't be used again.
    if (!isEmpty) c.header("Connection", "close");
    return c.body(null, 204);
  };
  return takeNotes;
}

async function countNote({ visits, hasIssue }: VisitsOptions, note: string): Promise<void> {
  if (note === "booking") visits.countEvent("booking opened");
  const target = note.startsWith("/") ? URL.parse(note, "http://site") : null;
  const found = target?.host === "site" ? findPage(target) : null;
  if (!found || "redirectTo" in found) return;
  if (found.isData || found.page.kind !== "page" || found.status !== 200 || !found.key) return;
  // Anybody can name an issue that doesn't exist.
  const exists = found.issueId === null || (await hasIssue(found.issueId).catch(() => false));
  if (exists) countShown(visits, found);
}

function countShown(visits: VisitsOptions["visits"], { page, issueId }: PageAddress): void {
  if (issueId === null) visits.count("page", page.path);
  else visits.count("issue", String(issueId));
}

function mayBeCounted(headers: Headers): boolean {
  const userAgent = headers.get("user-agent") ?? "";
  const isProgram = userAgent === "" || userAgent.length > userAgentMaxLength || isbot(userAgent);
  return headers.get("dnt") !== "1" && headers.get("sec-gpc") !== "1" && !isProgram;
}

/** The host that a visit from outside comes from, without `www.`. */
function referrerOf(referer: string | null, ownHost: string): string {
  const host = referer ? URL.parse(referer)?.hostname : undefined;
  if (!host || host === ownHost || host.length > nameMaxLength || !publicHost.test(host)) {
    return noReferrer;
  }
  return host.replace(/^www\.(?=.+\.)/, "");
}

/** `utm_campaign`, or else `utm_source`; null if it doesn't look like a name: an email address has an at-sign. */
function campaignOf(url: string): string | null {
  const query = new URLSearchParams(url.slice(url.indexOf("?") + 1));
  for (const parameter of ["utm_campaign", "utm_source"]) {
    const value = query.get(parameter)?.trim().toLowerCase();
    if (value) return value.length <= nameMaxLength && campaignForm.test(value) ? value : null;
  }
  return null;
}

/** A server that is killed loses at most the visits of this time. */
const saveEveryMs = 15_000;

/** Most names a day has of each kind, so that a stranger who invents names can't fill the table. */
export const dailyNamesMax = 200;

/** Most names that wait to be saved, each with its day and kind. */
const unsavedNamesMax = 1_000;

/** The name under which a day's visits are added once its names are used up. */
export const otherNames = "(others)";

/** Lets one instance at a time add a day's last name on PostgreSQL. */
const savingLock = 7_242_031;

export type VisitCounter = ReturnType<typeof createVisitCounter>;

type Sum = Insertable<Database["daily_visits"]>;

export function createVisitCounter({
  db,
  log,
  now = Date.now,
}: {
  db: Kysely<Database>;
  log: Logger;
  /** Milliseconds since 1970. */
  now?: () => number;
}) {
  let sums = new Map<string, Sum>();

  function add(sum: Sum) {
    const isFull = sums.size >= unsavedNamesMax;
    const key = (name: string) => `${sum.day} ${sum.kind} ${name}`;
    const name = !isFull || sums.has(key(sum.name)) ? sum.name : otherNames;
    const visits = (sums.get(key(name))?.visits ?? 0) + sum.visits;
    sums.set(key(name), { ...sum, name, visits });
  }

  /** Saves the counts. Those that can't be saved wait for the next time. */
  async function save() {
    const taken = [...sums.values()];
    if (taken.length === 0) return;
    sums = new Map();
    try {
      await db.transaction().execute((trx) => addToStored(trx, taken));
    } catch (err) {
      taken.forEach(add);
      log.warn({ err }, "Visits could not be saved; they wait for the next try");
    }
  }

  /** Adds in memory; never waits and never fails. */
  function count(kind: VisitKind, name: string) {
    add({ day: torontoDay(now()).toString(), kind, name, visits: 1 });
  }

  const countEvent: CountEvent = (event) => count("event", event);

  const saving = createRecurringWork(async () => {
    await save();
    return saveEveryMs;
  });

  return {
    count,
    countEvent,
    save,
    start: saving.start,
    /** Saves for the last time. */
    async stop() {
      await saving.stop();
      await save();
    },
  };
}

/** Adds to the sums in the database, which instances share. A name beyond the day's bound is added to the others. */
async function addToStored(trx: Transaction<Database>, sums: Sum[]): Promise<void> {
  if (isPostgres(trx)) await sql`select pg_advisory_xact_lock(${savingLock})`.execute(trx);
  for (const { day, kind, name, visits } of sums) {
    const names = trx.selectFrom("daily_visits").where("day", "=", day).where("kind", "=", kind);
    const { all, known } = await names
      .select(({ fn }) => [
        fn.countAll<number>().as("all"),
        sql<number>`count(*) filter (where name = ${name})`.as("known"),
      ])
      .executeTakeFirstOrThrow();
    const bounded = known > 0 || all < dailyNamesMax ? name : otherNames;
    await trx
      .insertInto("daily_visits")
      .values({ day, kind, name: bounded, visits })
      .onConflict((conflict) =>
        conflict
          .columns(["day", "kind", "name"])
          .doUpdateSet({ visits: sql`daily_visits.visits + excluded.visits` }),
      )
      .execute();
  }
}
