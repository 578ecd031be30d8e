import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import type { OpenDatabase, OpenOptions } from "./database-handle.ts";
import type { Database } from "./tables.ts";

/** The site's statements all use an index, so a slower one waits for a lock or a dead machine. */
const statementTimeoutMs = 3_000;
/** Some of the operator's commands read every subscriber. */
export const commandStatementTimeoutMs = 10 * 60_000;

type Timeouts = {
  connectionMs: number;
  /** 0 for none. */
  statementMs: number;
  lockWaitMs?: number;
};

/** The first query connects, so an unreachable server fails there. Throws if the address can't be parsed. */
export function openPostgres(
  databaseUrl: string,
  {
    onConnectionLost,
    onQueryError,
    statementMs = statementTimeoutMs,
    maxConnections = 10,
  }: OpenOptions,
): OpenDatabase {
  const location = describePostgresUrl(databaseUrl);
  function connect(timeouts: Timeouts): Kysely<Database> {
    const pool = new pg.Pool({
      connectionString: databaseUrl,
      application_name: "chalkline",
      max: maxConnections,
      connectionTimeoutMillis: timeouts.connectionMs,
      idleTimeoutMillis: 30_000,
      // A little later than the server, in case the server is silent.
      query_timeout: timeouts.statementMs && timeouts.statementMs + 500,
      keepAlive: true,
      types: postgresTypes,
      onConnect: (client) => prepareSession(client, timeouts),
    });
    // Without a listener, a server that restarts would end this process.
    pool.on("error", (error) => onConnectionLost?.(error));
    // A connection may also be lost between two queries of a transaction; the next query rejects.
    pool.on("connect", (client) => client.on("error", () => {}));
    return new Kysely<Database>({
      dialect: new PostgresDialect({ pool }),
      log: (event) => {
        if (event.level === "error") onQueryError?.(event.error);
      },
    });
  }
  const db = connect({ connectionMs: 3_000, statementMs });
  return {
    db,
    kind: "postgres",
    location,
    async ping() {
      await sql`select 1`.execute(db);
    },
    async withoutTimeouts(work, limits = {}) {
      const patient = connect({ connectionMs: 20_000, statementMs: 0, ...limits });
      try {
        return await work(patient);
      } finally {
        await patient.destroy();
      }
    },
    close: () => db.destroy(),
  };
}

// By a statement, since a connection pooler may refuse these as start-up parameters.
async function prepareSession(client: pg.ClientBase, { statementMs, lockWaitMs = 0 }: Timeouts) {
  await client.query(
    `select set_config('datestyle', 'ISO', false),
      set_config('statement_timeout', $1, false),
      set_config('idle_in_transaction_session_timeout', '60s', false),
      set_config('lock_timeout', $2, false)`,
    [statementMs, lockWaitMs].map(String),
  );
}

// Shows user, host and name; the password and the parameters, which may hold one, are left out.
function describePostgresUrl(databaseUrl: string): string {
  const url = URL.parse(databaseUrl);
  if (url === null || !["postgres:", "postgresql:"].includes(url.protocol)) {
    throw new Error("The database's address must read postgres://user:password@host:port/name.");
  }
  const user = url.username === "" ? "" : `${url.username}@`;
  return `postgres://${user}${url.host}${url.pathname}`;
}

const { builtins } = pg.types;

/**
 * Reads bigint as a number (ids stay below 2^53), and dates and times as the text that PostgREST returns: a Date would
 * move a day across time zones.
 */
const postgresTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") => {
    if (format === "binary") return pg.types.getTypeParser(oid, format);
    switch (oid) {
      case builtins.INT8:
        return Number;
      case builtins.DATE:
        return String;
      case builtins.TIMESTAMP:
        return toIsoTime;
      case builtins.TIMESTAMPTZ:
        return (text: string) => toIsoTime(text).replace(/([+-]\d\d)$/, "$1:00");
      default:
        return pg.types.getTypeParser(oid, format);
    }
  }) as typeof pg.types.getTypeParser,
};

// `2026-11-21 14:05:09+00` as PostgreSQL writes it becomes `2026-11-21T14:05:09+00:00`.
function toIsoTime(text: string): string {
  return text.replace(" ", "T");
}
