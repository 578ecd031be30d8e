import { execFileSync, spawn } from "node:child_process";
import { chmodSync, globSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { onTestFinished } from "vitest";
import { findUnprivilegedUser, untilReady } from "../databases/postgres-cluster.ts";
import { endProcess } from "../end-process.ts";
import { freePort } from "../free-port.ts";
import { patienceMs } from "../patience.ts";
import { newFolder } from "../test-folder.ts";
import { until } from "../until.ts";

/** The newest of Debian's PostgreSQL servers with its own tools; null where there is none. */
export const debianPostgres = globSync("/usr/lib/postgresql/*/bin/postgres")
  .map((file) => path.dirname(file))
  .toSorted((a, b) => Number(a.split("/")[4]) - Number(b.split("/")[4]))
  .at(-1);

export type DebianPostgres = Awaited<ReturnType<typeof startDebianPostgres>>;

const user = findUnprivilegedUser();

/** A folder that the servers' user may write to. */
function folderOfServer(): string {
  const folder = newFolder();
  chmodSync(folder, 0o755);
  if (user) execFileSync("chown", [`${user.uid}:${user.gid}`, folder]);
  return folder;
}

function runAsServer(program: string, parameters: string[], folder: string) {
  return execFileSync(program, parameters, {
    ...user,
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Debian's PostgreSQL on a free port, with more settings such as `-c ssl=on`, until the test has finished. */
export async function startDebianPostgres(settings: string[] = []) {
  const folder = folderOfServer();
  const data = path.join(folder, "data");
  writeFileSync(path.join(folder, "password"), "secret\n");
  chmodSync(path.join(folder, "password"), 0o644);
  runAsServer(
    path.join(debianPostgres ?? "", "initdb"),
    [
      ...[`--pgdata=${data}`, "--username=site", `--pwfile=${folder}/password`, "--no-sync"],
      ...["--auth=scram-sha-256", "--encoding=UTF8", "--locale=C"],
    ],
    folder,
  );
  return await startOn(data, folder, settings);
}

async function startOn(data: string, folder: string, settings: string[]) {
  const port = await freePort();
  const url = `postgres://site:secret@127.0.0.1:${port}/postgres`;
  const place = ["-D", data, "-h", "127.0.0.1", "-p", String(port), "-k", ""];
  const flags = [...place, "-c", "fsync=off", ...settings];
  const child = spawn(path.join(debianPostgres ?? "", "postgres"), flags, {
    ...user,
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(async () => void (await endProcess(child, "SIGQUIT")));
  await untilReady(child);

  function signal(name: "STOP" | "CONT") {
    const all = `kill -${name} ${child.pid} $(ps -o pid= --ppid ${child.pid})`;
    execFileSync("sh", ["-c", all]);
  }

  return {
    url,
    port,
    folder,
    data,
    query: (text: string) => queryAt(url, text),
    /** Ends as a machine that is switched off. */
    switchOff: () => endProcess(child, "SIGQUIT"),
    /** Answers nothing any more, as behind a torn cable. */
    freeze() {
      signal("STOP");
      onTestFinished(() => signal("CONT"));
    },
    /** A server that follows this one, and takes writes when it is promoted by `select pg_promote()`. */
    async startStandby() {
      const copy = path.join(folder, "standby");
      mkdirSync(copy, { mode: 0o700 });
      if (user) execFileSync("chown", [`${user.uid}:${user.gid}`, copy]);
      const how = [
        "--write-recovery-conf",
        "--wal-method=stream",
        "--checkpoint=fast",
        "--no-sync",
      ];
      const tool = path.join(debianPostgres ?? "", "pg_basebackup");
      runAsServer(tool, [`--pgdata=${copy}`, `--dbname=${url}`, ...how], folder);
      return await startOn(copy, folder, settings);
    },
  };
}

async function queryAt(connectionString: string, text: string) {
  const waits = { connectionTimeoutMillis: patienceMs, query_timeout: patienceMs };
  const client = new pg.Client({ connectionString, ...waits });
  await client.connect();
  const { rows } = await client.query(text).finally(() => client.end());
  return rows;
}

/**
 * PgBouncer in transaction mode, with fewer sessions of the server than the site alone would hold. A transaction gets
 * another session than the one before it.
 */
export async function startPgBouncer({ port: serverPort, folder }: DebianPostgres) {
  const port = await freePort();
  const file = path.join(folder, "pgbouncer.ini");
  const users = path.join(folder, "users");
  const words = `[databases]
postgres = host=127.0.0.1 port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = 3
server_round_robin = 1
server_login_retry = 1
`;
  writeFileSync(users, '"site" "secret"\n', { mode: 0o644 });
  writeFileSync(file, words, { mode: 0o644 });
  const child = spawn("pgbouncer", ["-q", file], { ...user, stdio: "ignore" });
  onTestFinished(async () => void (await endProcess(child, "SIGKILL")));
  const url = `postgres://site:secret@127.0.0.1:${port}/postgres`;
  const query = (text: string) => queryAt(url, text);
  await until(() => query("select").then(Boolean, () => false));
  return { url, query };
}

/** Settings for encrypted connections alone, by a certificate of an authority of its own, and that authority's file. */
export function makeOwnAuthority() {
  const folder = folderOfServer();
  const file = (name: string) => path.join(folder, name);
  const openssl = (line: string) =>
    execFileSync("openssl", line.split(" "), { cwd: folder, stdio: "ignore" });
  const key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes";
  openssl(`req -x509 ${key} -days 1 -subj /CN=Own -keyout own.key -out own.pem`);
  openssl(`req ${key} -subj /CN=database -keyout server.key -out server.csr`);
  writeFileSync(file("names"), "subjectAltName=IP:127.0.0.1");
  openssl(
    "x509 -req -days 1 -in server.csr -CA own.pem -CAkey own.key -CAcreateserial -extfile names -out server.pem",
  );
  writeFileSync(file("hba"), "hostssl all all 127.0.0.1/32 scram-sha-256\n");
  if (user) execFileSync("chown", ["-R", `${user.uid}:${user.gid}`, folder]);
  const names = { ssl_cert_file: "server.pem", ssl_key_file: "server.key", hba_file: "hba" };
  const files = Object.entries(names).flatMap(([name, of]) => ["-c", `${name}=${file(of)}`]);
  return { settings: ["-c", "ssl=on", ...files], authority: file("own.pem") };
}
