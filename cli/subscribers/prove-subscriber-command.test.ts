import { expect, it } from "vitest";
import { commandSettings } from "#tests/command-settings.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { runCommand } from "#tests/site-commands.ts";
import { folderForEachTest } from "#tests/test-folder.ts";
import { signUp } from "#tests/visitors.ts";

describeOnEachDatabase("the proof of a consent", (database) => {
  const folder = folderForEachTest();

  const run = (...args: string[]) =>
    runCommand(["subscribers", ...args], { env: commandSettings(database, folder.path) });
  async function joinAndLeave(email: string): Promise<void> {
    await signUp(database.db, email);
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
});
