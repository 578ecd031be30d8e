import { Kysely, PostgresDialect, type PostgresPool, sql } from "kysely";
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
  function connect(timeouts: Timeouts): Kysely<Database> {
    const pool = leavingFormerPrimaries(addresses.map(({ href }) => openPool(href, timeouts)));
    return new Kysely<Database>({
      dialect: new PostgresDialect({ pool: pool as PostgresPool }),
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
    // Changes nothing, and fails where nothing can be written.
    async ping() {
      await sql`update archive_version set version = version where false`.execute(db);
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

/** A read-only server (a former primary), and one that is shutting down or starting. */
const leaveBy = new Set(["25006", "57P01", "57P02", "57P03"]);

/**
 * Pools of the hosts that a database may be on, as one. A connection whose server says that it is the primary no more is
 * closed, and the next is made to the next host; so is one to a host that doesn't answer.
 */
function leavingFormerPrimaries(pools: pg.Pool[]): Pick<PostgresPool, "connect" | "end"> {
  let current = 0;
  const leave = (at: number) => {
    if (at === current) current = (at + 1) % pools.length;
  };
  async function connectToOne(): Promise<{ client: pg.PoolClient; at: number }> {
    for (let tries = 1; ; tries += 1) {
      const at = current;
      const pool = pools[at] as pg.Pool;
      try {
        return { client: await pool.connect(), at };
      } catch (error) {
        leave(at);
        if (tries >= pools.length) throw error;
      }
    }
  }
  return {
    async connect() {
      const { client, at } = await connectToOne();
      let isFormer = false;
      const query = async (...args: [string, unknown[]]) => {
        try {
          return await client.query(...args);
        } catch (error) {
          if (leaveBy.has(errorCode(error))) {
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

/** `postgres://…@one:5432,two:5432/name`, as libpq reads it, as an address of each host. Throws if it isn't PostgreSQL's. */
function addressOfEachHost(databaseUrl: string): URL[] {
  const [, before = "", hosts = "", after = ""] =
    /^(\w+:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/s.exec(databaseUrl) ?? [];
  return hosts.split(",").map((host) => {
    const address = URL.parse(before + host + after);
    if (address === null || !["postgres:", "postgresql:"].includes(address.protocol)) {
      throw new Error("The database's address must read postgres://user:password@host:port/name.");
    }
    // libpq's; a host that refuses writes is left anyway.
    address.searchParams.delete("target_session_attrs");
    return address;
  });
}

// By a statement, since a connection pooler may refuse these as start-up parameters.
async function prepareSession(client: pg.ClientBase, { statementMs, lockWaitMs = 0 }: Timeouts) {
  const { rows } = await client.query<{ encoding: string }>(
    `select current_setting('server_encoding') as encoding, set_config('datestyle', 'ISO', false),
      set_config('statement_timeout', $1, false),
      set_config('idle_in_transaction_session_timeout', '60s', false),
      set_config('lock_timeout', $2, false)`,
    [statementMs, lockWaitMs].map(String),
  );
  const encoding = rows[0]?.encoding ?? "";
  // A name or a message in other letters could not be stored.
  if (!["UTF8", "SQL_ASCII"].includes(encoding)) {
    throw new Error(
      `The database's encoding is ${encoding}. Make one in UTF8: createdb --encoding=UTF8 --template=template0 NAME`,
    );
  }
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
