import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import type { OpenDatabase } from "#backend/database/database-handle.ts";
import { migrateToLatest } from "#backend/database/migrate.ts";
import { type DatabaseSettings, openDatabase } from "#backend/database/open-database.ts";
import { startPostgresCluster } from "#tests/databases/postgres-cluster.ts";
import { runSendTrial, type TrialReport } from "#tests/sends/run-send-trial.ts";
import { needTool } from "../debian-tools.ts";
import type { BenchTable, Measurement } from "../measurement.ts";
import { measureBeginning } from "./sends/begin-million.ts";
import { measureSendRate } from "./sends/send-rate.ts";
import { measureVisitsDuringSend } from "./sends/visits-during-send.ts";

const trialReaders = Number(process.env.SENDS_READERS ?? 10_000);
const rateMails = Number(process.env.SENDS_RATE_MAILS ?? 5_000);
const longList = Number(process.env.SENDS_LONG_LIST ?? 1_000_000);

/**
 * One issue to many readers while everything goes wrong that can, how fast it goes, and how long a long list takes to
 * begin. SENDS_READERS, SENDS_RATE_MAILS and SENDS_LONG_LIST give other sizes.
 */
export const sends: Measurement = {
  name: "sends",
  async run({ say }): Promise<BenchTable[]> {
    const reports: [string, TrialReport][] = [];
    const rates: string[][] = [];
    const beginnings: string[][] = [];
    const visits: string[][] = [];
    needTool("wrk", say);
    for (const kind of ["SQLite", "PostgreSQL"] as const) {
      await withDatabases(kind, async (withDatabase) => {
        say(`${kind}: a send to ${trialReaders} readers under fire`);
        reports.push([kind, await withDatabase((open, settings) => runTrial(open, settings))]);
        say(`${kind}: the rate of ${rateMails} mails`);
        const { ours, bare } = await withDatabase((open, settings) =>
          measureSendRate(open, settings, rateMails),
        );
        rates.push([kind, ours.toFixed(0), bare.toFixed(0), (ours / bare).toFixed(2)]);
        say(`${kind}: visitors during a send`);
        await withDatabase(async (_, { databaseUrl }) => {
          for (const { what, without, during, mails } of await measureVisitsDuringSend(
            databaseUrl,
          )) {
            const share = (during / without).toFixed(2);
            visits.push([
              kind,
              what,
              without.toFixed(0),
              during.toFixed(0),
              share,
              mails.toFixed(0),
            ]);
          }
        });
        say(`${kind}: a list of ${longList}`);
        const { seconds, grownMb } = await withDatabase((open) => measureBeginning(open, longList));
        beginnings.push([kind, `${seconds.toFixed(1)} s`, `${grownMb.toFixed(0)} MB`]);
      });
    }
    return [
      trialTable(reports),
      {
        title: "How fast a send goes",
        note: `${rateMails} mails of 15 KB to a mail server on the same machine, five connections, after a fifth as many to warm up. Nodemailer alone has the same mails, headers and connections, writes nothing down, and goes before and after; its mean counts. Neither signs. The bar is 0.8.`,
        columns: ["", "mails a second", "Nodemailer alone", "of it"],
        rows: rates,
      },
      {
        title: "Visitors during a send",
        note: "`wrk`, 64 connections, to the built server with its forms' limits off; while it sends an issue of 15 KB at 100 mails a second and while that is paused, in turns; the middle one of three each. Sign-ups are mailed for confirmation over the same mail server, and those mails overtake the issue, which waits. The bar is 0.8 of the rate without.",
        columns: ["", "what", "a second", "during a send", "of it", "mails a second meanwhile"],
        rows: visits,
      },
      {
        title: "Beginning a send to a long list",
        note: `${longList.toLocaleString("en-CA")} confirmed readers: one row each, in one statement.`,
        columns: ["", "takes", "the process grows by"],
        rows: beginnings,
      },
    ];
  },
};

async function runTrial(open: OpenDatabase, settings: DatabaseSettings): Promise<TrialReport> {
  const report = await runSendTrial(open, settings, {
    readers: trialReaders,
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

type WithDatabase = <Result>(
  work: (open: OpenDatabase, settings: DatabaseSettings) => Promise<Result>,
) => Promise<Result>;

/** Gives each piece of work a new database of its own. */
async function withDatabases(
  kind: "SQLite" | "PostgreSQL",
  work: (withDatabase: WithDatabase) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "chalkline-bench-sends-"));
  const cluster = kind === "PostgreSQL" ? await startPostgresCluster() : null;
  let count = 0;
  async function settingsOfNext(): Promise<DatabaseSettings> {
    count += 1;
    if (!cluster) return { dataDir: path.join(folder, String(count)), databaseUrl: null };
    const client = new pg.Client(cluster.url);
    await client.connect();
    await client.query(`create database sends_${count}`);
    await client.end();
    const url = new URL(cluster.url);
    url.pathname = `sends_${count}`;
    return { dataDir: "", databaseUrl: url.href };
  }
  try {
    await work(async (one) => {
      const settings = await settingsOfNext();
      const open = await openDatabase(settings);
      try {
        await migrateToLatest(open);
        return await one(open, settings);
      } finally {
        await open.close();
      }
    });
  } finally {
    await cluster?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
