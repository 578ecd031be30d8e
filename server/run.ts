import type { Logger } from "pino";
import { describeCauses } from "#db/describe-causes.ts";
import { errorCode } from "#db/error-code.ts";
import { createLog } from "./log/create-log.ts";
import { startNotes } from "./operation/start-notes.ts";
import { type Config, loadEnvironment, readConfig } from "./settings.ts";
import { type RunningServer, startServer } from "./start-server.ts";

/** EX_CONFIG of sysexits.h: a supervisor need not try again before somebody has changed the settings. */
const configExitCode = 78;

/** A terminal's Ctrl+C reaches us from the terminal and again from npm; only a later one means "at once". */
const repeatedSignalMs = 1_000;

/** A database that has gone silent holds up no stop: supervisors kill after ten seconds, and then nothing says why. */
const giveUpStoppingMs = 9_500;

/**
 * Starts the site with this process's settings and runs it until it's told to stop. Sets the exit code. `limits` are for
 * a harness that can't do with the product's own.
 */
export async function run(
  openSite: Parameters<typeof startServer>[2],
  limits?: Parameters<typeof startServer>[3],
): Promise<void> {
  const read = readConfig(loadEnvironment());
  if (!read.ok) {
    console.error(describeMistakes(read.mistakes));
    process.exitCode = configExitCode;
    return;
  }
  const { config, unset, warnings } = read;
  const log = createLog({ config });
  try {
    const server = await startServer(config, log, openSite, limits);
    stopOnSignals(server, log);
    console.log(
      startNotes({ atTerminal: process.stdout.isTTY, config, server, unset, warnings }).join("\n"),
    );
  } catch (error) {
    console.error(describeFailure(error, config));
    // Whatever was begun must not keep a process alive that serves nobody.
    process.exit(1);
  }
}

function describeMistakes(mistakes: string[]): string {
  const count = mistakes.length === 1 ? "a mistake" : `${mistakes.length} mistakes`;
  return [
    `The settings have ${count}, so the site did not start:`,
    ...mistakes.map((mistake) => `  - ${mistake}`),
    "Settings come from the environment and from the file .env; .env.example lists them.",
  ].join("\n");
}

function describeFailure(error: unknown, { port, metricsAddress }: Config): string {
  const code = errorCode(error);
  const failedPort = error instanceof Error && "port" in error ? error.port : null;
  if (metricsAddress && failedPort === metricsAddress.port && failedPort !== port)
    return `The address for metrics, METRICS_ADDRESS, can't be had (${code}). Set it to another, for example 127.0.0.1:9465.`;
  const instead = "Set PORT to another, for example: PORT=3001 npm start";
  if (code === "EADDRINUSE") return `Port ${port} is taken by another program. ${instead}`;
  const call = error instanceof Error && "syscall" in error ? error.syscall : null;
  if (code === "EACCES" && call === "listen")
    return `Port ${port} needs rights that this user doesn't have. ${instead}`;
  return `The site did not start: ${describeCauses(error)}`;
}

function stopOnSignals(server: RunningServer, log: Logger): void {
  let stoppingSince: number | null = null;
  async function stop(exitCode: number) {
    if (stoppingSince !== null) {
      if (performance.now() - stoppingSince > repeatedSignalMs) process.exit(exitCode || 1);
      return;
    }
    stoppingSince = performance.now();
    setTimeout(() => {
      log.error(
        "The server did not stop in time; what it had in hand is taken up by the next start",
      );
      process.exit(1);
    }, giveUpStoppingMs).unref();
    try {
      await server.stop();
    } catch (error) {
      log.error({ err: error }, "The server did not stop in order");
      process.exit(1);
    }
    process.exit(exitCode);
  }
  process.on("SIGTERM", () => stop(0));
  process.on("SIGINT", () => stop(0));
  for (const event of ["uncaughtException", "unhandledRejection"]) {
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, "An error that nothing handled ends the server");
      void stop(1);
    });
  }
}
