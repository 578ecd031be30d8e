import { needTool } from "../debian-tools.ts";
import type { BenchTable, Measurement } from "../measurement.ts";
import { measureBeginning } from "./sends/begin-million.ts";
import { measureSendRate } from "./sends/send-rate.ts";
import { measureVisitsDuringSend } from "./sends/visits-during-send.ts";
import { withDatabases } from "./sends/with-databases.ts";

const rateMails = Number(process.env.SENDS_RATE_MAILS ?? 5_000);
const longList = Number(process.env.SENDS_LONG_LIST ?? 1_000_000);

/**
 * How fast an issue goes out, what visitors notice of it, and how long a long list takes to begin. SENDS_RATE_MAILS and
 * SENDS_LONG_LIST give other sizes.
 */
export const sends: Measurement = {
  name: "sends",
  async run({ say }): Promise<BenchTable[]> {
    const rates: string[][] = [];
    const beginnings: string[][] = [];
    const visits: string[][] = [];
    needTool("wrk");
    for (const kind of ["SQLite", "PostgreSQL"] as const) {
      await withDatabases(kind, async (withDatabase) => {
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
