import { expect, it } from "vitest";
import { commandSettings } from "#tests/command-settings.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { runCommand } from "#tests/site-commands.ts";
import { folderForEachTest } from "#tests/test-folder.ts";
import { sendMessage, signUp } from "#tests/visitors.ts";

const folder = folderForEachTest();

describeOnEachDatabase("quarantined messages and sign-ups", (database) => {
  const run = (commandLine: string[], env = {}) =>
    runCommand(commandLine, { env: { ...commandSettings(database, folder.path), ...env } });
  const read = async (...commandLine: string[]) =>
    JSON.parse((await run([...commandLine, "--json"])).stdout);
  const kinds = async () =>
    (await database.db.selectFrom("outbox").select("kind").orderBy("id").execute()).map(
      ({ kind }) => kind,
    );

  type Suspicion = "hidden_field" | null;
  const send = (suspicion: Suspicion = null) => sendMessage(database.db, {}, { suspicion });
  const join = (email: string, suspicion: Suspicion = null) =>
    signUp(database.db, email, { suspicion });

  it("a quarantined message is listed with the reason, and mailed once when released", async () => {
    await send();
    await send("hidden_field");
    expect((await read("messages", "list")).messages).toHaveLength(2);
    const { messages } = await read("messages", "list", "--held");
    expect(messages).toMatchObject([{ heldReason: "hidden_field", releasedAt: null }]);
    const { id } = messages[0];
    expect((await run(["messages", "list"])).stdout).toContain("hidden field filled in");
    expect((await run(["messages", "show", String(id)])).stdout).toContain(
      "hidden field filled in",
    );

    const before = await kinds();
    expect(await read("messages", "release", String(id), "9999")).toEqual({
      released: [id],
      refused: [{ id: 9999, reason: "there is no such message" }],
    });
    expect(await kinds()).toEqual([...before, "contact-email"]);
    const again = await run(["messages", "release", String(id)]);
    expect(again).toMatchObject({ exitCode: 1, stdout: `Not ${id}: it is not quarantined.\n` });
    expect((await run(["messages", "list", "--held"])).stdout).toContain(
      "No message is quarantined.",
    );
    expect((await read("messages", "export"))[0]).toMatchObject({
      held_at: null,
      held_reason: "hidden_field",
      released_at: expect.any(String),
    });
  });

  it("a released sign-up gets its mail and the webhook's event once", async () => {
    await join("pat@example.com", "hidden_field");
    await join("ana@example.com");
    expect((await read("subscribers", "list", "--held")).subscribers).toMatchObject([
      { email: "pat@example.com", state: "subscribed", held_reason: "hidden_field" },
    ]);
    expect((await run(["subscribers", "list"])).stdout).toContain("hidden field filled in");
    const before = await kinds();
    const released = await run(["subscribers", "release", "PAT@example.com"], {
      NEWSLETTER_WEBHOOK_URL: "https://hooks.example/x",
    });
    expect(released).toMatchObject({ exitCode: 0, stdout: "Released pat@example.com.\n" });
    expect(await kinds()).toEqual([...before, "confirmation-email", "newsletter-webhook"]);
    expect((await read("subscribers", "list", "--held")).subscribers).toEqual([]);
    expect(await run(["subscribers", "release", "ana@example.com", "x@y.example"])).toMatchObject({
      exitCode: 1,
      stdout:
        "Not ana@example.com: it is neither quarantined nor bounced.\nNot x@y.example: it is not among the subscribers.\n",
    });
  });

  it("released within the hour of another spelling, says when its mail goes out", async () => {
    await join("pat@example.com");
    await database.db
      .updateTable("outbox")
      .set({ delivered_at: new Date().toISOString() })
      .execute();
    const left = await run(["subscribers", "unsubscribe", "PAT@example.com"]);
    expect(left).toMatchObject({ exitCode: 0, stdout: "PAT@example.com is off the list.\n" });
    await join("pat+news@example.com", "hidden_field");
    const { stdout } = await run(["subscribers", "release", "pat@example.com"]);
    expect(stdout).toMatch(/^Released pat\+news@example\.com; its mail goes out at .+\.\n$/);
    expect(await run(["subscribers", "unsubscribe", "nobody@example.com"])).toMatchObject({
      exitCode: 1,
    });
  });

  it("doctor counts the quarantine, says how to look at it and calls nothing wrong", async () => {
    const quarantine = async () =>
      (await read("doctor")).findings.find(
        ({ about }: { about: string }) => about === "Suspected spam",
      );
    expect(await quarantine()).toMatchObject({ state: "ok", message: "nothing quarantined." });
    await send("hidden_field");
    await send("hidden_field");
    await join("pat@example.com", "hidden_field");
    expect(await quarantine()).toMatchObject({
      state: "note",
      message: "2 messages and 1 sign-up quarantined.",
      advice: expect.stringContaining("messages list --held and subscribers list --held"),
    });
  });
});
