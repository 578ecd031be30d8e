import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { OpenDatabase } from "#db/database-handle.ts";
import { freePort } from "#tests/free-port.ts";
import type { BuiltServer } from "../../built-server.ts";
import { startBeside, whileBeside } from "../../cores.ts";
import { median } from "../../median.ts";
import { statusBytes } from "../../memory-group.ts";
import { visitedPages } from "../../visitors/visited-pages.ts";
import type { VisitReport } from "../../visitors/visitor.ts";
import { sendLoad } from "../load.ts";
import { type GrownSite, openGrownSite } from "./grown-site.ts";
import type { GrowthRow } from "./growth-rows.ts";
import { timedFetch } from "./timed-fetch.ts";

const issues = 3;
const starts = 3;
const persons = 3;
/** The same at each size, since what is deleted costs what it costs. */
const expiredMessages = 50_000;
const expiredOverDays = 20 * 365;
const loadSeconds = 5;
const loads = 2;
const visitMaxSeconds = 300;
const deletionTimeoutMs = 120_000;
const deletionPollMs = 200;
/** The figure itself and not the line that explains it. */
const lastDeletion = /^chalkline_last_deletion_timestamp_seconds (\S+)$/m;
/** Metrics of the database are looked at no more often. */
const metricsTtlMs = 10_500;
const megabyte = 1_000_000;

const visitorProgram = path.join(import.meta.dirname, "..", "..", "visitors", "visitor.ts");
const signUps = path.join(import.meta.dirname, "..", "sign-up.lua");
const withoutLimits = "bench/performance/server-without-limits.ts";

type PeopleCosts = {
  startMs: number;
  metricsMs: number;
  slowestMetricsMs: number;
  doctorMs: number;
  exportMs: number;
  eraseMs: number;
  deletionMs: number;
  signUpsPerSecond: number;
  signUpsFailed: number;
  meanwhile: VisitReport;
  whileDeleting: VisitReport;
  peakBytes: number;
  diskBytes: number;
};

/** What so many readers and messages cost, on a database of their own. */
export async function measurePeople(
  kind: OpenDatabase["kind"],
  count: number,
): Promise<PeopleCosts> {
  const site = await openGrownSite(kind);
  try {
    await site.seed({ issues, readers: count, messages: count });
    const diskBytes = await site.diskBytes();
    const startMs = await startTime(site);
    const beside = await commandsBesideVisitors(site, count);
    const { perSecond, failed } = await signUpRate(site);
    const deletion = await deletionBesideVisitors(site);
    const rates = { signUpsPerSecond: perSecond, signUpsFailed: failed };
    return { startMs, diskBytes, ...beside, ...rates, ...deletion };
  } finally {
    await site.close();
  }
}

async function startTime(site: GrownSite): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < starts; index += 1) {
    const server = await site.start();
    times.push(server.startedInMs);
    await server.stop();
  }
  return median(times);
}

async function commandsBesideVisitors(site: GrownSite, count: number) {
  const metrics = `127.0.0.1:${await freePort()}`;
  const server = await site.start({ METRICS_ADDRESS: metrics });
  const { found, seen: visitors } = await besideVisitors(server, async () => {
    const scrapes: number[] = [];
    const commands = { doctor: [] as number[], export: [] as number[], erase: [] as number[] };
    for (let index = 0; index < persons; index += 1) {
      const scraped = await timedFetch(`http://${metrics}/metrics`);
      if (scraped.status !== 200) throw new Error(`The metrics answered ${scraped.status}.`);
      scrapes.push(scraped.ms);
      const nextScrape = delay(metricsTtlMs);
      const person = seededReader(Math.floor((count * (index + 1)) / (persons + 1)));
      // Doctor's exit code tells of what an operator should look at, such as what is not configured.
      commands.doctor.push((await site.command("doctor", "--json")).ms);
      commands.export.push(await timeOf(site, "subscribers", "export", person));
      commands.erase.push(await timeOf(site, "subscribers", "erase", person, "--yes", "--json"));
      await nextScrape;
    }
    return { scrapes, commands };
  });
  const peakBytes = statusBytes(server.pid, "VmHWM");
  await server.stop();
  return {
    metricsMs: median(found.scrapes),
    slowestMetricsMs: Math.max(...found.scrapes),
    doctorMs: median(found.commands.doctor),
    exportMs: median(found.commands.export),
    eraseMs: median(found.commands.erase),
    meanwhile: visitors,
    peakBytes,
  };
}

async function timeOf(site: GrownSite, ...command: string[]): Promise<number> {
  const { ms, failed, stdout } = await site.command(...command);
  if (failed) throw new Error(`${command.join(" ")} failed:\n${stdout.slice(0, 1_000)}`);
  return ms;
}

async function signUpRate(site: GrownSite) {
  const server = await site.start({}, withoutLimits);
  const rates: number[] = [];
  let failed = 0;
  for (let round = 0; round < loads; round += 1) {
    const load = await sendLoad({ url: server.url, seconds: loadSeconds, script: signUps });
    rates.push(load.perSecond);
    failed += load.failed;
  }
  await server.stop();
  return { perSecond: Math.max(...rates), failed };
}

/** The server deletes by age at its start; twenty years of messages have come in meanwhile. */
async function deletionBesideVisitors(site: GrownSite) {
  await site.seed({ messages: expiredMessages, overDays: expiredOverDays });
  const metrics = `127.0.0.1:${await freePort()}`;
  const server = await site.start({ METRICS_ADDRESS: metrics });
  const readyAt = Date.now();
  const { found: endedAt, seen: visitors } = await besideVisitors(server, async () => {
    while (Date.now() - readyAt < deletionTimeoutMs) {
      const { text } = await timedFetch(`http://${metrics}/metrics`);
      const lastDeletionAt = Number(lastDeletion.exec(text)?.[1]) * 1000;
      if (Number.isNaN(lastDeletionAt)) throw new Error(`No deletion is told of:\n${text}`);
      // Until one has ended, the moment of the start stands there.
      if (lastDeletionAt > readyAt) return lastDeletionAt;
      await delay(deletionPollMs);
    }
    return Number.NaN;
  });
  await server.stop();
  return { deletionMs: endedAt - readyAt, whileDeleting: visitors };
}

async function besideVisitors<Found>(server: BuiltServer, work: () => Promise<Found>) {
  // A page's first visitor after a start waits for its making: they are to wait for the work alone.
  for (const page of visitedPages) await timedFetch(server.url + page);
  const port = Number(new URL(server.url).port);
  const visiting = startBeside<VisitReport>(visitorProgram, { port, seconds: visitMaxSeconds });
  return await whileBeside(visiting, work);
}

/** The address that the seeder gives the reader of an index. */
function seededReader(index: number): string {
  return `Reader.${index}@mail${index % 97}.example`;
}

/** The costs at all sizes as rows of the report. */
export function peopleRows(costs: PeopleCosts[]): GrowthRow[] {
  const of = (
    what: string,
    unit: string,
    bar: GrowthRow["bar"],
    value: (at: PeopleCosts) => number,
  ): GrowthRow => ({ what, unit, bar, values: costs.map(value) });
  const time = { kind: "time" } as const;
  const none = { kind: "none" } as const;
  const undisturbed = { kind: "at most", value: 250 } as const;
  const faultless = { kind: "at most", value: 0 } as const;
  const failed = ({ pages, forms }: VisitReport) => pages.errors + forms.errors;
  return [
    of("sign-ups a second", "", { kind: "rate" }, (at) => at.signUpsPerSecond),
    of("of them failed", "", faultless, (at) => at.signUpsFailed),
    of("start", "ms", time, (at) => at.startMs),
    of("metrics, the middle of three", "ms", time, (at) => at.metricsMs),
    of("the slowest of them", "ms", none, (at) => at.slowestMetricsMs),
    of("`doctor`", "ms", time, (at) => at.doctorMs),
    of("one person's export", "ms", time, (at) => at.exportMs),
    of("one person's erasure", "ms", time, (at) => at.eraseMs),
    of("visitors meanwhile: pages, p99", "ms", undisturbed, (at) => at.meanwhile.pages.p99Ms),
    of("forms, p99", "ms", undisturbed, (at) => at.meanwhile.forms.p99Ms),
    of("failed", "", faultless, (at) => failed(at.meanwhile)),
    of(
      `deletion of ${expiredMessages.toLocaleString("en-CA")} messages by age`,
      "ms",
      time,
      (at) => at.deletionMs,
    ),
    of("visitors meanwhile: pages, p99", "ms", undisturbed, (at) => at.whileDeleting.pages.p99Ms),
    of("forms, p99", "ms", undisturbed, (at) => at.whileDeleting.forms.p99Ms),
    of("failed", "", faultless, (at) => failed(at.whileDeleting)),
    of("the visitors' own delay, p99", "ms", none, (at) =>
      Math.max(at.meanwhile.loopDelayP99Ms, at.whileDeleting.loopDelayP99Ms),
    ),
    of("resident memory, at its most", "MB", none, (at) => at.peakBytes / megabyte),
    of("disk", "MB", none, (at) => at.diskBytes / megabyte),
  ];
}
