import path from "node:path";
import { describeHeld } from "#contact/quarantine.ts";
import type { Config, UnsetSetting } from "../settings.ts";
import type { RunningServer } from "../start-server.ts";

type StartNotes = {
  /** Whether a person reads them as they come, and not somebody a journal later. */
  atTerminal: boolean;
  config: Config;
  server: Pick<RunningServer, "settings" | "port" | "metricsPort" | "database" | "held">;
  unset: UnsetSetting[];
  warnings: string[];
};

/** What a person who has just started the site wants to know, as lines. */
export function startNotes({ atTerminal, config, server, unset, warnings }: StartNotes): string[] {
  const everywhere = ["0.0.0.0", "::"];
  const host = config.host === null || everywhere.includes(config.host) ? "localhost" : config.host;
  const here = `http://${host.includes(":") ? `[${host}]` : host}:${server.port}`;
  const known = server.settings.url === here ? "" : `, for ${server.settings.url}`;
  return [
    `${config.siteName} is running at ${here}${known}`,
    "",
    ...dataNotes(config, server.database),
    ...metricsNotes(config, server.metricsPort),
    ...heldNotes(server.held),
    ...warnings.flatMap((warning) => ["", `Warning: ${warning}`]),
    ...unsetNotes(unset),
    "",
    ...(server.database ? ["Publish an issue:  npm run site -- issues publish FILE"] : []),
    ...(atTerminal ? ["Stop:              Ctrl+C"] : []),
  ];
}

function dataNotes(config: Config, database: RunningServer["database"]): string[] {
  if (config.hostedBackend) return [`Data  ${new URL(config.hostedBackend.url).host} (hosted)`];
  const kind = database?.kind === "postgres" ? "PostgreSQL" : "SQLite";
  const mail = config.smtpUrl
    ? `sent through ${new URL(config.smtpUrl).host}, contact messages to ${config.contactTo}`
    : `written to ${path.join(config.dataDirectory, "mail")} as .eml files, not sent`;
  return [`Data  ${kind}, ${database?.location}`, `Mail  ${mail}`];
}

function heldNotes(held: RunningServer["held"]): string[] {
  if (!held || held.messages + held.signUps === 0) return [];
  return [
    `Held  ${describeHeld(held)} as suspected spam: npm run site -- messages list --held`,
    "      and subscribers list --held show them, and release lets them go.",
  ];
}

function metricsNotes({ metricsAddress }: Config, port: number | null): string[] {
  if (!metricsAddress || port === null) return [];
  const { host } = metricsAddress;
  return [`Metrics  http://${host.includes(":") ? `[${host}]` : host}:${port}/metrics`];
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
