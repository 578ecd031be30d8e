/**
 * The site as Prometheus watches it: without pages, and with mail that is given up within seconds. With TROUBLED it holds
 * too much memory, and its clock is two days behind, as is the deletion by age.
 */
import "../passing-clock.ts";
import pino from "pino";
import { startServer } from "#server/start-server.ts";
import { loadEnvironment, readConfig } from "#settings/settings.ts";
import { noSubmissionLimits } from "../no-submission-limits.ts";
import { quickSendLimits } from "../sends/quick-send-limits.ts";

const held = process.env.TROUBLED ? Buffer.alloc(450e6, 1) : null;
if (held) process.emit("message", { passMs: -2 * 86_400_000 }, undefined);

const read = readConfig(loadEnvironment());
if (!read.ok) throw new Error(read.mistakes.join("\n"));
const server = await startServer(
  read.config,
  pino({ level: "silent" }),
  async () => ({
    createSite: () => async () => new Response("", { status: 404 }),
    clientDirectory: null,
  }),
  {
    submissionLimits: noSubmissionLimits,
    sendLimits: quickSendLimits,
    outboxLimits: {
      pollMs: 200,
      outagePollMs: 500,
      backoff: { baseMs: 100, factor: 2, capMs: 500, jitter: 0.5, maxAttempts: 10_000 },
      maxRefusals: 2,
    },
  },
);
process.on("exit", () => held?.at(0));
process.on("disconnect", () => process.exit());
console.log(`The server is running at http://127.0.0.1:${server.port}`);
