import path from "node:path";
import type { Logger } from "pino";
import { describeCauses, errorCode } from "#db/describe-causes.ts";
import {
  type Config,
  describeMistake,
  loadEnvironment,
  type ReadSettings,
  readConfig,
  wrongSettingsExitCode,
} from "#settings/settings.ts";
import { createLog } from "./log.ts";
import { type RunningServer, startServer } from "./start-server.ts";

export async function run(
  openSite: Parameters<typeof startServer>[2],
  limits?: Parameters<typeof startServer>[3],
): Promise<void> {
  const environment = loadEnvironment();
  const read = readConfig(environment);
  if (!read.ok) {
    console.error(describeMistakes(read.mistakes.map(describeMistake)));
    process.exitCode = wrongSettingsExitCode;
    return;
  }
  const { config } = read;
  const log = createLog({ config });
  try {
    const server = await startServer(config, log, openSite, { ...limits, environment });
    stopOnSignals(server, log);
    console.log(startNotes({ ...read, ...server.set }, server).join("\n"));
  } catch (error) {
    console.error(describeFailure(error, config));
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

function describeFailure(error: unknown, { host, port }: Config): string {
  const code = errorCode(error);
  const looksFor = error instanceof Error && "hostname" in error ? error.hostname : null;
  if (host !== null && (looksFor === host || code === "EADDRNOTAVAIL"))
    return `HOST is ${host}, which is no address of this machine (${code}). Some shells set it for themselves: HOST=127.0.0.1 npm start`;
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
      // Ctrl+C arrives twice, from the terminal and from npm.
      if (performance.now() - stoppingSince > 1_000) process.exit(exitCode || 1);
      return;
    }
    stoppingSince = performance.now();
    // Supervisors kill after ten seconds.
    setTimeout(() => {
      log.error("The server did not stop in time; the next start takes over its unfinished work");
      process.exit(1);
    }, 9_500).unref();
    try {
      await server.stop();
    } catch (error) {
      log.error({ err: error }, "The server did not stop cleanly");
      process.exit(1);
    }
    process.exit(exitCode);
  }
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"])
    process.on(signal, () => stop(0));
  for (const event of ["uncaughtException", "unhandledRejection"]) {
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, "An unhandled error stops the server");
      void stop(1);
    });
  }
}

function startNotes({ config, unset, warnings }: ReadSettings, server: RunningServer): string[] {
  const everywhere = ["0.0.0.0", "::"];
  const host = config.host === null || everywhere.includes(config.host) ? "localhost" : config.host;
  const here = `http://${host.includes(":") ? `[${host}]` : host}:${server.port}`;
  const known = server.settings.url === here ? "" : `, for ${server.settings.url}`;
  return [
    `${config.siteName} is running at ${here}${known}`,
    "",
    ...dataNotes(config, server.database),
    ...warnings.flatMap((warning) => ["", `Warning: ${describeMistake(warning)}`]),
    ...(unset.length > 0 ? ["", "What isn't set yet: npm run site -- doctor"] : []),
    "",
    "Publish an issue:  npm run site -- issues publish FILE",
    ...(process.stdout.isTTY ? ["Stop:              Ctrl+C"] : []),
  ];
}

function dataNotes(config: Config, database: RunningServer["database"]): string[] {
  const kind = database.kind === "postgres" ? "PostgreSQL" : "SQLite";
  const mail = config.smtpUrl
    ? `sent through ${new URL(config.smtpUrl).host}, contact messages to ${config.contactTo}`
    : `written to ${path.join(config.dataDir, "mail")} as .eml files, not sent`;
  return [`Data  ${kind}, ${database.location}`, `Mail  ${mail}`];
}
