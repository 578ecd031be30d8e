import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { checkConsentChains } from "#newsletter/check-consent-chains.ts";
import { eraseMailbox } from "#newsletter/privacy/erase-mailbox.ts";
import { proveConsent } from "#newsletter/prove-consent.ts";
import { subscribe } from "#newsletter/subscribe.ts";
import { unsubscribe } from "#newsletter/unsubscribe.ts";
import { commandSettings } from "#tests/command-settings.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { runCommand } from "#tests/site-commands.ts";
import { testSite } from "#tests/site-identity.ts";

describeOnEachDatabase("the proof of a consent", (database) => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "chalkline-proof-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const deps = () => ({
    db: database.db,
    site: testSite,
    newsletterWebhookUrl: null,
    wakeOutbox() {},
  });
  const run = (...args: string[]) => runCommand(args, { env: commandSettings(database, folder) });
  async function joinAndLeave(email: string): Promise<void> {
    const origin = { referrer: "/newsletter", requestUrl: testSite.url };
    await subscribe(deps(), { email, ...origin, clientAddress: "203.0.113.9" });
    await unsubscribe(deps(), { email });
  }
  const entries = () =>
    database.db.selectFrom("consent_events").selectAll().orderBy("id").execute();
  /** As somebody does who writes to the tables past the program. */
  async function tamper(change: () => Promise<unknown>): Promise<void> {
    const { db, kind } = database;
    const toggle = (word: "disable" | "enable") =>
      sql`alter table consent_events ${sql.raw(word)} trigger user`.execute(db);
    if (kind === "postgres") await toggle("disable");
    else {
      await sql`drop trigger if exists consent_events_stay`.execute(db);
      await sql`drop trigger if exists consent_events_remain`.execute(db);
    }
    await change();
    if (kind === "postgres") await toggle("enable");
  }

  it("is a document with the exact wording, and with hashes that anybody can count again", async () => {
    await joinAndLeave("pat@example.com");
    const [joined] = await entries();
    const { exitCode, stdout } = await run("subscribers", "prove", "Pat+tag@example.com");
    expect(exitCode).toBe(0);
    expect(stdout).toContain("Every entry fits the ones before it");
    const { wording } = await database.db
      .selectFrom("consent_wordings")
      .select("wording")
      .executeTakeFirstOrThrow();
    const shown = stdout.replaceAll(/\n {3}\| /g, "\n");
    expect(shown).toContain(wording);
    for (const part of ["203.0.113.9", "/newsletter", "1. Signed up", "2. Unsubscribed"]) {
      expect(stdout).toContain(part);
    }
    const hash = (value: unknown) =>
      createHash("sha256").update(JSON.stringify(value)).digest("hex");
    const start = hash(["consent", "pat@example.com"]);
    const at = joined?.occurred_at;
    const words = createHash("sha256").update(wording).digest("hex");
    const first = ["pat@example.com", "signed_up", "pat@example.com", words, "/newsletter"];
    const counted = hash([start, ...first, "203.0.113.9", null, at, joined?.recorded_at]);
    expect((await entries()).map(({ previous_hash }) => previous_hash)).toEqual([start, counted]);
  });

  it("says so where an entry was changed, and the doctor does too", async () => {
    await joinAndLeave("pat@example.com");
    await joinAndLeave("whole@example.com");
    const set = { network_address: "198.51.100.1" };
    await tamper(() =>
      database.db
        .updateTable("consent_events")
        .set(set)
        .where("email", "=", "pat@example.com")
        .where("event", "=", "signed_up")
        .execute(),
    );
    expect(await checkConsentChains(database.db)).toEqual({
      checked: 2,
      broken: ["pat@example.com"],
    });
    const proved = await run("subscribers", "prove", "pat@example.com");
    expect(proved.exitCode).toBe(1);
    expect(proved.stdout).toContain("Entry 2 does not carry the hash of what is before it");
    expect((await run("subscribers", "prove", "whole@example.com")).exitCode).toBe(0);
    expect((await run("doctor")).stdout).toContain("subscribers prove pat@example.com");
  });

  it("says so where the end was cut off, and the doctor does too", async () => {
    await joinAndLeave("pat@example.com");
    await joinAndLeave("whole@example.com");
    await tamper(() =>
      database.db
        .deleteFrom("consent_events")
        .where("email", "=", "pat@example.com")
        .where("event", "=", "left")
        .execute(),
    );
    expect((await proveConsent(database.db, "pat@example.com"))?.faults).toEqual([
      expect.stringContaining("There is no entry for the leaving at 20"),
    ]);
    expect((await checkConsentChains(database.db)).broken).toEqual(["pat@example.com"]);
  });

  it("chains what was written before there were hashes to the first entry after it", async () => {
    await joinAndLeave("pat@example.com");
    await tamper(() =>
      database.db.updateTable("consent_events").set({ previous_hash: null }).execute(),
    );
    expect((await proveConsent(database.db, "pat@example.com"))?.faults).toEqual([]);
    await joinAndLeave("pat@example.com");
    expect((await proveConsent(database.db, "pat@example.com"))?.faults).toEqual([]);
    const [first] = await entries();
    await tamper(() =>
      database.db
        .updateTable("consent_events")
        .set({ page: "/elsewhere" })
        .where("id", "=", first?.id ?? 0)
        .execute(),
    );
    expect((await proveConsent(database.db, "pat@example.com"))?.faults).toHaveLength(1);
  });

  it("goes with an erasure, and leaves the others' whole", async () => {
    await joinAndLeave("gone@example.com");
    await joinAndLeave("stays@example.com");
    await eraseMailbox({ ...deps(), now: new Date() }, { email: "gone@example.com" });
    expect((await run("subscribers", "prove", "gone@example.com")).exitCode).toBe(1);
    expect(await checkConsentChains(database.db)).toEqual({ checked: 1, broken: [] });
  });
});
