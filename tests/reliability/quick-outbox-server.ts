/**
 * The real server with an outbox that leases for seconds in place of minutes, so that what a killed process had in hand
 * is taken over while a test waits, and with the faults that only the process itself can be brought to. It has no pages:
 * what is under fire is the writing side.
 */
import { flushCompileCache } from "node:module";
import { sql } from "kysely";
import pino from "pino";
import type { OpenDatabase } from "#db/database-handle.ts";
import { defaultBackoff } from "#mail/outbox.ts";
import { startServer } from "#server/start-server.ts";
import { loadEnvironment, readConfig } from "#settings/settings.ts";
import { noSubmissionLimits } from "../no-submission-limits.ts";
import type { ServerOrder } from "./scene-server.ts";

const read = readConfig(loadEnvironment());
if (!read.ok) throw new Error(JSON.stringify(read.mistakes));

const server = await startServer(
  read.config,
  pino({ level: read.config.logLevel }, pino.destination({ dest: 2, sync: true })),
  async () => ({
    createSite: () => async () => new Response("", { status: 404 }),
    clientDirectory: null,
  }),
  {
    submissionLimits: noSubmissionLimits,
    outboxLimits: {
      paces: {},
      pollMs: 50,
      outagePollMs: 400,
      deliveryTimeoutMs: 1_500,
      leaseMs: 2_500,
      backoff: { ...defaultBackoff, baseMs: 50, capMs: 400, maxAttempts: 10_000 },
      maxRefusals: 10_000,
    },
  },
);

/** SQLite's own upper bound. */
const mostPages = 4_294_967_294;

process.on("message", async ({ databaseMayGrow }: ServerOrder) => {
  // The running server's own connection has the limit; one below the present size means the present size.
  const { db } = server.database as OpenDatabase;
  const limit = sql.raw(String(databaseMayGrow ? mostPages : 1));
  await sql`pragma max_page_count = ${limit}`.execute(db);
  process.send?.({ done: true });
});
process.on("disconnect", () => process.exit());
console.log(`The server is running at http://127.0.0.1:${server.port}`);
// Otherwise done at the end, which a killed process never reaches.
flushCompileCache();
