import { Kysely, PostgresAdapter, PostgresDialect, type PostgresPool, sql } from "kysely";
import pg from "pg";
import type { OpenDatabase, OpenOptions } from "./database-handle.ts";
import { errorCode } from "./describe-causes.ts";
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
  const addresses = addressOfEachHost(databaseUrl);
  const location = describeAddresses(addresses);
  function openPool(connectionString: string, timeouts: Timeouts): pg.Pool {
    const pool = new pg.Pool({
      connectionString,
      application_name: "chalkline",
      max: maxConnections,
      connectionTimeoutMillis: timeouts.connectionMs,
      idleTimeoutMillis: 30_000,
      // However busy it is: a balancer may lead new connections elsewhere.
      maxLifetimeSeconds: 10 * 60,
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
    // Changes nothing, and fails where nothing can be written.
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

/** migrate.ts has a lock of its own. */
class AdapterWithoutLock extends PostgresAdapter {
  override async acquireMigrationLock() {}
  override async releaseMigrationLock() {}
}

class DialectWithoutLock extends PostgresDialect {
  override createAdapter() {
    return new AdapterWithoutLock();
  }
}

/** A read-only server (a former primary), and one that is shutting down or starting. */
const leaveBy = new Set(["25006", "57P01", "57P02", "57P03"]);
/** The client's own words for a server that is silent for longer than its statements may take. */
const silence = "Query read timeout";

/** The server, or the role, has no more. */
const tooManyConnections = "53300";

/** Connections that lead to a pooler, such as PgBouncer, which may give each transaction another server's session. */
const pooled = new WeakSet<pg.ClientBase>();
/** Connections to a server that took no writes when they were made. */
const readOnly = new WeakSet<pg.ClientBase>();

/**
 * Pools of the hosts that a database may be on, as one. A connection whose server says that it is the primary no more, or
 * says nothing, is closed, and the next is made to the next host; so is one to a host that doesn't answer. A standby is
 * taken, for reading, where there is no primary.
 */
function leavingFormerPrimaries(
  pools: pg.Pool[],
  timeouts: Timeouts,
): Pick<PostgresPool, "connect" | "end"> {
  const max = pools[0]?.options.max ?? 1;
  let current = 0;
  /** For a minute the pool waits for one of the connections that it has. Another program may give some back by then. */
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
      // A wait for a free connection says nothing about the host.
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

/** `postgres://…@one:5432,two:5432/name`, as libpq reads it, as an address of each host. Throws if it isn't PostgreSQL's. */
function addressOfEachHost(databaseUrl: string): URL[] {
  const [, before = "", hosts = "", after = ""] =
    /^(\w+:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/s.exec(databaseUrl) ?? [];
  return hosts.split(",").map((host) => {
    const address = URL.parse(before + host + after);
    if (address === null || !["postgres:", "postgresql:"].includes(address.protocol)) {
      throw new Error("The database's address must read postgres://user:password@host:port/name.");
    }
    const { searchParams } = address;
    // libpq's; a host that refuses writes is left anyway.
    searchParams.delete("target_session_attrs");
    // Node's own authorities are its system's.
    if (searchParams.get("sslrootcert") === "system") searchParams.delete("sslrootcert");
    // As the client takes them, with a warning of several lines.
    if (checkedBy.has(searchParams.get("sslmode") ?? "") && !searchParams.has("uselibpqcompat"))
      searchParams.set("sslmode", "verify-full");
    return address;
  });
}

/** Authorities that Node knows by itself; PostgreSQL's own programs are told where they are. */
const authorities = "/etc/ssl/certs/ca-certificates.crt";

/** The same database for PostgreSQL's own programs, which refuse what only the site's client knows. */
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
  // libpq takes a + as it stands.
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

/** By statements, since a pooler may refuse these as start-up parameters. */
async function prepareSession(client: pg.ClientBase, timeouts: Timeouts) {
  const { rows } = await client.query<{ encoding: string; readOnly: string; pid: number }>(
    `select current_setting('server_encoding') as encoding, pg_backend_pid() as pid,
      current_setting('transaction_read_only') as "readOnly", set_config('datestyle', 'ISO', false)`,
  );
  const [{ encoding, readOnly: isReadOnly, pid } = { encoding: "", readOnly: "off", pid: 0 }] =
    rows;
  // A name or a message in other letters could not be stored.
  if (!["UTF8", "SQL_ASCII"].includes(encoding)) {
    throw new Error(
      `The database's encoding is ${encoding}. Make one in UTF8: createdb --encoding=UTF8 --template=template0 NAME`,
    );
  }
  if (isReadOnly === "on") readOnly.add(client);
  // A pooler has process numbers of its own. What was set for a session there would stay for whoever comes next.
  if ((client as pg.Client & { processID: number }).processID !== pid) pooled.add(client);
  else await client.query(setTimeouts(false), timeoutValues(timeouts));
}

// Shows user, hosts and name; the password and the parameters, which may hold one, are left out.
function describeAddresses(addresses: URL[]): string {
  const [{ username = "", pathname = "" } = {}] = addresses;
  const user = username === "" ? "" : `${username}@`;
  return `postgres://${user}${addresses.map(({ host }) => host).join(",")}${pathname}`;
}

const { builtins } = pg.types;

/**
 * Reads bigint as a number (ids stay below 2^53), and dates and times as the text that PostgREST returns: a Date would
 * move a day across time zones.
 */
const postgresTypes = new pg.TypeOverrides();
postgresTypes.setTypeParser(builtins.INT8, Number);
postgresTypes.setTypeParser(builtins.DATE, String);
postgresTypes.setTypeParser(builtins.TIMESTAMP, toIsoTime);
postgresTypes.setTypeParser(builtins.TIMESTAMPTZ, (text) =>
  toIsoTime(text).replace(/([+-]\d\d)$/, "$1:00"),
);

// `2026-11-21 14:05:09+00` as PostgreSQL writes it becomes `2026-11-21T14:05:09+00:00`.
function toIsoTime(text: string): string {
  return text.replace(" ", "T");
}
