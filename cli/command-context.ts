import { resolve } from "node:path";
import { describeCauses } from "#db/describe-causes.ts";
import { commandStatementTimeoutMs } from "#db/open-postgres.ts";
import { type OpenStore, openStore } from "#operator/open-store.ts";
import { type ConfigResult, readConfig, siteSettings } from "#settings/settings.ts";
import { CommandError, failure } from "./command-error.ts";
import type { SiteIo } from "./terminal.ts";

export type CommandContext = ReturnType<typeof createContext>;

/** `json` is true when a program reads: nothing but one JSON value goes to standard output. */
export function createContext(io: SiteIo, { json }: { json: boolean }) {
  /** The settings with what is unset and odd in them; ends the command where one is wrong. */
  function readSettings(): Extract<ConfigResult, { ok: true }> {
    const result = readConfig(io.environment);
    if (result.ok) return result;
    throw new CommandError(["Fix these settings first:", ...result.mistakes].join("\n"), {
      problems: result.mistakes.map((message) => ({ file: null, line: null, message })),
    });
  }

  /** The settings of a site with a database of its own; ends the command in hosted mode. */
  function readOwnSettings() {
    const { config } = readSettings();
    if (!config.hostedBackend) return config;
    throw new CommandError(
      "BACKEND_URL is set, so the issues, subscribers and messages are stored by the hosted backend. " +
        "This command works on the site's own database only: use the hosted project's dashboard, or unset BACKEND_URL.",
    );
  }

  /** Opens the site's own database; ends the command in hosted mode. Who calls it closes it. */
  async function openOwnStore(): Promise<OpenStore> {
    const config = readOwnSettings();
    try {
      return await openStore(config, { statementMs: commandStatementTimeoutMs });
    } catch (error) {
      const where = config.databaseUrl === null ? config.dataDir : "the one of DATABASE_URL";
      throw failure(`The database can't be opened (${where}): ${describeCauses(error)}`);
    }
  }

  return {
    io,
    json,
    now: () => new Date(),
    readSettings,
    readOwnSettings,
    openStore: openOwnStore,
    async withStore<Result>(work: (store: OpenStore) => Promise<Result>): Promise<Result> {
      const store = await openOwnStore();
      return await work(store).finally(() => store.close());
    },
    /** A path that the operator gave, seen from the folder where the command was called. */
    resolvePath(path: string): string {
      // npm runs a script in the project's folder, and says here where it was called.
      const { npm_lifecycle_event: script, INIT_CWD: calledIn } = io.environment;
      return script === "site" && calledIn ? resolve(calledIn, path) : resolve(path);
    },
    siteUrl: () => siteSettings(readSettings().config).url,
  };
}
