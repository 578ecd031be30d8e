import path from "node:path";
import type { Logger } from "pino";
import { describeCauses, errorCode } from "#db/describe-causes.ts";
import {
  type Config,
  type ConfigResult,
  loadEnvironment,
  readConfig,
  type UnsetSetting,
  wrongSettingsExitCode,
} from "#settings/settings.ts";
import { describeQuarantined } from "./health/stored-counts.ts";
import { createLog } from "./log.ts";
import { type RunningServer, startServer } from "./start-server.ts";

export async function run(
  openSite: Parameters<typeof startServer>[2],
  limits?: Parameters<typeof startServer>[3],
): Promise<void> {
  const environment = loadEnvironment();
  const read = readConfig(environment);
  if (!read.ok) {
    console.error(describeMistakes(read.mistakes));
    process.exitCode = wrongSettingsExitCode;
    return;
  }
  const { config } = read;
  const log = createLog({ config });
  try {
    const server = await startServer(config, log, openSite, { ...limits, environment });
    stopOnSignals(server, log);
    console.log(startNotes({ ...read, unset: server.unset ?? read.unset }, server).join("\n"));
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

function describeFailure(error: unknown, { host, port, metricsAddress }: Config): string {
  const code = errorCode(error);
  const looksFor = error instanceof Error && "hostname" in error ? error.hostname : null;
  if (host !== null && (looksFor === host || code === "EADDRNOTAVAIL"))
    return `HOST is ${host}, which is no address of this machine (${code}). Some shells set it for themselves: HOST=127.0.0.1 npm start`;
  const failedPort = error instanceof Error && "port" in error ? error.port : null;
  if (metricsAddress && failedPort === metricsAddress.port && failedPort !== port)
    return `The address for metrics, METRICS_ADDRESS, is not available (${code}). Set it to another, for example 127.0.0.1:9465.`;
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

function startNotes(
  { config, unset, warnings }: Extract<ConfigResult, { ok: true }>,
  server: RunningServer,
): string[] {
  const everywhere = ["0.0.0.0", "::"];
  const host = config.host === null || everywhere.includes(config.host) ? "localhost" : config.host;
  const here = localAddress(host, server.port);
  const known = server.settings.url === here ? "" : `, for ${server.settings.url}`;
  return [
    `${config.siteName} is running at ${here}${known}`,
    "",
    ...dataNotes(config, server.database),
    ...(config.metricsAddress
      ? [`Metrics  ${localAddress(config.metricsAddress.host, server.metricsPort)}/metrics`]
      : []),
    ...quarantineNotes(server.quarantined),
    ...warnings.flatMap((warning) => ["", `Warning: ${warning}`]),
    ...unsetNotes(unset),
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

function quarantineNotes(quarantined: RunningServer["quarantined"]): string[] {
  if (quarantined.messages + quarantined.signUps === 0) return [];
  return [
    `Held  ${describeQuarantined(quarantined)} as suspected spam: the desk shows them, and lets them go.`,
  ];
}

function localAddress(host: string, port: number | null): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function unsetNotes(unset: UnsetSetting[]): string[] {
  if (unset.length === 0) return [];
  const width = Math.max(...unset.map(({ setting }) => setting.length));
  return [
    "",
    "Not set yet (settings go into .env; .env.example lists them):",
    ...unset.map(({ setting, instead }) => `  ${setting.padEnd(width)}  ${instead}`),
  ];
}
