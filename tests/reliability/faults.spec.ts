import { expect, test } from "@playwright/test";
import type { FaultReport, FaultSize } from "./faults/fault-report.ts";
import { fullDatabase } from "./faults/full-disk.ts";
import { lockedDatabase } from "./faults/locked-database.ts";

/**
 * What somebody without scripts sees of the contact form while nothing can be kept: the failure's notice over the form
 * as it was filled in, and after the fault the same form is taken. No browser is needed for it; the built pages are.
 */

const size: FaultSize = { injections: 1, lastsMs: 600, visitors: 2, pauseMs: 30, pages: true };

const faults: [name: string, run: () => Promise<FaultReport>][] = [
  // Longer than a write waits for the lock.
  ["another program locks the database", () => lockedDatabase({ ...size, lastsMs: 6_000 })],
  ["the disk is full", () => fullDatabase(size)],
];

for (const [name, run] of faults) {
  test(`the form says that it failed and keeps its fields while ${name}, then sends`, async () => {
    const report = await run();
    expect(report.visitor).toContain("form: failed (503), fields kept ×1, sent ×1");
    const { lost, falseSuccesses, fieldsDropped, storedTwice, underTwoIds } = report;
    expect({ lost, falseSuccesses, fieldsDropped, storedTwice, underTwoIds }).toEqual({
      lost: 0,
      falseSuccesses: 0,
      fieldsDropped: 0,
      storedTwice: 0,
      underTwoIds: 0,
    });
  });
}
