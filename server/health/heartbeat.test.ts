import { expect, test } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { until } from "#tests/until.ts";
import { checkDatabase } from "./check-database.ts";
import { createHeartbeat, readHeartbeat } from "./heartbeat.ts";

describeOnEachDatabase("the heartbeat", (database) => {
  const later = (ms: number) => new Date(Date.now() + ms);

  async function said(about: string, now: Date) {
    const findings = await checkDatabase(database.settings, now);
    return findings.flatMap((found) =>
      "about" in found && found.about === about ? `${found.state}: ${found.message}` : [],
    );
  }

  async function beat() {
    const heartbeat = createHeartbeat(database.db);
    const { answeredAt: before } = await readHeartbeat(database.db, new Date());
    heartbeat.start();
    await until(async () => (await readHeartbeat(database.db, new Date())).answeredAt !== before);
    await heartbeat.stop();
  }

  test("of a site that has stopped is missed after two minutes, and of one that never ran isn't", async () => {
    expect(await said("Heartbeat", new Date())).toEqual([]);
    const version = () => database.db.selectFrom("archive_version").selectAll().execute();
    const before = await version();
    await beat();
    // Another version would have every page made anew.
    expect(await version()).toEqual(before);
    expect(await said("Heartbeat", later(100_000))).toEqual([
      expect.stringMatching(/^ok: the site answered \d+ (?:s|min) ago\.$/),
    ]);
    expect(await said("Heartbeat", later(150_000))).toEqual([
      expect.stringMatching(/^attention: the site has not answered since 20\d\d-\S+ \S+:/),
    ]);
  });

  test("has the doctor's words beside it of why mail hasn't left for ten minutes", async () => {
    const at = new Date().toISOString();
    const job = { kind: "contact-email", payload: "{}", attempts: 2, created_at: at };
    const next = later(20 * 60_000).toISOString();
    await database.db
      .insertInto("outbox")
      .values(
        [
          { delivery_id: "a", next_attempt_at: next, last_error: "535 5.7.8 Wrong password" },
          { delivery_id: "b", next_attempt_at: at, last_error: "451 earlier", delivered_at: at },
        ].map((row) => ({ ...job, ...row })),
      )
      .execute();
    expect(await said("Outbox", later(9 * 60_000))).toEqual([
      expect.stringMatching(/^ok: 1 waiting, .*1 delivered\.$/),
    ]);
    expect(await said("Outbox", later(11 * 60_000))).toEqual([
      expect.stringMatching(
        /^attention: 1 waiting, .* The last answer: 535 5\.7\.8 Wrong password$/,
      ),
    ]);
  });
});
