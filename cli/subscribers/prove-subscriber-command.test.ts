import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { unsubscribe } from "#newsletter/leave.ts";
import { eraseMailbox } from "#newsletter/privacy.ts";
import { subscribe } from "#newsletter/subscribe.ts";
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
  it("is a document with the exact wording, and everything that happened in its order", async () => {
    await joinAndLeave("pat@example.com");
    const { exitCode, stdout } = await run("subscribers", "prove", "Pat+tag@example.com");
    expect(exitCode).toBe(0);
    const { wording } = await database.db
      .selectFrom("consent_wordings")
      .select("wording")
      .executeTakeFirstOrThrow();
    expect(stdout.replaceAll(/\n {3}\| /g, "\n")).toContain(wording);
    for (const part of ["203.0.113.9", "/newsletter", "1. Signed up", "2. Unsubscribed"]) {
      expect(stdout).toContain(part);
    }
  });

  it("rests on entries that the database refuses to change or delete", async () => {
    await joinAndLeave("pat@example.com");
    const { db } = database;
    const append = "append only";
    await expect(db.updateTable("consent_events").set({ page: "/x" }).execute()).rejects.toThrow(
      append,
    );
    await expect(db.deleteFrom("consent_events").execute()).rejects.toThrow(append);
    await expect(db.deleteFrom("consent_wordings").execute()).rejects.toThrow(append);
  });

  it("goes with an erasure, and others' stays", async () => {
    await joinAndLeave("gone@example.com");
    await joinAndLeave("stays@example.com");
    await eraseMailbox({ ...deps(), now: new Date() }, { email: "gone@example.com" });
    expect((await run("subscribers", "prove", "gone@example.com")).exitCode).toBe(1);
    expect((await run("subscribers", "prove", "stays@example.com")).stdout).toContain("2. Unsub");
  });
});
