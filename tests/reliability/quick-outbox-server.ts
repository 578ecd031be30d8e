/**
 * The real server with an outbox that leases for seconds in place of minutes, so that what a killed process had in hand
 * is taken over while a test waits. The pages are left out: what is under fire here is the writing side.
 */
import pino from "pino";
import { loadEnvironment, readConfig } from "#server/config.ts";
import { startServer } from "#server/start-server.ts";
import { noSubmissionLimits } from "../no-submission-limits.ts";

const read = readConfig(loadEnvironment());
if (!read.ok) throw new Error(read.mistakes.join("\n"));

await startServer(
  read.config,
  pino({ level: "silent" }),
  async () => ({
    createSite: () => async () => new Response("", { status: 404 }),
    clientDirectory: null,
  }),
  {
    submissionLimits: noSubmissionLimits,
    outboxLimits: {
      pollMs: 50,
      deliveryTimeoutMs: 1_500,
      leaseMs: 2_500,
      backOff: { baseMs: 50, capMs: 400, maxAttempts: 10_000 },
    },
  },
);
process.send?.("listening");
