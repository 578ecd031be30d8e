import { expect, test } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { until } from "#tests/until.ts";
import { checkDatabase } from "./check-database.ts";
import { createHeartbeat, readHeartbeat } from "./heartbeat.ts";

describeOnEachDatabase("the heartbeat", (database) => {
  const later = (ms: number) => new Date(Date.now() + ms);

  async function said(now: Date) {
    const findings = await checkDatabase(database.settings, now);
    const found = findings.find(({ about }) => about === "Heartbeat");
    return `${found?.state}: ${found?.message}`;
  }

  async function beat() {
    const heartbeat = createHeartbeat(database.db);
    const { answeredAt: before } = await readHeartbeat(database.db, new Date());
    heartbeat.start();
    await until(async () => (await readHeartbeat(database.db, new Date())).answeredAt !== before);
    await heartbeat.stop();
  }

  test("of a site that has stopped is missed after two minutes, and of one that never ran isn't", async () => {
    expect(await said(new Date())).toBe("note: The site has not run yet.");
    await beat();
    expect(await said(later(100_000))).toMatch(/^ok: The site answered \d+ (?:s|min) ago\.$/);
    expect(await said(later(150_000))).toMatch(
      /^attention: The site has not answered for \d+ min\. /,
    );
  });
});
