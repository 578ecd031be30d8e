import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Kysely } from "kysely";
import { migrateToLatest } from "#db/migrate.ts";
import { openDatabase } from "#db/open-database.ts";
import type { Database } from "#db/tables.ts";
import { confirmationEmail } from "#mail/confirmation-email.ts";
import { enqueueAll } from "#mail/outbox/enqueue.ts";
import { newSubscriberToken } from "#newsletter/subscriber-token.ts";
import { startPostgresCluster } from "#tests/databases/postgres-cluster.ts";
import { freePort } from "#tests/free-port.ts";
import { calmMailSink } from "#tests/sends/killable-process.ts";
import { testSite } from "#tests/site-identity.ts";
import { startBuiltServer } from "../built-server.ts";
import type { Measurement } from "../measurement.ts";
import { processorMs } from "../processor-time.ts";
import { sendBare } from "./send-bare.ts";

const mails = Number(process.env.DRAIN_MAILS ?? 100_000);
const bareMails = Number(process.env.DRAIN_BARE_MAILS ?? 10_000);
const connections = 5;
const enqueuedAtOnce = 500;
const lookEveryMs = 250;
/** Nothing has gone out for so long: the run is given up. */
const standstillMs = 60_000;

/** How fast confirmations that have piled up go out, beside what a bare Nodemailer gives the same mail server. */
export const drain: Measurement = {
  name: "drain",
  async run({ say }) {
    const rows: string[][] = [];
    for (const kind of ["SQLite", "PostgreSQL"] as const) {
      say(`${kind}: ${mails} waiting mails`);
      rows.push([kind, ...(await measure(kind))]);
    }
    return [
      {
        title: "Waiting mails drained",
        note: `${mails.toLocaleString("en-CA")} confirmations that wait in the outbox when the server starts, over ${connections} connections to a mail server on the same machine that takes everything, without the pace that holds a flood's mail back (docs/operating.md). Nodemailer alone sends ${bareMails.toLocaleString("en-CA")} of the same mails over as many connections just before, composing each and writing nothing down. In the outbox each is claimed under a lease, and that it has gone is on the disk.`,
        columns: [
          "",
          "mails a second",
          "Nodemailer alone",
          "of it",
          "server's processor, ms a mail",
          "left over",
        ],
        rows,
      },
    ];
  },
};

async function measure(kind: "SQLite" | "PostgreSQL"): Promise<string[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "chalkline-drain-"));
  const cluster = kind === "PostgreSQL" ? await startPostgresCluster({ isDurable: true }) : null;
  const databaseUrl = cluster?.url ?? null;
  const port = await freePort();
  const smtpUrl = `smtp://127.0.0.1:${port}`;
  const sink = calmMailSink(port, folder);
  await sink.start();
  const open = await openDatabase({ dataDir: folder, databaseUrl });
  try {
    await migrateToLatest(open);
    for (let n = 0; n < mails; n += enqueuedAtOnce) {
      const entries = Array.from({ length: Math.min(enqueuedAtOnce, mails - n) }, (_, index) =>
        entryOf(n + index),
      );
      await open.db.transaction().execute((trx) => enqueueAll(trx, entries));
    }
    const bare = await sendBare({ url: smtpUrl, connections, mails: bareMails }, bareMail);
    const server = await startBuiltServer(
      { SMTP_URL: smtpUrl, SMTP_CONNECTIONS: String(connections), DATABASE_URL: databaseUrl ?? "" },
      { entry: "bench/performance/server-without-limits.ts", dataDir: folder },
    );
    try {
      const waiting = () => countWaiting(open.db);
      const begun = { left: await waiting(), at: performance.now(), ms: processorMs(server.pid) };
      let left = begun.left;
      let movedAt = begun.at;
      while (left > 0 && performance.now() - movedAt < standstillMs) {
        await delay(lookEveryMs);
        const now = await waiting();
        if (now < left) movedAt = performance.now();
        left = now;
      }
      const sent = begun.left - left;
      const perSecond = (sent * 1000) / (movedAt - begun.at);
      return [
        perSecond.toFixed(0),
        bare.toFixed(0),
        (perSecond / bare).toFixed(2),
        ((processorMs(server.pid) - begun.ms) / sent).toFixed(2),
        String(left),
      ];
    } finally {
      await server.stop();
    }
  } finally {
    await open.close();
    await sink.kill();
    await cluster?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Each of them, where the figures of the site estimate what is beyond ten thousand. */
async function countWaiting(db: Kysely<Database>): Promise<number> {
  const { waiting } = await db
    .selectFrom("outbox")
    .select(({ fn }) => fn.countAll<number>().as("waiting"))
    .where("delivered_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(waiting);
}

function payloadOf(n: number) {
  return { email: `reader-${n}@example.com`, token: newSubscriberToken(), confirmToken: null };
}

function entryOf(n: number) {
  return { kind: "confirmation-email", payload: payloadOf(n), now: new Date() } as const;
}

function bareMail(n: number) {
  const mail = confirmationEmail({
    deliveryId: `bare-${n}`,
    payload: payloadOf(n),
    createdAt: new Date().toISOString(),
    site: testSite,
  });
  return {
    from: '"Chalkline" <hello@chalkline.example>',
    to: mail.to,
    subject: mail.subject,
    text: mail.text,
    html: mail.html.toString(),
  };
}
