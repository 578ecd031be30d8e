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
  {
    onConnectionLost,
    onQueryError,
    statementMs = statementTimeoutMs,
    maxConnections = 10,
  }: OpenOptions,
): OpenDatabase {
  const addresses = addressOfEachHost(databaseUrl);
  const location = describeAddresses(addresses);
  function openPool(connectionString: string, timeouts: Timeouts): pg.Pool {
    const pool = new pg.Pool({
      connectionString,
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
  function connect(timeouts: Timeouts, onError = onQueryError): Kysely<Database> {
    const pools = addresses.map(({ href }) => openPool(href, timeouts));
    const pool = leavingFormerPrimaries(pools, timeouts);
    return new Kysely<Database>({
      dialect: new DialectWithoutLock({ pool: pool as PostgresPool }),
      log: (event) => {
        if (event.level === "error") onError?.(event.error);
      },
    });
  }
  const db = connect({ connectionMs: 3_000, statementMs });
  return {
    db,
    kind: "postgres",
    location,
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
/** Connections to read-only servers. */
const readOnly = new WeakSet<pg.ClientBase>();

/**
 * Pools of several hosts, as one. Leaves a host that is silent or no longer the primary; reads from
 * a standby where there is no primary.
 */
function leavingFormerPrimaries(
  pools: pg.Pool[],
  timeouts: Timeouts,
): Pick<PostgresPool, "connect" | "end"> {
  const max = pools[0]?.options.max ?? 1;
  let current = 0;
  /** For a minute, waits for existing connections instead of opening new ones. */
  const makeDoWith = ({ options }: pg.Pool, count: number) => {
    options.max = count;
    setTimeout(() => {
      options.max = max;
    }, 60_000).unref();
  };
  const leave = (at: number) => {
    if (at === current) current = (at + 1) % pools.length;
  };
  async function connectToOne(): Promise<{ client: pg.PoolClient; at: number }> {
    for (let tries = 1; ; tries += 1) {
      const at = current;
      const pool = pools[at] as pg.Pool;
      const isBusy = pool.idleCount === 0 && pool.totalCount >= pool.options.max;
      try {
        const client = await pool.connect();
        if (tries >= pools.length || !readOnly.has(client)) return { client, at };
        client.release(true);
        leave(at);
      } catch (error) {
        if (errorCode(error) === tooManyConnections && pool.totalCount > 0) {
          makeDoWith(pool, pool.totalCount);
          continue;
        }
        if (!isBusy) leave(at);
        if (at === current || tries >= pools.length) throw explainEncryption(error);
      }
    }
  }
  return {
    async connect() {
      const { client, at } = await connectToOne();
      let isFormer = false;
      const query = async (...args: [string, unknown[]]) => {
        try {
          const result = await client.query(...args);
          if (pooled.has(client) && /^(?:begin|start transaction)\b/.test(args[0]))
            await client.query(setTimeouts(true), timeoutValues(timeouts));
          return result;
        } catch (error) {
          if (leaveBy.has(errorCode(error)) || (error as Error).message === silence) {
            isFormer = true;
            leave(at);
          }
          throw error;
        }
      };
      return { query: query as never, release: () => client.release(isFormer) };
    },
    async end() {
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}

const checkedBy = new Set(["prefer", "require", "verify-ca"]);

const unknownAuthority = new Set([
  ...["SELF_SIGNED_CERT_IN_CHAIN", "DEPTH_ZERO_SELF_SIGNED_CERT", "UNABLE_TO_GET_ISSUER_CERT"],
  ...["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "UNABLE_TO_GET_ISSUER_CERT_LOCALLY"],
]);

function explainEncryption(error: unknown): unknown {
  const what = unknownAuthority.has(errorCode(error))
    ? "The database's certificate is of an authority that isn't known here"
    : /pg_hba\.conf.*no encryption/.test(String(error)) &&
      "The database takes no connection unencrypted";
  if (!what) return error;
  const advice =
    "put ?sslmode=verify-full&sslrootcert=FILE, its authority's, at the end of DATABASE_URL";
  return new Error(`${what}: ${advice}`, { cause: error });
}

/**
 * An address for each host of `postgres://…@one:5432,two:5432/name`, as libpq reads it. Throws for
 * another protocol.
 */
function addressOfEachHost(databaseUrl: string): URL[] {
  const [, before = "", hosts = "", after = ""] =
    /^(\w+:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/s.exec(databaseUrl) ?? [];
  return hosts.split(",").map((host) => {
    const address = URL.parse(before + host + after);
    if (address === null || !["postgres:", "postgresql:"].includes(address.protocol)) {
      throw new Error("The database's address must read postgres://user:password@host:port/name.");
    }
    const { searchParams } = address;
    // Needless: hosts that refuse writes are left anyway.
    searchParams.delete("target_session_attrs");
    if (searchParams.get("sslrootcert") === "system") searchParams.delete("sslrootcert");
    // The client would take these alike, with a long warning.
    if (checkedBy.has(searchParams.get("sslmode") ?? "") && !searchParams.has("uselibpqcompat"))
      searchParams.set("sslmode", "verify-full");
    return address;
  });
}

/** PostgreSQL's programs must be told; Node knows its own. */
const authorities = "/etc/ssl/certs/ca-certificates.crt";

/** For PostgreSQL's own programs, without the client's own parameters. */
export function addressForLibpq(databaseUrl: string): { address: string; password: string } {
  const addresses = addressOfEachHost(databaseUrl);
  const [{ protocol = "", username = "", password = "", pathname = "", searchParams } = {}] =
    addresses;
  const parameters = new URLSearchParams(searchParams);
  const [ssl, mode] = [parameters.get("ssl"), parameters.get("sslmode") ?? ""];
  for (const name of ["pgbouncer", "uselibpqcompat", "ssl"]) parameters.delete(name);
  if (mode === "no-verify" || (mode === "" && ssl !== null)) parameters.set("sslmode", "require");
  if (mode.startsWith("verify-") && !parameters.has("sslrootcert"))
    parameters.set("sslrootcert", authorities);
  if (addresses.length > 1) parameters.set("target_session_attrs", "read-write");
  const user = username === "" ? "" : `${username}@`;
  const hosts = addresses.map(({ host }) => host).join(",");
  const query = parameters.size > 0 ? `?${parameters}`.replaceAll("+", "%20") : "";
  return {
    address: `${protocol}//${user}${hosts}${pathname}${query}`,
    password: decodeURIComponent(password),
  };
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
  const { rows } = await client.query<{ encoding: string; readOnly: string; pid: number }>(
    `select current_setting('server_encoding') as encoding, pg_backend_pid() as pid,
      current_setting('transaction_read_only') as "readOnly", set_config('datestyle', 'ISO', false)`,
  );
  const [{ encoding, readOnly: isReadOnly, pid } = { encoding: "", readOnly: "off", pid: 0 }] =
    rows;
  // Other encodings can't store every name.
  if (!["UTF8", "SQL_ASCII"].includes(encoding)) {
    throw new Error(
      `The database's encoding is ${encoding}. Make one in UTF8: createdb --encoding=UTF8 --template=template0 NAME`,
    );
  }
  if (isReadOnly === "on") readOnly.add(client);
  // A pooler has process numbers of its own, and would pass session settings on to others.
  if ((client as pg.Client & { processID: number }).processID !== pid) pooled.add(client);
  else await client.query(setTimeouts(false), timeoutValues(timeouts));
}

// Shows user, hosts and name, without the password and parameters.
function describeAddresses(addresses: URL[]): string {
  const [{ username = "", pathname = "" } = {}] = addresses;
  const user = username === "" ? "" : `${username}@`;
  return `postgres://${user}${addresses.map(({ host }) => host).join(",")}${pathname}`;
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
