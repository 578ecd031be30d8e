import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import type { OnConnectionLost, OnQueryError, OpenDatabase } from "./database-handle.ts";
import { listenOnPostgres } from "./listen-on-postgres.ts";
import { clientsWithNames } from "./named-statements.ts";
import { postgresTypes } from "./postgres-types.ts";
import type { Database } from "./tables.ts";
import { tellOfErrors } from "./tell-of-errors.ts";

/** With the one that listens, ten a copy. */
const maxConnections = 9;
const idleTimeoutMs = 30_000;
/**
 * How long the site waits for one statement: each goes by an index, so a longer one waits for a lock or for a machine
 * that hangs. A form whose statement comes to nothing waits once more, for the end of its transaction, and a new
 * connection is asked once for its settings: a database that hangs costs a visitor eight seconds at most.
 */
const statementTimeoutMs = 3_000;
/**
 * How long the operator's commands wait for theirs: some go through every reader once, and nobody waits for an answer in a
 * browser. Longer than that, and what a command locks would be missed by the site.
 */
export const commandStatementTimeoutMs = 10 * 60_000;
/** The client gives up a little after the server should have, for a server that has gone silent. */
const queryGraceMs = 500;
const connectionTimeoutMs = 3_000;
/** Work that nobody waits for in a browser, such as a start beside nineteen others, waits longer for its connection. */
const patientConnectionMs = 20_000;
const idleInTransactionTimeoutMs = 60_000;
const noTimeout = 0;

type Timeouts = {
  connectionMs: number;
  statementMs: number;
  queryMs: number;
  lockWaitMs?: number;
};

/**
 * Connects with the first query, so an unreachable server is met there and not here. Throws where the address can't be
 * read. `statementMs` is how long the server may take over one statement.
 */
export async function openPostgres(
  databaseUrl: string,
  onConnectionLost: OnConnectionLost,
  onQueryError: OnQueryError = () => {},
  statementMs = statementTimeoutMs,
): Promise<OpenDatabase> {
  const location = describePostgresUrl(databaseUrl);
  const Client = clientsWithNames({ namesAreKnown: !isPooledByTransaction(databaseUrl) });
  function connect(timeouts: Timeouts): Kysely<Database> {
    const pool = new pg.Pool({
      Client,
      connectionString: databaseUrl,
      application_name: "chalkline",
      max: maxConnections,
      connectionTimeoutMillis: timeouts.connectionMs,
      idleTimeoutMillis: idleTimeoutMs,
      query_timeout: timeouts.queryMs,
      keepAlive: true,
      types: postgresTypes,
      onConnect: (client) => prepareSession(client, timeouts),
    });
    // Without a listener, a server that restarts would end this process.
    pool.on("error", onConnectionLost);
    // The same while a transaction holds the connection between two queries: the next one is told.
    pool.on("connect", (client) => client.on("error", () => {}));
    return new Kysely<Database>({
      dialect: new PostgresDialect({ pool }),
      log: tellOfErrors(onQueryError),
    });
  }
  const db = connect({
    connectionMs: connectionTimeoutMs,
    statementMs,
    queryMs: statementMs + queryGraceMs,
  });
  return {
    db,
    kind: "postgres",
    location,
    async ping() {
      await sql`select 1`.execute(db);
    },
    async withoutTimeouts(work, limits = {}) {
      const patient = connect({
        connectionMs: patientConnectionMs,
        statementMs: noTimeout,
        queryMs: noTimeout,
        ...limits,
      });
      try {
        return await work(patient);
      } finally {
        await patient.destroy();
      }
    },
    listen: (channel, onNotice) =>
      listenOnPostgres({ databaseUrl, channel, onNotice, onConnectionLost }),
    close: () => db.destroy(),
  };
}

// By statement, since a connection pooler in between may refuse these as start-up parameters.
async function prepareSession(
  client: pg.ClientBase,
  { statementMs, lockWaitMs = noTimeout }: Timeouts,
): Promise<void> {
  await client.query(
    `select set_config('datestyle', 'ISO', false),
      set_config('statement_timeout', $1, false),
      set_config('idle_in_transaction_session_timeout', $2, false),
      set_config('lock_timeout', $3, false)`,
    [statementMs, idleInTransactionTimeoutMs, lockWaitMs].map(String),
  );
}

/** Said as Prisma has it said, which hosts of databases write into the addresses that they show. */
function isPooledByTransaction(databaseUrl: string): boolean {
  return URL.parse(databaseUrl)?.searchParams.get("pgbouncer") === "true";
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
