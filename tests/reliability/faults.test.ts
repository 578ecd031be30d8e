import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { sqliteFileName } from "#db/open-sqlite.ts";
import { retryFailedDeliveries } from "#mail/outbox.ts";
import { startPostgresCluster } from "../databases/postgres-cluster.ts";
import { inDatabase } from "../issue-table.ts";
import { runCommand } from "../site-commands.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../webhook-receiver.ts";
import {
  type Fault,
  type FaultReport,
  hasFailed,
  hasFailedForGood,
  underFaults,
} from "./faults.ts";
import type { Scene } from "./scene.ts";

/** A slow stream, so that the outbox that piled up during one fault empties before the next. */
const calmStream = { visitors: 2, pauseMs: 100 };
/** Longer than an attempt at a delivery may last, in milliseconds. */
const untilDeliveriesFailMs = 1_800;
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

function expectNothingLost(report: FaultReport) {
  const { lost, notStored, storedTwice, underTwoIds, serversDied } = report;
  expect({ lost, notStored, storedTwice, underTwoIds, serversDied }).toEqual({
    lost: [],
    notStored: [],
    storedTwice: [],
    underTwoIds: [],
    serversDied: 0,
  });
  expect(report.acknowledged).toBeGreaterThan(0);
}

/** Visitors notice no failed delivery; the operator reads of it. */
function expectQuietFailure(report: FaultReport) {
  expectNothingLost(report);
  expect([...report.writes.keys()]).toEqual(["200 success"]);
  expect(report.log).toContain("Delivery attempt failed");
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
    const report = await underFaults([locked]);
    expectNothingLost(report);
    expect(report.log).toContain("A function failed");
  });

  test("nothing that was acknowledged is lost while the disk is full", async () => {
    const full: Fault = {
      begin: ({ server }) => server.order({ databaseMayGrow: false }),
      isFelt: (scene) => refusals(scene) >= refusalsOfFullDisk,
      meanwhile: readAtOnce,
      end: ({ server }) => server.order({ databaseMayGrow: true }),
    };
    const report = await underFaults([full]);
    expectNothingLost(report);
    expect(report.log).toContain("A function failed");
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
      const report = await underFaults([crash], { databaseUrl: cluster.url });
      expectNothingLost(report);
      expect(report.writes.get("503 refused")).toBeGreaterThan(0);
    } finally {
      await cluster.stop();
    }
  });

  test("nothing is lost or delivered under two ids while the mail server is down, slow, silent, busy, defers, refuses or drops", async () => {
    const modes = ["down", "slow", "silent", "busy", "defer", "reject", "drop"] as const;
    const report = await underFaults(
      modes.map((mode) => ({
        async begin({ mail }) {
          if (mode === "down") return await mail.goDown();
          mail.mode = mode;
          // How it greets matters to new connections alone.
          if (mode === "silent" || mode === "busy") mail.cut();
        },
        lastsMs: untilDeliveriesFailMs,
        isFelt: hasFailed,
        async end({ mail }) {
          if (mode === "down") await mail.comeBack();
          mail.mode = "accept";
        },
      })),
      calmStream,
    );
    expectQuietFailure(report);
  });

  test("nothing is lost, and nobody else called, while the webhook's endpoint is down, slow, fails, redirects or is gone", async () => {
    const elsewhere = await startWebhookReceiver();
    const accept: WebhookReceiver["answer"] = (response) => response.writeHead(204).end();
    const answers: WebhookReceiver["answer"][] = [
      (response) => void setTimeout(() => response.writeHead(204).end(), 2_000),
      (response) => response.writeHead(500).end("out of order"),
      (response) => response.writeHead(307, { location: elsewhere.url }).end(),
    ];
    const down: Fault = {
      begin: ({ hook }) => hook.goDown(),
      lastsMs: untilDeliveriesFailMs,
      isFelt: hasFailed,
      end: ({ hook }) => hook.comeBack(),
    };
    const answered = (answer: WebhookReceiver["answer"]): Fault => ({
      ...down,
      begin({ hook }) {
        hook.answer = answer;
      },
      end({ hook }) {
        hook.answer = accept;
      },
    });
    const gone: Fault = {
      ...answered((response) => response.writeHead(410).end("moved away")),
      isFelt: hasFailedForGood,
      async afterwards(scene) {
        expect(await retryFailed(scene)).toBeGreaterThan(0);
      },
    };
    try {
      expectQuietFailure(await underFaults([down, ...answers.map(answered), gone], calmStream));
      expect(elsewhere.received).toEqual([]);
    } finally {
      await elsewhere.close();
    }
  });

  test.each([
    { fault: "it has too few file descriptors for itself", openFilesMax: 44, connections: 100 },
    { fault: "more connections are open than files may be", openFilesMax: 256, connections: 400 },
  ])(
    "nothing that was acknowledged is lost while $fault",
    async ({ openFilesMax, connections }) => {
      let sockets: ReturnType<typeof connect>[] = [];
      const report = await underFaults(
        [
          {
            begin({ server }) {
              const port = Number(new URL(server.origin ?? "").port);
              sockets = Array.from({ length: connections }, () =>
                connect(port, "127.0.0.1").on("error", () => {}),
              );
            },
            end() {
              for (const socket of sockets) socket.destroy();
            },
          },
        ],
        { openFilesMax },
      );
      expectNothingLost(report);
    },
  );

  test("nothing that was acknowledged is lost while two servers and commands work on one SQLite file", async () => {
    const report = await underFaults(
      [
        {
          begin() {},
          meanwhile: runCommands,
          async end({ servers }) {
            await servers[1]?.kill();
            await servers[1]?.start();
          },
        },
      ],
      { servers: 2 },
    );
    expectNothingLost(report);
  });
});

/** Sends again what was refused for good, as the desk does. Returns how many. */
async function retryFailed({ database }: Scene): Promise<number> {
  return await inDatabase({ database }, (db) => retryFailedDeliveries(db, { now: new Date() }));
}

/** Each kind of command: one that writes a row, one that writes many, two that read, one that copies everything. */
async function runCommands(scene: Scene): Promise<void> {
  const name = randomUUID();
  const file = (ending: string) => path.join(scene.dataDir, `${name}.${ending}`);
  const imported = `imported-${name}@readers.example`;
  await writeFile(file("md"), `---\ntitle: Issue ${name}\n---\nWords.\n`);
  await writeFile(file("csv"), `email\n${imported}\n`);
  for (const line of [
    ["issues", "publish", file("md")],
    ["subscribers", "import", file("csv"), "--consent", "Ticked at the fair."],
    ["messages", "export", "--json"],
    ["doctor", "--json"],
    ["db", "backup", file("backup.sqlite")],
  ]) {
    const run = await runCommand(line, { env: scene.settings });
    expect(run, `site ${line.join(" ")}`).toMatchObject({ exitCode: 0 });
  }
  const all = ["subscribers", "list", "--limit", "10000", "--json"];
  const listed = await runCommand(all, { env: scene.settings });
  expect(listed.stdout).toContain(imported);
}
