import { resolve } from "node:path";
import { styleText } from "node:util";
import { describeCauses } from "#db/describe-causes.ts";
import { commandStatementTimeoutMs } from "#db/open-postgres.ts";
import { type OpenStore, openStore } from "#server/open-store.ts";
import { type Config, type ConfigResult, readConfig, siteSettings } from "#server/settings.ts";
import { CommandError, failure } from "./command-error.ts";
import { type Column, formatTable, type SiteIo } from "./terminal.ts";

export type CommandContext = {
  io: SiteIo;
  /** True when a program reads: nothing but one JSON value goes to standard output. */
  json: boolean;
  now: () => Date;
  /** The settings with what is unset and odd in them; ends the command where one is wrong. */
  readSettings(): Extract<ConfigResult, { ok: true }>;
  /** Opens the site's own database; ends the command in hosted mode. Who calls it closes it. */
  openStore(): Promise<OpenStore>;
  /** Opens the site's own database for as long as `work` runs; ends the command in hosted mode. */
  withStore<Result>(work: (store: OpenStore) => Promise<Result>): Promise<Result>;
  /** A path that the operator gave, seen from the folder where the command was called. */
  resolvePath(path: string): string;
  siteUrl(): string;
  /** A table in the terminal's width, or in its own in a pipe; `whenEmpty` stands in for one without rows. */
  table<Row>(columns: Column<Row>[], rows: Row[], whenEmpty: string): string;
  /** Styles words on a terminal that shows it; elsewhere they come back as they are. */
  style(format: "bold" | "green" | "yellow" | "red", text: string): string;
};

export function createContext(io: SiteIo, { json }: { json: boolean }): CommandContext {
  // Only a terminal that is nobody's pipe; an empty NO_COLOR counts as unset (https://no-color.org).
  const colours = io.stdout.isTTY === true && !io.environment.NO_COLOR;
  const context: CommandContext = {
    io,
    json,
    now: () => new Date(),
    readSettings() {
      const result = readConfig(io.environment);
      if (result.ok) return result;
      throw new CommandError(["The settings need mending first:", ...result.mistakes].join("\n"), {
        problems: result.mistakes.map((message) => ({ file: null, line: null, message })),
      });
    },
    async openStore() {
      const { config } = context.readSettings();
      if (config.hostedBackend) throw hostedModeError();
      return await openOrExplain(config);
    },
    async withStore(work) {
      const store = await context.openStore();
      try {
        return await work(store);
      } finally {
        await store.close();
      }
    },
    resolvePath(path) {
      // npm runs a script in the project's folder, and says here where it was called.
      const { npm_lifecycle_event: script, INIT_CWD: calledIn } = io.environment;
      return script === "site" && calledIn ? resolve(calledIn, path) : resolve(path);
    },
    siteUrl: () => siteSettings(context.readSettings().config).url,
    table(columns, rows, whenEmpty) {
      if (rows.length === 0) return whenEmpty;
      const width = io.stdout.isTTY === true ? (io.stdout.columns ?? null) : null;
      return formatTable(columns, rows, {
        columns: width,
        heading: (text) => context.style("bold", text),
      });
    },
    style: (format, text) => (colours ? styleText(format, text, { validateStream: false }) : text),
  };
  return context;
}

export function hostedModeError(): CommandError {
  return new CommandError(
    "BACKEND_URL is set, so the issues, subscribers and messages are stored by the hosted backend. " +
      "This command works on the site's own database only: use the hosted project's dashboard, or unset BACKEND_URL.",
  );
}

async function openOrExplain(config: Config): Promise<OpenStore> {
  try {
    return await openStore(config, { statementMs: commandStatementTimeoutMs });
  } catch (error) {
    const where = config.databaseUrl === null ? config.dataDir : "the one of DATABASE_URL";
    throw failure(`The database can't be opened (${where}): ${describeCauses(error)}`);
  }
}
