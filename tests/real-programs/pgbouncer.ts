import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { expect, onTestFinished } from "vitest";
import { findUnprivilegedUser } from "../databases/postgres-cluster.ts";
import { endProcess } from "../end-process.ts";
import { freePort } from "../free-port.ts";
import { patienceMs } from "../patience.ts";
import type { DebianPostgres } from "./debian-postgres.ts";

/**
 * PgBouncer in transaction mode, with fewer sessions of the server than the site alone would hold. In turn, a transaction
 * gets another session than the one before it.
 */
export async function startPgBouncer(
  { port: serverPort, folder }: DebianPostgres,
  { inTurn = false } = {},
) {
  const port = await freePort();
  writeFileSync(path.join(folder, "users"), '"site" "secret"\n', { mode: 0o644 });
  const file = path.join(folder, "pgbouncer.ini");
  writeFileSync(
    file,
    `[databases]
postgres = host=127.0.0.1 port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${folder}/users
pool_mode = transaction
default_pool_size = 3
server_round_robin = ${Number(inTurn)}
server_login_retry = 1
`,
    { mode: 0o644 },
  );
  const child = spawn("pgbouncer", ["-q", file], { ...findUnprivilegedUser(), stdio: "ignore" });
  onTestFinished(async () => void (await endProcess(child, "SIGKILL")));
  const url = `postgres://site:secret@127.0.0.1:${port}/postgres`;
  async function query(text: string) {
    const waits = { connectionTimeoutMillis: patienceMs, query_timeout: patienceMs };
    const client = new pg.Client({ connectionString: url, ...waits });
    await client.connect();
    return await client.query(text).finally(() => client.end());
  }
  await expect
    .poll(() =>
      query("select 1").then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  return { url, query };
}
