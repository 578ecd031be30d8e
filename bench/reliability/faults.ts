import {
  exhaustedDescriptors,
  scarcities,
} from "../../tests/reliability/faults/exhausted-descriptors.ts";
import {
  failingMailServer,
  mailFaults,
} from "../../tests/reliability/faults/failing-mail-server.ts";
import { failingWebhook, webhookFaults } from "../../tests/reliability/faults/failing-webhook.ts";
import type { FaultReport, FaultSize } from "../../tests/reliability/faults/fault-report.ts";
import { fullDatabase, fullDisk } from "../../tests/reliability/faults/full-disk.ts";
import { jumpingClock } from "../../tests/reliability/faults/jumping-clock.ts";
import { lockedDatabase } from "../../tests/reliability/faults/locked-database.ts";
import { missingDatabase } from "../../tests/reliability/faults/missing-database.ts";
import { powerCut } from "../../tests/reliability/faults/power-cut.ts";
import { restartedPostgres } from "../../tests/reliability/faults/restarted-postgres.ts";
import { severalProcesses } from "../../tests/reliability/faults/several-processes.ts";
import { needTool } from "../debian-tools.ts";
import type { BenchTable, Measurement } from "../measurement.ts";

const minuteMs = 60_000;
const size: FaultSize = { injections: 4, lastsMs: 2_500, pages: true, pauseMs: 10 };
const forAMinute: FaultSize = { ...size, injections: 1, lastsMs: minuteMs };
const powerCuts = 400;

type Fault = { name: string; run: () => Promise<FaultReport> };

function listFaults(): Fault[] {
  return [
    {
      name: "power cut",
      run: () => powerCut({ injections: powerCuts, lastsMs: 15_000, visitors: 4 }),
    },
    { name: "disk full (SQLite's limit)", run: () => fullDatabase(size) },
    ...(canMount() ? [{ name: "disk full (file system)", run: () => fullDisk(size) }] : []),
    { name: "database locked", run: () => lockedDatabase(forAMinute) },
    // Once put back, once replaced.
    { name: "database gone", run: () => missingDatabase({ ...forAMinute, injections: 2 }) },
    { name: "PostgreSQL restarted", run: () => restartedPostgres(size) },
    { name: "PostgreSQL gone", run: () => restartedPostgres(forAMinute) },
    ...mailFaults.map((how) => ({ name: `mail: ${how}`, run: () => failingMailServer(how, size) })),
    ...webhookFaults.map((how) => ({
      name: `webhook: ${how}`,
      run: () => failingWebhook(how, size),
    })),
    { name: "clock", run: () => jumpingClock({ ...size, lastsMs: 1_000 }) },
    ...scarcities.map((scarcity) => ({
      name: `file descriptors: ${scarcity}`,
      run: () => exhaustedDescriptors(scarcity, size),
    })),
    { name: "several processes", run: () => severalProcesses(size) },
  ];
}

/** Each fault under a stream of visitors: what was lost, what they were told, and what the operator could see. */
export const faults: Measurement = {
  name: "faults",
  async run({ say }): Promise<BenchTable[]> {
    needTool("strace");
    const reports: FaultReport[] = [];
    if (!canMount())
      say("left out: a disk that is really full, which takes the right to mount one");
    for (const { name, run } of listFaults()) {
      say(name);
      reports.push(await run());
    }
    return [countsTable(reports), sightsTable(reports)];
  },
};

const columns = {
  injected: "injected",
  acknowledged: "acknowledged",
  lost: "lost",
  falseSuccesses: "false successes",
  storedTwice: "stored twice",
  underTwoIds: "under two ids",
  repeats: "again, same id",
  fieldsDropped: "fields dropped",
  serversDied: "servers died",
} satisfies Partial<Record<keyof FaultReport, string>>;

function countsTable(reports: FaultReport[]): BenchTable {
  const keys = Object.keys(columns) as (keyof typeof columns)[];
  const sum = (key: keyof typeof columns) =>
    reports.reduce((total, report) => total + report[key], 0);
  return {
    title: "Faults injected, acknowledged writes lost",
    note: "Lost: acknowledged, and not in the database in the end, or mail or webhook call never arrived. A false success is an acknowledged write that is not in the database.",
    columns: ["fault", ...Object.values(columns)],
    rows: [
      ...reports.map((report) => [report.fault, ...keys.map((key) => String(report[key]))]),
      ["all", ...keys.map((key) => String(sum(key)))],
    ],
  };
}

function sightsTable(reports: FaultReport[]): BenchTable {
  return {
    title: "What visitors and the operator saw",
    note: "Answers to all requests of the run, before, during and after the fault; those who were refused tried again until they were answered.",
    columns: ["fault", "visitors", "operator"],
    rows: reports.map(({ fault, visitor, operator }) => [fault, visitor, operator]),
  };
}

function canMount(): boolean {
  return process.getuid?.() === 0;
}
