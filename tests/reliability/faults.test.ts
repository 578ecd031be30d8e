import { describe, expect, test } from "vitest";
import { exhaustedDescriptors } from "./faults/exhausted-descriptors.ts";
import { failingMailServer, mailFaults } from "./faults/failing-mail-server.ts";
import { failingWebhook, webhookFaults } from "./faults/failing-webhook.ts";
import type { FaultReport, FaultSize } from "./faults/fault-report.ts";
import { fullDatabase } from "./faults/full-disk.ts";
import { lockedDatabase } from "./faults/locked-database.ts";
import { restartedPostgres } from "./faults/restarted-postgres.ts";
import { severalProcesses } from "./faults/several-processes.ts";

/**
 * Each fault once, in little; `npm run bench -- faults` does the same for longer and with pages. Failing forms and what
 * their pages show are in faults.spec.ts.
 */
const size: FaultSize = { injections: 1, lastsMs: 600, visitors: 3, pauseMs: 30 };
/** Longer than an attempt at a delivery may last. */
const untilDeliveriesFail: FaultSize = { ...size, lastsMs: 1_800 };
/** How long a write waits for the lock. A read that waited as long would have been held up by it. */
const lockWaitMs = 5_000;
const untilWritesAreRefused: FaultSize = { ...size, lastsMs: lockWaitMs + 1_000 };

function expectNothingLost(report: FaultReport) {
  const { lost, falseSuccesses, storedTwice, underTwoIds, serversDied } = report;
  expect({ lost, falseSuccesses, storedTwice, underTwoIds, serversDied }).toEqual({
    lost: 0,
    falseSuccesses: 0,
    storedTwice: 0,
    underTwoIds: 0,
    serversDied: 0,
  });
  expect(report.acknowledged).toBeGreaterThan(0);
}

// Most of the time is waiting, so that several at once take little longer than one.
describe.concurrent("nothing that was acknowledged is lost, and nothing delivered under two ids", {
  timeout: 180_000,
}, () => {
  test("while another program locks the database: writes are refused, reads go on at once", async () => {
    const report = await lockedDatabase(untilWritesAreRefused);
    expectNothingLost(report);
    expect(report.visitor).toMatch(/503 refused ×\d+.*reads meanwhile: 200 ×\d+, longest/);
    expect(report.longestReadMs).toBeLessThan(lockWaitMs);
    expect(report.operator).toContain("The outbox can't be read");
  });

  test("while the disk is full", async () => {
    const report = await fullDatabase(size);
    expectNothingLost(report);
    expect(report.visitor).toMatch(/503 refused ×\d+.*reads meanwhile: 200/);
    expect(report.operator).toContain("A function failed");
  });

  test("while PostgreSQL crashes and comes back", async () => {
    const report = await restartedPostgres(size);
    expectNothingLost(report);
    expect(report.visitor).toContain("503 refused");
  });

  test.each(mailFaults)("while the mail server fails: %s", async (how) => {
    const report = await failingMailServer(how, untilDeliveriesFail);
    expectNothingLost(report);
    expect(report.visitor).toMatch(/^writes: 200 success ×\d+, longest/);
    expect(report.operator).toContain("Delivery attempt failed");
  });

  test.each(webhookFaults)("while the webhook's endpoint fails: %s", async (how) => {
    const report = await failingWebhook(how, untilDeliveriesFail);
    expectNothingLost(report);
    expect(report.visitor).toMatch(/^writes: 200 success ×\d+, longest/);
    expect(report.operator).toContain("Delivery attempt failed");
    if (how === "redirect") expect(report.operator).toContain("redirect's target: 0");
  });

  test("while the server is out of file descriptors", async () => {
    expectNothingLost(await exhaustedDescriptors("too few for the server", size));
  });

  test("while more connections are held than it may have files open", async () => {
    expectNothingLost(await exhaustedDescriptors("enough for the server", size));
  });

  test("while two servers and the operator's commands work on one SQLite file", async () => {
    expectNothingLost(await severalProcesses(size));
  });
});
