import { expect, test } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { runSendTrial } from "#tests/sends/run-send-trial.ts";

describeOnEachDatabase("a send under fire", (database) => {
  test("reaches each reader once and nobody who left, and the mail server agrees", async () => {
    const report = await runSendTrial(database.open, database.settings, {
      readers: 200,
      workerKills: 2,
      outages: 1,
      cuts: 3,
      leavers: 8,
      erased: 3,
    });
    expect(report.faults).toEqual([]);
    expect(report.accepted + report.refused + report.withdrawn).toBe(200);
    expect(report.refused).toBeGreaterThan(0);
    expect(report.withdrawn).toBeGreaterThan(0);
  });
});
