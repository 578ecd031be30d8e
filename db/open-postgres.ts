import { Kysely, PostgresAdapter, PostgresDialect, type PostgresPool, sql } from "kysely";
import pg from "pg";
import type { OpenDatabase, OpenOptions } from "./database-handle.ts";
import { errorCode } from "./describe-causes.ts";
import type { Database } from "./tables.ts";

/** Every statement of the site uses an index, so a slower one is stuck. */
const statementTimeoutMs = 3_000;
/** Commands may read every subscriber. */
export const commandStatementTimeoutMs = 10 * 60_000;

type Timeouts = {
  connectionMs: number;
  statementMs: number;
  lockWaitMs?: number;
};

/** Connects at the first query. Throws if the address can't be parsed. */
export function openPostgres(
  databaseUrl: string,
  { onConnectionLost, statementMs = statementTimeoutMs, maxConnections = 10 }: OpenOptions,
): OpenDatabase {
  const address = readAddress(databaseUrl);
  function openPool(timeouts: Timeouts): pg.Pool {
    const pool = new pg.Pool({
      connectionString: address.href,
      application_name: "chalkline",
      max: maxConnections,
      connectionTimeoutMillis: timeouts.connectionMs,
      idleTimeoutMillis: 30_000,
      // A balancer may lead new connections elsewhere.
      maxLifetimeSeconds: 10 * 60,
      // For a silent server.
      query_timeout: timeouts.statementMs && timeouts.statementMs + 500,
      keepAlive: true,
      types: postgresTypes,
      onConnect: (client) => prepareSession(client, timeouts),
    });
    // Without a listener, a server's restart would end this process.
    pool.on("error", (error) => onConnectionLost?.(error));
    // The next query rejects.
    pool.on("connect", (client) => client.on("error", () => {}));
    return pool;
  }
  function connect(timeouts: Timeouts, onError?: (error: unknown) => void): Kysely<Database> {
    return new Kysely<Database>({
      dialect: new DialectWithoutLock({ pool: leavingLostServers(openPool(timeouts), timeouts) }),
      log: (event) => {
        if (event.level === "error") onError?.(event.error);
      },
    });
  }
  const db = connect({ connectionMs: 3_000, statementMs });
  return {
    db,
    kind: "postgres",
    location: describeAddress(address),
    // Fails where nothing can be written.
    async ping() {
      await sql`update archive_version set version = version where false`.execute(db);
    },
    async withoutTimeouts(work, { onQueryError, ...limits } = {}) {
      const patient = connect({ connectionMs: 20_000, statementMs: 0, ...limits }, onQueryError);
      try {
        return await work(patient);
      } finally {
        await patient.destroy();
      }
    },
    close: () => db.destroy(),
  };
}

class AdapterWithoutLock extends PostgresAdapter {
  override async acquireMigrationLock() {}
  override async releaseMigrationLock() {}
}

class DialectWithoutLock extends PostgresDialect {
  override createAdapter() {
    return new AdapterWithoutLock();
  }
}

/** A read-only server, or one that is shutting down or starting. */
const leaveBy = new Set(["25006", "57P01", "57P02", "57P03"]);
/** The client's words for a silent server. */
const silence = "Query read timeout";

const tooManyConnections = "53300";

/** Connections to a pooler, which may change the server's session between transactions. */
const pooled = new WeakSet<pg.ClientBase>();
/** Closes connections to a server that is silent or no longer the primary, so that the next goes where its name leads now. */
function leavingLostServers(pool: pg.Pool, timeouts: Timeouts): PostgresPool {
  const { max } = pool.options;
  async function connect(): Promise<pg.PoolClient> {
    try {
      return await pool.connect();
    } catch (error) {
      if (errorCode(error) !== tooManyConnections || pool.totalCount === 0) throw error;
      // For a minute, waits for its own connections instead of opening new ones.
      pool.options.max = pool.totalCount;
      setTimeout(() => {
        pool.options.max = max;
      }, 60_000).unref();
      return await connect();
    }
  }
  return {
    options: {},
    async connect() {
      const client = await connect();
      let isLost = false;
      const query = async (...args: [string, unknown[]]) => {
        try {
          const result = await client.query(...args);
          if (pooled.has(client) && /^(?:begin|start transaction)\b/.test(args[0]))
            await client.query(setTimeouts(true), timeoutValues(timeouts));
          return result;
        } catch (error) {
          isLost ||= leaveBy.has(errorCode(error)) || (error as Error).message === silence;
          throw error;
        }
      };
      return { query: query as never, release: () => client.release(isLost) };
    },
    end: () => pool.end(),
  };
}

const checkedBy = new Set(["prefer", "require", "verify-ca"]);

/** Throws for another protocol. */
function readAddress(databaseUrl: string): URL {
  const address = URL.parse(databaseUrl);
  if (address === null || !["postgres:", "postgresql:"].includes(address.protocol))
    throw new Error("The database's address must read postgres://user:password@host:port/name.");
  const { searchParams } = address;
  if (searchParams.get("sslrootcert") === "system") searchParams.delete("sslrootcert");
  // The client would take these alike, with a long warning.
  if (checkedBy.has(searchParams.get("sslmode") ?? "") && !searchParams.has("uselibpqcompat"))
    searchParams.set("sslmode", "verify-full");
  return address;
}

/** PostgreSQL's programs must be told; Node knows its own. */
const authorities = "/etc/ssl/certs/ca-certificates.crt";

/** For PostgreSQL's own programs, without the client's own parameters. */
export function addressForLibpq(databaseUrl: string): { address: string; password: string } {
  const address = readAddress(databaseUrl);
  const { searchParams: parameters } = address;
  const [ssl, mode] = [parameters.get("ssl"), parameters.get("sslmode") ?? ""];
  for (const name of ["pgbouncer", "uselibpqcompat", "ssl"]) parameters.delete(name);
  if (mode === "no-verify" || (mode === "" && ssl !== null)) parameters.set("sslmode", "require");
  if (mode.startsWith("verify-") && !parameters.has("sslrootcert"))
    parameters.set("sslrootcert", authorities);
  const password = decodeURIComponent(address.password);
  address.password = "";
  // libpq reads a plus sign as one.
  address.search = parameters.toString().replaceAll("+", "%20");
  return { address: address.href, password };
}

function setTimeouts(isLocal: boolean): string {
  return `select set_config('statement_timeout', $1, ${isLocal}), set_config('lock_timeout', $2, ${isLocal}),
    set_config('idle_in_transaction_session_timeout', '60s', ${isLocal})`;
}

function timeoutValues({ statementMs, lockWaitMs = 0 }: Timeouts): string[] {
  return [statementMs, lockWaitMs].map(String);
}

/** Poolers may refuse these as start-up parameters. */
async function prepareSession(client: pg.ClientBase, timeouts: Timeouts) {
  const { rows } = await client.query<{ encoding: string; pid: number }>(
    `select current_setting('server_encoding') as encoding, pg_backend_pid() as pid,
      set_config('datestyle', 'ISO', false)`,
  );
  const [{ encoding, pid } = { encoding: "", pid: 0 }] = rows;
  // Other encodings can't store every name.
  if (!["UTF8", "SQL_ASCII"].includes(encoding)) {
    throw new Error(
      `The database's encoding is ${encoding}. Make one in UTF8: createdb --encoding=UTF8 --template=template0 NAME`,
    );
  }
  // A pooler has process numbers of its own, and would pass session settings on to others.
  if ((client as pg.Client & { processID: number }).processID !== pid) pooled.add(client);
  else await client.query(setTimeouts(false), timeoutValues(timeouts));
}

// Shows user, host and name, without the password and parameters.
function describeAddress({ username, host, pathname }: URL): string {
  return `postgres://${username === "" ? "" : `${username}@`}${host}${pathname}`;
}

const { builtins } = pg.types;

/** Ids as numbers (below 2^53). Dates as text: a Date would move a day across time zones. */
const postgresTypes = new pg.TypeOverrides();
postgresTypes.setTypeParser(builtins.INT8, Number);
postgresTypes.setTypeParser(builtins.DATE, String);
postgresTypes.setTypeParser(builtins.TIMESTAMP, toIsoTime);
postgresTypes.setTypeParser(builtins.TIMESTAMPTZ, (text) =>
  toIsoTime(text).replace(/([+-]\d\d)$/, "$1:00"),
);

// `2026-11-21 14:05:09+00` becomes `2026-11-21T14:05:09+00:00`.
function toIsoTime(text: string): string {
  return text.replace(" ", "T");
}
