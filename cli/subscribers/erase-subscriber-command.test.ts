import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { commandSettings } from "#tests/command-settings.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { runCommand } from "#tests/site-commands.ts";
import { folderForEachTest } from "#tests/test-folder.ts";
import { sendMessage, signUp } from "#tests/visitors.ts";

const folder = folderForEachTest();

const message = { firstName: "Dana", lastName: "Okafor", message: "Words of Dana's." };

describeOnEachDatabase("subscribers erase and export EMAIL", (database) => {
  const run = (...commandLine: string[]) =>
    runCommand(commandLine, { env: commandSettings(database, folder.path) });
  const mailFiles = () =>
    readdir(path.join(commandSettings(database, folder.path).DATA_DIR, "mail"));

  async function visit(email: string) {
    await sendMessage(database.db, { ...message, email });
    await signUp(database.db, email, { newsletterWebhookUrl: "https://hooks.example/x" });
    // As the worker writes it where no mail server is set; the outbox has forgotten it since.
    const folderOfMail = path.join(commandSettings(database, folder.path).DATA_DIR, "mail");
    await mkdir(folderOfMail, { recursive: true });
    const letter = `From: x@chalkline.example\r\nReply-To: <${email}>\r\n\r\nWords.`;
    const name = `2026-11-21T10-00-00-000Z-${crypto.randomUUID()}.eml`;
    await writeFile(path.join(folderOfMail, name), letter);
  }

  it("show everything, then delete everything, and say what lies elsewhere", async () => {
    await visit("Dana@Example.com");
    await visit("other@example.com");
    const shown = await run("subscribers", "export", "dana@example.com");
    expect(shown.exitCode).toBe(0);
    const stored = JSON.parse(shown.stdout);
    expect(stored.subscriptions).toHaveLength(1);
    expect(stored.messages).toMatchObject([{ first_name: "Dana", message: message.message }]);
    expect(stored.deliveries).toHaveLength(3);
    expect(stored.mail_files).toHaveLength(1);
    const secrets = await database.db
      .selectFrom("subscribers")
      .select(["token", "confirm_token"])
      .executeTakeFirstOrThrow();
    for (const secret of Object.values(secrets)) expect(shown.stdout).not.toContain(secret);
    const output = path.join(folder.path, "dana.json");
    expect(
      (await run("subscribers", "export", "dana@example.com", "--output", output)).exitCode,
    ).toBe(0);
    expect(JSON.parse(await readFile(output, "utf8")).messages).toHaveLength(1);

    // Nobody can be asked here, and nothing goes without an answer.
    expect((await run("subscribers", "erase", "dana@example.com")).exitCode).toBe(2);
    const erased = await run("subscribers", "erase", "dana@example.com", "--yes", "--json");
    expect(JSON.parse(erased.stdout)).toMatchObject({
      erased: "dana@example.com",
      subscriptions: 1,
      messages: 1,
      deliveries: 3,
      mailFiles: stored.mail_files,
      webhookTold: false,
      mayAlsoBeIn: expect.arrayContaining([expect.stringContaining("backups")]),
    });
    expect(await mailFiles()).toHaveLength(1);
    const after = JSON.parse((await run("subscribers", "export", "dana@example.com")).stdout);
    expect(after).toMatchObject({ subscriptions: [], messages: [], deliveries: [] });
    expect((await run("messages", "list", "--json")).stdout).toContain("other@example.com");
    const again = await run("subscribers", "erase", "dana@example.com", "--yes");
    expect(again).toMatchObject({
      exitCode: 0,
      stdout: "Nothing is stored about dana@example.com.\n",
    });
  });

  it("takes an address that begins with a hyphen after --, and says so where that is missing", async () => {
    for (const address of ["-ann@example.com", "--json@example.com"]) {
      await visit(address);
      const refused = await run("subscribers", "erase", "--yes", address);
      expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining("Put -- ")]);
      const proof = await run("subscribers", "prove", "--json", "--", address);
      expect(JSON.parse(proof.stdout).subscription.email).toBe(address);
      const erased = await run("subscribers", "erase", "--yes", "--json", "--", address);
      expect(JSON.parse(erased.stdout)).toMatchObject({ subscriptions: 1, messages: 1 });
    }
  });

  it("refuse what is no address, and options that belong to the list", async () => {
    expect((await run("subscribers", "erase", "nobody", "--yes")).exitCode).toBe(2);
    expect((await run("subscribers", "export", "nobody")).exitCode).toBe(2);
    const both = await run("subscribers", "export", "a@example.com", "--format", "csv");
    expect(both.exitCode).toBe(2);
  });
});

it("db delete-expired says how much went", async () => {
  const run = await runCommand(["db", "delete-expired", "--json"], {
    env: { DATA_DIR: folder.path },
  });
  expect(JSON.parse(run.stdout)).toEqual({
    messages: 0,
    messageAddresses: 0,
    subscribers: 0,
    deliveries: 0,
    senderCounts: 0,
    lists: 0,
    visits: 0,
    binned: 0,
    mailFiles: 0,
  });
});
