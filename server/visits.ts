import type { MiddlewareHandler } from "hono";
import { isbot } from "isbot";
import { type Kysely, sql } from "kysely";
import type { Logger } from "pino";
import { torontoDay } from "#content/toronto-time.ts";
import type { CountEvent } from "#contracts/ports.ts";
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
  visits: Pick<ReturnType<typeof createVisitCounter>, "count" | "countEvent">;
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
  if (address.page.kind !== "page" || !mayBeCounted(headers)) return;
  countPage(visits, address);
  if (headers.get("sec-fetch-site") === "same-origin") return;
  visits.count("referrer", referrerOf(headers.get("referer"), host));
  const campaign = campaignOf(url);
  if (campaign) visits.count("campaign", campaign);
}

/**
 * Accepts `POST /visits?booking`, and `POST /visits?/pricing` for a page that the browser showed without a
 * request for its document. Always answers 204, so that nothing can be learned from it.
 */
export function takeVisitNotes(options: VisitsOptions): MiddlewareHandler<AppEnv> {
  return async (c) => {
    const { headers, url } = c.req.raw;
    const isEmpty = !headers.has("transfer-encoding") && !Number(headers.get("content-length"));
    const isOwnPage = headers.get("sec-fetch-site") === "same-origin";
    if (isEmpty && isOwnPage && mayBeCounted(headers)) {
      await countNote(options, url.slice(url.indexOf("?") + 1));
    }
    c.header("Cache-Control", "no-store");
    // A body isn't read, so the connection can't be used again.
    if (!isEmpty) c.header("Connection", "close");
    return c.body(null, 204);
  };
}

async function countNote({ visits, hasIssue }: VisitsOptions, note: string): Promise<void> {
  if (note === "booking") visits.countEvent("booking opened");
  const target = note.startsWith("/") ? URL.parse(note, "http://site") : null;
  const address = target?.host === "site" ? findPage(target) : null;
  if (!address || "redirectTo" in address) return;
  if (address.page.kind !== "page" || address.status !== 200 || !address.key) return;
  // Anybody can name an issue that doesn't exist.
  const exists = address.issueId === null || (await hasIssue(address.issueId).catch(() => false));
  if (exists) countPage(visits, address);
}

function countPage(visits: VisitsOptions["visits"], { page, issueId }: PageAddress): void {
  if (issueId === null) visits.count("page", page.path);
  else visits.count("issue", String(issueId));
}

function mayBeCounted(headers: Headers): boolean {
  const userAgent = headers.get("user-agent") ?? "";
  const isProgram = userAgent === "" || userAgent.length > userAgentMaxLength || isbot(userAgent);
  return headers.get("dnt") !== "1" && headers.get("sec-gpc") !== "1" && !isProgram;
}

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

/** Most names a day has of each kind, so that a stranger who invents names fills neither memory nor the table. */
export const dailyNamesMax = 200;

/** The name under which a day's visits are added once its names are used up. */
export const otherNames = "(others)";

type Sums = { day: string; kind: VisitKind; names: Set<string>; visits: Map<string, number> };

export function createVisitCounter({
  db,
  log,
  now = Date.now,
}: {
  db: Kysely<Database>;
  log: Logger;
  now?: () => number;
}) {
  const unsaved = new Map<string, Sums>();

  function sumsOf(day: string, kind: VisitKind): Sums {
    const key = `${day} ${kind}`;
    const sums = unsaved.get(key) ?? { day, kind, names: new Set(), visits: new Map() };
    unsaved.set(key, sums);
    return sums;
  }

  /** Saves the counts. Those that can't be saved wait for the next time. */
  async function save() {
    for (const [key, sums] of [...unsaved]) {
      unsaved.delete(key);
      try {
        await addToStored(db, sums);
      } catch (err) {
        for (const [name, count] of sums.visits) add(sumsOf(sums.day, sums.kind), name, count);
        log.warn({ err }, "Visits could not be saved; they wait for the next try");
        return;
      }
    }
  }

  /** Adds in memory; never waits and never fails. */
  function count(kind: VisitKind, name: string) {
    add(sumsOf(torontoDay(now()).toString(), kind), name, 1);
  }

  const countEvent: CountEvent = (event) => count("event", event);

  const saving = createRecurringWork(async () => {
    await save();
    // A server that is killed loses at most the visits of this time.
    return 15_000;
  });

  return {
    count,
    countEvent,
    save,
    start: saving.start,
    async stop() {
      await saving.stop();
      await save();
    },
  };
}

function add({ names, visits }: Pick<Sums, "names" | "visits">, name: string, count: number): void {
  const isNamed = names.has(name) || (name !== otherNames && names.size < dailyNamesMax);
  if (isNamed) names.add(name);
  const counted = isNamed ? name : otherNames;
  visits.set(counted, (visits.get(counted) ?? 0) + count);
}

/** Adds to the sums in the database, which instances share: two that save at once may go over the bound by a few names. */
async function addToStored(db: Kysely<Database>, { day, kind, visits }: Sums): Promise<void> {
  const stored = await db
    .selectFrom("daily_visits")
    .select("name")
    .where("day", "=", day)
    .where("kind", "=", kind)
    .where("name", "!=", otherNames)
    .execute();
  const bounded = {
    names: new Set(stored.map(({ name }) => name)),
    visits: new Map<string, number>(),
  };
  for (const [name, count] of visits) add(bounded, name, count);
  // In one order, so that two statements never wait for each other.
  const names = [...bounded.visits.keys()].toSorted();
  const rows = names.map((name) => ({ day, kind, name, visits: bounded.visits.get(name) ?? 0 }));
  await db
    .insertInto("daily_visits")
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(["day", "kind", "name"])
        .doUpdateSet({ visits: sql`daily_visits.visits + excluded.visits` }),
    )
    .execute();
}
