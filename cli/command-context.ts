import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { torontoTime } from "#content/toronto-time.ts";
import { describeCauses } from "#db/describe-causes.ts";
import { commandStatementTimeoutMs } from "#db/open-postgres.ts";
import { type OpenStore, openStore } from "#operator/open-store.ts";
import { describePlanRefusal, type PlanRefusal } from "#operator/plan-words.ts";
import type { Problem } from "#operator/records.ts";
import { type Config, type ConfigResult, readConfig, siteSettings } from "#settings/settings.ts";

export type OutputStream = NodeJS.WritableStream & { isTTY?: boolean };

export type SiteIo = {
  stdin: Readable & { isTTY?: boolean };
  stdout: OutputStream;
  stderr: OutputStream;
  environment: Record<string, string | undefined>;
  progress?: (done: number, total: number) => void;
};

type OwnStore = OpenStore & { config: Config };

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
  async function openOwnStore(): Promise<OwnStore> {
    const config = readOwnSettings();
    try {
      const store = await openStore(config, { statementMs: commandStatementTimeoutMs });
      return { ...store, config };
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
    async withStore<Result>(work: (store: OwnStore) => Promise<Result>): Promise<Result> {
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

const problemsShown = 20;

/** Ends a command early, in words for the operator. Exit code 2: wrong usage or bad input. */
export class CommandError extends Error {
  readonly exitCode: 1 | 2 = 2;
  readonly problems: Problem[] = [];
  /** Set when a list can't be read until the operator says what its columns mean. */
  readonly columns: Record<string, string | null> | undefined;

  constructor(
    message: string,
    details: Partial<Pick<CommandError, "exitCode" | "problems" | "columns">> = {},
  ) {
    super(message);
    Object.assign(this, details);
  }
}

/** The work failed, or something needs attention: exit code 1. */
export function failure(message: string): CommandError {
  return new CommandError(message, { exitCode: 1 });
}

/** `newsletter.md:3: the message`, as editors and terminals read it. */
export function formatProblem({ file, line, message }: Problem): string {
  return [file, line, ` ${message}`]
    .filter((part) => part !== null)
    .join(":")
    .trim();
}

/** One error for all mistakes of a command; a single mistake is its message. */
export function problemsError(problems: Problem[], summary: string): CommandError {
  const shown = problems.slice(0, problemsShown).map(formatProblem);
  const rest = problems.length - shown.length;
  const lines = problems.length === 1 ? shown : [summary, ...shown];
  if (rest > 0) lines.push(`… and ${rest} more.`);
  return new CommandError(lines.join("\n"), { problems });
}

export function planRefusal(refusal: PlanRefusal): CommandError {
  if (!("at" in refusal)) return failure(describePlanRefusal(refusal));
  const { reason, at } = refusal;
  const when = torontoTime(at);
  return new CommandError(
    reason === "hour_is_over"
      ? `${when} is over in Toronto. Leave --at out for now.`
      : `${when} is more than a year ahead. Look at the year.`,
  );
}
