import type { OpenDatabase } from "#db/database-handle.ts";
import type { DatabaseSettings } from "#db/open-database.ts";
import { runSendTrial, type TrialReport } from "#tests/sends/run-send-trial.ts";
import type { BenchTable, Measurement } from "../measurement.ts";
import { withDatabases } from "./sends/with-databases.ts";

const readers = Number(process.env.SENDS_READERS ?? 10_000);

/** One issue to many readers while everything goes wrong that can. SENDS_READERS gives another number of them. */
export const sendsUnderFire: Measurement = {
  name: "sends-under-fire",
  async run({ say }) {
    const reports: [string, TrialReport][] = [];
    for (const kind of ["SQLite", "PostgreSQL"] as const) {
      await withDatabases(kind, async (withDatabase) => {
        say(`${kind}: a send to ${readers} readers under fire`);
        const report = await withDatabase((open, settings) => runTrial(open, settings));
        say(`${kind}: ${Math.round(report.seconds)} seconds, no promise broken`);
        reports.push([kind, report]);
      });
    }
    return [trialTable(reports)];
  },
};

async function runTrial(open: OpenDatabase, settings: DatabaseSettings): Promise<TrialReport> {
  const report = await runSendTrial(open, settings, {
    readers,
    workerKills: 10,
    sinkKills: 2,
    leavers: 100,
    erased: 20,
    mailsPerConnection: 250,
  });
  if (report.faults.length > 0) throw new Error(report.faults.slice(0, 20).join("\n"));
  return report;
}

function trialTable(reports: [string, TrialReport][]): BenchTable {
  const row = (what: string, value: (report: TrialReport) => number) => [
    what,
    ...reports.map(([, report]) => String(Math.round(value(report)))),
  ];
  return {
    title: "A send under fire",
    note: "The mail server puts 5 % off, refuses 2 %, drops each connection after 250 mails and is killed; our process is killed; readers leave and are erased; the send is paused and resumed, all at moments of chance. Then each row is compared with the mail server's own log. A mail that was in flight at a kill may arrive twice, under one Message-ID.",
    columns: ["", ...reports.map(([kind]) => kind)],
    rows: [
      row("readers", ({ readers }) => readers),
      row("accepted", ({ accepted }) => accepted),
      row("refused", ({ refused }) => refused),
      row("withdrawn: left or erased before their turn", ({ withdrawn }) => withdrawn),
      row("kills of our process", ({ workerKills }) => workerKills),
      row("kills of the mail server", ({ sinkKills }) => sinkKills),
      row("arrived again under the same Message-ID", ({ repeated }) => repeated),
      row("promises broken", ({ faults }) => faults.length),
      row("seconds", ({ seconds }) => seconds),
    ],
  };
}
