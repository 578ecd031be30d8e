import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import path from "node:path";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { startPostgresCluster } from "../databases/postgres-cluster.ts";
import type { MailServerMode } from "../mail-server.ts";
import { spawnCommand } from "../site-commands.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../webhook-receiver.ts";
import { fullDisk, lockedDatabase, lockWaitMs } from "./database-faults.ts";
import { type FaultReport, hasFailed, underFault } from "./faults.ts";
import type { Scene } from "./scene.ts";

/** Longer than an attempt at a delivery may last, in milliseconds. */
const untilDeliveriesFailMs = 1_800;

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

/** Where deliveries fail, visitors notice nothing and the operator reads of it. */
function expectQuietFailure(report: FaultReport) {
  expectNothingLost(report);
  expect([...report.writes.keys()]).toEqual(["200 success"]);
  expect(report.log).toContain("Delivery attempt failed");
}

// Most of the time is waiting, so that several at once take little longer than one.
describe.concurrent("nothing that was acknowledged is lost, and nothing delivered under two ids", {
  timeout: 420_000,
}, () => {
  test("while another program locks the database: writes are refused, reads go on at once", async () => {
    const report = await underFault(lockedDatabase());
    expectNothingLost(report);
    expect(report.writes.get("503 refused")).toBeGreaterThan(0);
    expect([...report.reads.keys()]).toEqual(["200"]);
    expect(report.longestReadMs).toBeLessThan(lockWaitMs);
    expect(report.log).toContain("A function failed");
  });

  test("while the disk is full", async () => {
    const report = await underFault(fullDisk());
    expectNothingLost(report);
    expect([...report.reads.keys()]).toEqual(["200"]);
    expect(report.log).toContain("A function failed");
  });

  test("while PostgreSQL crashes and comes back", async () => {
    const cluster = await startPostgresCluster();
    try {
      const client = new pg.Client(cluster.url);
      await client.connect();
      await client.query("create database faults");
      await client.end();
      const databaseUrl = new URL(cluster.url);
      databaseUrl.pathname = "faults";
      let isBack: Promise<unknown> | undefined;
      const report = await underFault(
        {
          begin() {
            isBack = cluster.crash(600);
          },
          end: () => isBack,
        },
        { databaseUrl: databaseUrl.href },
      );
      expectNothingLost(report);
      expect(report.writes.get("503 refused")).toBeGreaterThan(0);
    } finally {
      await cluster.stop();
    }
  });

  test.each<{ fault: string; how: "down" | MailServerMode }>([
    { fault: "is down", how: "down" },
    { fault: "is slow", how: "slow" },
    { fault: "is silent", how: "silent" },
    { fault: "takes no connections in (421)", how: "busy" },
    { fault: "puts recipients off (451)", how: "defer" },
    { fault: "refuses recipients (550)", how: "reject" },
    { fault: "takes the message and drops the connection", how: "drop" },
  ])("while the mail server $fault", async ({ how }) => {
    const report = await underFault({
      async begin({ mail }) {
        if (how === "down") return await mail.goDown();
        mail.mode = how;
        // How it greets matters to new connections alone.
        if (how === "silent" || how === "busy") mail.cut();
      },
      lastsMs: untilDeliveriesFailMs,
      isFelt: hasFailed,
      async end({ mail }) {
        if (how === "down") await mail.comeBack();
        mail.mode = "accept";
      },
    });
    expectQuietFailure(report);
  });

  const answers: Record<string, WebhookReceiver["answer"] | null> = {
    "is down": null,
    "is slow": (response) => void setTimeout(() => response.writeHead(204).end(), 2_000),
    "answers 500": (response) => response.writeHead(500).end("out of order"),
    "answers 410": (response) => response.writeHead(410).end("moved away"),
  };
  test.each(Object.entries(answers))("while the webhook's endpoint %s", async (fault, answer) => {
    const isForGood = fault === "answers 410";
    const report = await underFault({
      async begin({ hook }) {
        if (answer) hook.answer = answer;
        else await hook.goDown();
      },
      lastsMs: untilDeliveriesFailMs,
      isFelt: (scene) => hasFailed(scene, isForGood),
      async end({ hook }) {
        if (!answer) await hook.comeBack();
        hook.answer = (response) => response.writeHead(204).end();
      },
      async afterwards(scene) {
        if (isForGood) expect(await retryFailed(scene)).toBeGreaterThan(0);
      },
    });
    expectQuietFailure(report);
  });

  test("while the webhook's endpoint redirects, and nobody is called there", async () => {
    const elsewhere = await startWebhookReceiver();
    try {
      const report = await underFault({
        begin({ hook }) {
          hook.answer = (response) => response.writeHead(307, { location: elsewhere.url }).end();
        },
        lastsMs: untilDeliveriesFailMs,
        isFelt: hasFailed,
        end({ hook }) {
          hook.answer = (response) => response.writeHead(204).end();
        },
      });
      expectQuietFailure(report);
      expect(elsewhere.received).toEqual([]);
    } finally {
      await elsewhere.close();
    }
  });

  test.each([
    { fault: "it has too few file descriptors for itself", openFilesMax: 44, connections: 100 },
    { fault: "more connections are open than files may be", openFilesMax: 256, connections: 400 },
  ])("while $fault", async ({ openFilesMax, connections }) => {
    let sockets: ReturnType<typeof connect>[] = [];
    const report = await underFault(
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
      { openFilesMax },
    );
    expectNothingLost(report);
  });

  test("while two servers and the operator's commands work on one SQLite file", async () => {
    const report = await underFault(
      {
        begin() {},
        meanwhile: runCommands,
        async end({ servers }) {
          await servers[1]?.kill();
          await servers[1]?.start();
        },
      },
      { servers: 2 },
    );
    expectNothingLost(report);
  });
});

/** What was refused for good waits for the operator, who sends it again by a command. Gives how many. */
async function retryFailed({ settings }: Scene): Promise<number> {
  const run = await spawnCommand(["outbox", "retry", "--all-failed", "--json"], { env: settings });
  expect(run).toMatchObject({ exitCode: 0 });
  return (JSON.parse(run.stdout) as { retried: number }).retried;
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
    ["messages", "list", "--json"],
    ["outbox", "list", "--json"],
    ["db", "backup", file("backup.sqlite")],
  ]) {
    const run = await spawnCommand(line, { env: scene.settings });
    expect(run, `site ${line.join(" ")}`).toMatchObject({ exitCode: 0 });
  }
  const all = ["subscribers", "list", "--limit", "10000", "--json"];
  const listed = await spawnCommand(all, { env: scene.settings });
  expect(listed.stdout).toContain(imported);
}
