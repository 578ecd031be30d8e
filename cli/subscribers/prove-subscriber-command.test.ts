import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { subscribe } from "#newsletter/subscribe.ts";
import { commandSettings } from "#tests/command-settings.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { runCommand } from "#tests/site-commands.ts";
import { testSite } from "#tests/site-identity.ts";
import { folderForEachTest } from "#tests/test-folder.ts";

describeOnEachDatabase("the proof of a consent", (database) => {
  const folder = folderForEachTest();

  const run = (...args: string[]) =>
    runCommand(["subscribers", ...args], { env: commandSettings(database, folder.path) });
  async function joinAndLeave(email: string): Promise<void> {
    await subscribe(
      { db: database.db, site: testSite, newsletterWebhookUrl: null, wakeOutbox() {} },
      { email, referrer: "/newsletter", requestUrl: testSite.url, clientAddress: "203.0.113.9" },
    );
    await run("unsubscribe", email);
  }

  it("is a document with the exact wording and all that happened", async () => {
    await joinAndLeave("pat@example.com");
    const { exitCode, stdout } = await run("prove", "Pat+tag@example.com");
    expect(exitCode).toBe(0);
    const [exported] = JSON.parse((await run("export", "--json")).stdout);
    expect(stdout.replaceAll(/\n {3}\| /g, "\n")).toContain(exported.consent_text);
    for (const part of [
      "203.0.113.9",
      "/newsletter",
      "1. Signed up on the site",
      "2. Unsubscribed, asked of the operator",
      exported.subscribed_at,
      exported.unsubscribed_at,
    ]) {
      expect(stdout).toContain(part);
    }
    const proof = JSON.parse((await run("prove", "pat@example.com", "--json")).stdout);
    expect(proof.entries).toMatchObject([
      { event: "signed_up", wording: exported.consent_text, page: "/newsletter" },
      { event: "left", way: "operator" },
    ]);
  });

  it("goes into a private file, and never over another", async () => {
    await joinAndLeave("pat@example.com");
    const output = path.join(folder.path, "pat.txt");
    const into = ["prove", "pat@example.com", "--output", output];
    expect((await run(...into)).stdout).toBe(`Wrote ${output}.\n`);
    expect(await readFile(output, "utf8")).toContain("RECORD OF CONSENT");
    expect((await stat(output)).mode & 0o777).toBe(0o600);
    expect((await run(...into)).exitCode).toBe(2);
    expect((await run(...into, "--force")).exitCode).toBe(0);
  });

  it("goes with an erasure, and leaves the others'", async () => {
    await joinAndLeave("gone@example.com");
    await joinAndLeave("stays@example.com");
    await run("erase", "gone@example.com", "--yes");
    expect((await run("prove", "gone@example.com")).exitCode).toBe(1);
    expect((await run("prove", "stays@example.com")).stdout).toContain("2. Unsubscribed");
  });
});
