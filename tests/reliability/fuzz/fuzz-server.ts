/**
 * The real server with the production build, as a process of its own that can be asked for its memory. Limits on how
 * often the forms may be sent are lifted: they would answer most of what is generated before it reaches what is tested.
 */
import pino from "pino";
import { openBuiltSite } from "#server/built-site.ts";
import { loadEnvironment, readConfig } from "#server/config.ts";
import { startServer } from "#server/start-server.ts";
import { noSubmissionLimits } from "../../no-submission-limits.ts";

const read = readConfig(loadEnvironment());
if (!read.ok) throw new Error(read.mistakes.join("\n"));

const log = pino({ level: read.config.logLevel }, pino.destination(2));
const server = await startServer(read.config, log, openBuiltSite, {
  submissionLimits: noSubmissionLimits,
  outboxLimits: { paces: {} },
});

process.on("message", (message) => {
  if (message === "stop") void server.stop().then(() => process.exit(0));
  if (message !== "memory") return;
  // Twice, since what the first collection finalises only the second one frees.
  globalThis.gc?.();
  globalThis.gc?.();
  process.send?.({ memory: process.memoryUsage() });
});
process.send?.({ port: server.port });
