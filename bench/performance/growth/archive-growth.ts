import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { OpenDatabase } from "#db/database-handle.ts";
import type { BuiltServer } from "../../built-server.ts";
import { startBeside, whileBeside } from "../../cores.ts";
import { median } from "../../median.ts";
import { statusBytes } from "../../memory-group.ts";
import { busyShare, untilQuiet } from "../../processor-time.ts";
import type { ProbeReport } from "../../visitors/stand-still.ts";
import { type GrownSite, openGrownSite } from "./grown-site.ts";
import type { GrowthRow } from "./growth-rows.ts";
import { publishAndRemove, type Seen } from "./publish-and-remove.ts";
import { timedFetch, wireBytes } from "./timed-fetch.ts";
import { type Rate, renderRate, searchRate } from "./uncached-rates.ts";

const issueBytes = 20_000;
/** One that the machine disturbed decides nothing, nor does the first, which warms what all of them use. */
const rounds = 15;
const publications = 3;
const rateRounds = 3;
/** Longer than any page that shows issues is kept, and given after that while a new one is made. */
const expiredAfterMs = 2_200;
const quietTimeoutMs = 180_000;
const preparedTimeoutMs = 30_000;
const preparedPollMs = 200;
const firstFlightBytes = 14_600;
const standstillMs = 50;
const megabyte = 1_000_000;
/** A page that has been answered for the first time is compressed anew meanwhile. */
const madeSmallAfterMs = 500;
const importedIssues = 100;
const probeMaxSeconds = 600;
const probeProgram = path.join(import.meta.dirname, "..", "..", "visitors", "stand-still.ts");

type ColdPage = "page" | "issue" | "feed" | "sitemap" | "search";

type ArchiveCosts = {
  startMs: number;
  quietMs: number;
  flights: { archive: number; firstIssue: number; issue: number };
  cold: Record<ColdPage, number>;
  rendersPerSecond: number;
  searchesPerSecond: number;
  published: Seen[];
  removed: Seen[];
  calm: ProbeReport;
  importing: ProbeReport;
  longestLoadedMs: number;
  diskBytes: number;
  residentBytes: number;
  peakBytes: number;
};

/** An archive of so many issues, its server running. */
type Archive = { issues: number; site: GrownSite; server: BuiltServer } & Pick<
  ArchiveCosts,
  "startMs" | "quietMs" | "diskBytes"
>;

/**
 * What archives of so many issues cost, each on a server of its own. All are open at once and their pages are asked for in
 * turns: a shared machine is now faster and now slower, for minutes at a time, and would else tell the sizes apart by it.
 */
export async function measureArchives(
  kind: OpenDatabase["kind"],
  sizes: readonly number[],
): Promise<ArchiveCosts[]> {
  const archives: Archive[] = [];
  try {
    for (const issues of sizes) archives.push(await openArchive(kind, issues));
    const flights = await oneByOne(archives, measureFlights);
    const cold = await coldPages(archives);
    // The first command after an installation compiles the whole program, for longer than any does later.
    await archives[0]?.site.command("issues", "list", "--json");
    const changes = await oneByOne(archives, changesBesideProbe);
    const rates = await ratesInTurns(archives);
    const importing = await oneByOne(archives, importBesideProbe);
    return archives.map(({ server, startMs, quietMs, diskBytes }, index) => ({
      ...{ startMs, quietMs, diskBytes },
      ...nth(flights, index),
      ...nth(changes, index),
      ...nth(rates, index),
      ...nth(importing, index),
      cold: nth(cold, index),
      peakBytes: statusBytes(server.pid, "VmHWM"),
    }));
  } finally {
    for (const { site } of archives) await site.close();
  }
}

async function openArchive(kind: OpenDatabase["kind"], issues: number): Promise<Archive> {
  const site = await openGrownSite(kind);
  await site.seed({ issues, issueBytes, prepared: true });
  const diskBytes = await site.diskBytes();
  const server = await site.start();
  const quietFrom = performance.now();
  await untilQuiet(server.pid, quietTimeoutMs);
  const quietMs = performance.now() - quietFrom;
  return { issues, site, server, startMs: server.startedInMs, quietMs, diskBytes };
}

async function measureFlights({ issues, server: { url } }: Archive) {
  const issue = `/newsletter/${Math.ceil(issues / 2)}`;
  const archive = await wireBytes(url, "/newsletter");
  const firstIssue = await wireBytes(url, issue);
  await delay(madeSmallAfterMs);
  return { flights: { archive, firstIssue, issue: await wireBytes(url, issue) } };
}

async function changesBesideProbe({ site, server }: Archive) {
  const { found, seen: calm } = await whileProbed(server, async () => {
    const published: Seen[] = [];
    const removed: Seen[] = [];
    for (let round = 0; round < publications; round += 1) {
      const seen = await publishAndRemove(site, server.url);
      published.push(seen.published);
      removed.push(seen.removed);
    }
    return { published, removed };
  });
  return { ...found, calm, residentBytes: statusBytes(server.pid, "VmRSS") };
}

/** The middle of several rates, and the longest that anybody waited meanwhile. */
async function ratesInTurns(archives: readonly Archive[]) {
  const rounds: { render: Rate; search: Rate; loaded: ProbeReport }[][] = [];
  for (let round = 0; round < rateRounds; round += 1) {
    rounds.push(
      await oneByOne(archives, async ({ server }) => {
        const { found, seen: loaded } = await whileProbed(server, async () => ({
          render: await renderRate(server.url),
          search: await searchRate(server.url),
        }));
        return { ...found, loaded };
      }),
    );
  }
  return archives.map((_, index) => {
    const ofArchive = rounds.map((round) => nth(round, index));
    return {
      rendersPerSecond: median(ofArchive.map(({ render }) => render.perSecond)),
      searchesPerSecond: median(ofArchive.map(({ search }) => search.perSecond)),
      longestLoadedMs: Math.max(...ofArchive.map(({ loaded }) => loaded.longestMs)),
    };
  });
}

async function importBesideProbe({ site, server }: Archive) {
  const { seen: importing } = await whileProbed(server, async () => {
    const usualShare = await busyShare(server.pid);
    await site.seed({ issues: importedIssues, issueBytes });
    await untilQuiet(server.pid, quietTimeoutMs, usualShare);
  });
  return { importing };
}

/**
 * Pages that nobody has in memory any more, each asked for by itself, in milliseconds. At each size the same is made: the
 * newest issue and the one that is asked for have new titles each time, so that no page comes out as it was before, and
 * that one has a body which nobody has asked for, as the server has prepared it.
 * The issue comes last, since its page is made smaller soon after it has been answered.
 */
async function coldPages(archives: readonly Archive[]): Promise<Record<ColdPage, number>[]> {
  const times = archives.map(
    (): Record<ColdPage, number[]> => ({ page: [], issue: [], feed: [], sitemap: [], search: [] }),
  );
  for (let round = 0; round < rounds; round += 1) {
    const asked = await oneByOne(archives, async ({ issues, site }) => {
      // Never the newest, whose body the archive's page would have read just before.
      const issue = 1 + ((round * 7 + 1) % (issues - 1));
      await site.revise({ retitled: [issues, issue], rewritten: issue }, `round ${round}`);
      return issue;
    });
    for (const { site } of archives) await untilPrepared(site);
    await delay(expiredAfterMs);
    for (const [index, { server }] of archives.entries()) {
      const paths: [ColdPage, string][] = [
        ["sitemap", "/sitemap.xml"],
        ["feed", round % 2 === 0 ? "/feed.xml" : "/atom.xml"],
        ["search", `/search?q=invoices+typed+twice+${round}`],
        ["page", "/newsletter"],
        ["issue", `/newsletter/${nth(asked, index)}`],
      ];
      for (const [what, path] of paths) {
        const { status, ms } = await timedFetch(server.url + path);
        if (status !== 200) throw new Error(`${path} was answered with ${status}.`);
        nth(times, index)[what].push(ms);
      }
      await delay(madeSmallAfterMs);
    }
  }
  return times.map(
    (each) =>
      Object.fromEntries(
        Object.entries(each).map(([what, [, ...later]]) => [what, median(later)]),
      ) as Record<ColdPage, number>,
  );
}

async function oneByOne<Found>(
  archives: readonly Archive[],
  work: (archive: Archive) => Promise<Found>,
): Promise<Found[]> {
  const found: Found[] = [];
  for (const archive of archives) found.push(await work(archive));
  return found;
}

function nth<Value>(values: readonly Value[], index: number): Value {
  const value = values[index];
  if (value === undefined) throw new RangeError(`There is no ${index} among ${values.length}.`);
  return value;
}

async function untilPrepared(site: GrownSite) {
  const until = performance.now() + preparedTimeoutMs;
  while ((await site.countUnprepared()) > 0) {
    if (performance.now() > until) throw new Error("The server has not prepared what it should.");
    await delay(preparedPollMs);
  }
}

/** Does the work with somebody asking for a kept page all along. */
function whileProbed<Found>(server: BuiltServer, work: () => Promise<Found>) {
  const port = Number(new URL(server.url).port);
  const probe = startBeside<ProbeReport>(probeProgram, { port, seconds: probeMaxSeconds });
  return whileBeside(probe, work);
}

/** The costs at all sizes as rows of the report. */
export function archiveRows(costs: ArchiveCosts[]): GrowthRow[] {
  const of = (
    what: string,
    unit: string,
    bar: GrowthRow["bar"],
    value: (at: ArchiveCosts) => number,
    digits = 0,
  ): GrowthRow => ({ what, unit, bar, digits, values: costs.map(value) });
  const time = { kind: "time" } as const;
  const rate = { kind: "rate" } as const;
  const none = { kind: "none" } as const;
  const atMost = (value: number) => ({ kind: "at most", value }) as const;
  const longest = (seen: Seen[], key: "commandMs" | "everywhereMs") =>
    seen.some((each) => Number.isNaN(each[key]))
      ? Number.NaN
      : Math.max(...seen.map((each) => each[key]));
  return [
    of(
      "archive's page, bytes on the wire",
      "B",
      atMost(firstFlightBytes),
      (at) => at.flights.archive,
    ),
    of("an issue, for its first visitor", "B", none, (at) => at.flights.firstIssue),
    of("an issue, for the others", "B", atMost(firstFlightBytes), (at) => at.flights.issue),
    of("archive's page, not in memory", "ms", time, (at) => at.cold.page, 1),
    of("an issue, not in memory", "ms", time, (at) => at.cold.issue, 1),
    of("feed, not in memory", "ms", time, (at) => at.cold.feed, 1),
    of("sitemap, not in memory", "ms", none, (at) => at.cold.sitemap, 1),
    of("search", "ms", time, (at) => at.cold.search, 1),
    of("archive's page rendered anew, a second", "", rate, (at) => at.rendersPerSecond),
    of("searches a second", "", rate, (at) => at.searchesPerSecond),
    of("start", "ms", time, (at) => at.startMs),
    of("busy after the start", "ms", none, (at) => at.quietMs),
    of("publishing: the command", "ms", time, (at) => longest(at.published, "commandMs")),
    of("publishing: seen everywhere after", "ms", atMost(2_000), (at) =>
      longest(at.published, "everywhereMs"),
    ),
    of("removal: the command", "ms", time, (at) => longest(at.removed, "commandMs")),
    of("removal: gone everywhere after", "ms", atMost(2_000), (at) =>
      longest(at.removed, "everywhereMs"),
    ),
    of("longest standstill", "ms", atMost(standstillMs), (at) => at.calm.longestMs),
    of(
      `longest standstill while ${importedIssues} imported issues are prepared`,
      "ms",
      atMost(standstillMs),
      (at) => at.importing.longestMs,
    ),
    of("of it at most the probe's own", "ms", none, (at) => at.calm.ownLongestMs),
    of(
      "longest wait for a kept page while all is rendered anew",
      "ms",
      none,
      (at) => at.longestLoadedMs,
    ),
    of("resident memory", "MB", atMost(200), (at) => at.residentBytes / megabyte),
    of("resident memory, at its most", "MB", atMost(200), (at) => at.peakBytes / megabyte),
    of("disk", "MB", none, (at) => at.diskBytes / megabyte),
  ];
}
