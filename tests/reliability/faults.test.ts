import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { sqliteFileName } from "#db/open-sqlite.ts";
import { startPostgresCluster } from "../databases/postgres-cluster.ts";
import { patienceMs } from "../patience.ts";
import { runCommand } from "../site-commands.ts";
import { type Scene, withScene } from "./scene.ts";

/** How long a write waits for the lock, in milliseconds. A read that waited as long would have been held up by it. */
const lockWaitMs = 5_000;
/** Pages in use have room for a few more writes. */
const refusalsOfFullDisk = 10;

const refusals = ({ crowd }: Scene) => crowd.answers.get("503 refused") ?? 0;

async function readAtOnce({ server }: Scene) {
  for (let read = 0; read < 20; read += 1) {
    const signal = AbortSignal.timeout(lockWaitMs);
    const url = `${server.origin}/rest/v1/final_newsletters?select=id,title`;
    expect((await fetch(url, { signal })).status).toBe(200);
  }
}

type Fault = {
  begin?(scene: Scene): unknown;
  end(scene: Scene): unknown;
  /** How long it lasts at least, in milliseconds. */
  lastsMs?: number;
  /** It lasts on until this is so. */
  isFelt?(scene: Scene): boolean;
  /** Runs while the fault lasts, once it is felt. */
  meanwhile?(scene: Scene): Promise<void>;
};

/** Acknowledgements that have to come before a fault and after it, so that it hits a stream. */
const streamCount = 8;

/**
 * Lets the fault come under a stream of visitors, waits until all is delivered, and expects that nothing is lost. Returns
 * how often each answer came to those who wrote, and what the servers logged at `warn` and above.
 */
async function underFault(fault: Fault, options: Parameters<typeof withScene>[0] = {}) {
  return await withScene({ visitors: 2, pauseMs: 60, ...options }, async (scene) => {
    await scene.answered(streamCount);
    await fault.begin?.(scene);
    await delay(fault.lastsMs ?? 600);
    const deadline = performance.now() + patienceMs;
    while (fault.isFelt && !fault.isFelt(scene)) {
      if (performance.now() > deadline) throw new Error("The fault did not happen.");
      await delay(50);
    }
    await fault.meanwhile?.(scene);
    await fault.end(scene);
    await scene.answered(streamCount);
    expect(scene.servers.filter((server) => server.hasDied())).toEqual([]);
    const { acknowledged, ...faults } = await scene.settled();
    expect(faults).toEqual({ lost: [], notStored: [], storedTwice: [], underTwoIds: [] });
    expect(acknowledged).toBeGreaterThan(0);
    const log = scene.servers.map((server) => server.said()).join("");
    return { writes: scene.crowd.answers, log };
  });
}

// Most of the time is waiting, so that several at once take little longer than one.
describe.concurrent("a site with a fault", { timeout: 420_000 }, () => {
  test("writes are refused, reads go on and nothing is lost while another program locks the database", async () => {
    let other: DatabaseSync;
    const locked: Fault = {
      begin({ dataDir }) {
        other = new DatabaseSync(path.join(dataDir, sqliteFileName), { timeout: lockWaitMs });
        other.exec("begin immediate");
      },
      lastsMs: lockWaitMs + 1_000,
      isFelt: (scene) => refusals(scene) > 0,
      meanwhile: readAtOnce,
      end() {
        other.exec("rollback");
        other.close();
      },
    };
    expect((await underFault(locked)).log).toContain("A function failed");
  });

  test("nothing that was acknowledged is lost while the disk is full", async () => {
    const full: Fault = {
      begin: ({ server }) => server.order({ databaseMayGrow: false }),
      isFelt: (scene) => refusals(scene) >= refusalsOfFullDisk,
      meanwhile: readAtOnce,
      end: ({ server }) => server.order({ databaseMayGrow: true }),
    };
    expect((await underFault(full)).log).toContain("A function failed");
  });

  test("nothing that was acknowledged is lost while PostgreSQL crashes and comes back", async () => {
    const cluster = await startPostgresCluster();
    try {
      let isBack: Promise<unknown> | undefined;
      const crash: Fault = {
        begin() {
          isBack = cluster.crash(600);
        },
        end: () => isBack,
      };
      const { writes } = await underFault(crash, { databaseUrl: cluster.url });
      expect(writes.get("503 refused")).toBeGreaterThan(0);
    } finally {
      await cluster.stop();
    }
  });

  test("nothing that was acknowledged is lost while two servers and commands work on one SQLite file", async () => {
    const shared: Fault = {
      meanwhile: runCommands,
      async end({ servers }) {
        await servers[1]?.kill();
        await servers[1]?.start();
      },
    };
    await underFault(shared, { servers: 2 });
  });
});

/** Each kind of command: one that writes a row, one that writes many, two that read, one that copies everything. */
async function runCommands(scene: Scene): Promise<void> {
  const name = randomUUID();
  const file = (ending: string) => path.join(scene.dataDir, `${name}.${ending}`);
  const imported = `imported-${name}@readers.example`;
  await writeFile(file("md"), `---\ntitle: Issue ${name}\n---\nWords.\n`);
  await writeFile(file("csv"), `email\n${imported}\n`);
  for (const line of [
    ["issues", "publish", file("md")],
    ["subscribers", "import", file("csv"), "--consent", "At the fair.", "--state", "confirmed"],
    ["messages", "export", "--json"],
    ["issues", "list", "--json"],
    ["db", "backup", file("backup.sqlite")],
  ]) {
    const run = await runCommand(line, { env: scene.settings });
    expect(run, `site ${line.join(" ")}`).toMatchObject({ exitCode: 0 });
  }
  const all = ["subscribers", "list", "--limit", "10000", "--json"];
  const listed = await runCommand(all, { env: scene.settings });
  expect(listed.stdout).toContain(imported);
}
