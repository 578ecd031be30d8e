import { mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { recordBounce } from "#newsletter/bounces/record-bounce.ts";
import { parseCsv } from "#newsletter/text-files.ts";
import { contactMessage } from "#tests/contact-message.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { listOutbox } from "#tests/list-outbox.ts";
import { addSubscribers, subscriberAddress } from "#tests/sends/subscribers.ts";
import { runCommand } from "#tests/site-commands.ts";
import { folderForEachTest } from "#tests/test-folder.ts";
import { sendMessage, signUp } from "#tests/visitors.ts";

const folder = folderForEachTest();

async function file(name: string, text: string): Promise<string> {
  const made = path.join(folder.path, name);
  await writeFile(made, text);
  return made;
}

describeOnEachDatabase("the operator's commands", (database) => {
  const dataDir = () =>
    database.kind === "sqlite" ? database.settings.dataDir : path.join(folder.path, "data");
  const run = (...commandLine: string[]) => {
    const { databaseUrl } = database.settings;
    const address: Record<string, string> = databaseUrl ? { DATABASE_URL: databaseUrl } : {};
    return runCommand(commandLine, { env: { DATA_DIR: dataDir(), ...address } });
  };
  const json = async (...words: string[]) => JSON.parse((await run(...words, "--json")).stdout);

  it("publish an issue, list it and remove it", async () => {
    const issue = await file("issue.md", "---\ntitle: Published\ndate: 2026-01-02\n---\nWords.\n");
    const published = await run("issues", "publish", issue, "--json");
    expect(published).toMatchObject({ exitCode: 0, stderr: "" });
    const { id, number, address } = JSON.parse(published.stdout);
    expect(address).toBe(`http://localhost:3000/newsletter/${id}`);
    const { issues } = await json("issues", "list");
    expect(issues[0]).toEqual({ id, number, title: "Published", publishDate: "2026-01-02" });

    const remove = ["issues", "remove", String(id)];
    expect(await run(...remove)).toMatchObject({ exitCode: 2, stdout: "" });
    expect(await json(...remove, "--yes")).toMatchObject({ removed: { id } });
    expect((await run(...remove, "--yes")).exitCode).toBe(1);
  });

  it("import issues with their ids, whole or not at all, and name the lines that are no good", async () => {
    const heading = "id,title,content_markdown,publish_date";
    const rows = await file(
      "rows.csv",
      `${heading}\r\n500,First,"<p>a,\nb</p>",2026-01-02\r\n,Next,<p>c</p>,2026-01-09 00:00:00\r\n`,
    );
    expect(await json("issues", "import", rows)).toEqual({ imported: 2 });
    const before = await json("issues", "list");
    expect(before.issues.slice(0, 2)).toMatchObject([
      { id: 501, title: "Next", publishDate: "2026-01-09" },
      { id: 500, title: "First", publishDate: "2026-01-02" },
    ]);

    const lines = [
      ",Good,x,2026-01-02",
      ",Good,x,2026-02-30",
      ",,x,2026-01-02",
      ",Good,x,0026-11-27",
    ];
    const bad = await file("bad.csv", [heading, ...lines].join("\n"));
    const refused = await run("issues", "import", bad);
    expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
    expect(refused.stderr).toContain(`${bad}:3: publish_date "2026-02-30" is not a calendar date`);
    expect(refused.stderr).toContain(`${bad}:5: publish_date "0026-11-27" is before 1990.`);
    expect(refused.stderr).toContain(`${bad}:4: title is missing.`);

    const row = { title: "Good", content_markdown: "<p>x</p>", publish_date: "2026-01-02" };
    const taken = await file("taken.json", JSON.stringify([71, 500].map((id) => ({ id, ...row }))));
    const { exitCode, stderr } = await run("issues", "import", taken);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`${taken}: row 2: id 500 is taken by "First"`);
    expect(await json("issues", "list")).toEqual(before);
  });

  it("export messages that read back as they were, and that no spreadsheet runs", async () => {
    const words = { company: "=cmd|' /C calc'!A0", phone: "+1 416 555 0142" };
    const message = 'Two lines,\nand a "quote".';
    await sendMessage(database.db, { ...words, message });
    const [heading, row] = parseCsv((await run("messages", "export")).stdout)
      .toArray()
      .map((line) => ("cells" in line ? line.cells : []));
    const column = (name: string) => row?.[heading?.indexOf(name) ?? -1];
    expect(column("company")).toBe(`'${words.company}`);
    expect(column("phone")).toBe(`'${words.phone}`);
    expect(column("message")).toBe(message);

    const { firstName: first_name } = contactMessage;
    expect(await json("messages", "export")).toMatchObject([{ first_name, ...words }]);
  });

  it("export subscribers with the consent and without the secret, and read them back as they were", async () => {
    await signUp(database.db, "-dash@example.com");
    await signUp(database.db, "plain@example.com");
    await database.db
      .updateTable("subscribers")
      .set({ confirmed_at: "2026-11-21T10:00:00.000Z" })
      .where("email", "=", "plain@example.com")
      .execute();
    const confirmed = await run("subscribers", "export", "--confirmed");
    expect(confirmed.stdout.trim().split("\r\n")).toHaveLength(2);
    expect(confirmed.stdout).toContain("By subscribing you agree");
    const output = await file("subscribers.csv", (await run("subscribers", "export")).stdout);
    const before = (await run("subscribers", "export", "--json")).stdout;
    const tokens = await database.db.selectFrom("subscribers").select("token").execute();
    for (const { token } of tokens) expect(before).not.toContain(token);
    await database.db.deleteFrom("subscribers").execute();
    const imported = await run(
      ...["subscribers", "import", output, "--consent", "unused", "--state", "unconfirmed"],
    );
    expect(imported.exitCode).toBe(0);
    expect((await run("subscribers", "export", "--json")).stdout).toBe(before);
  });

  it("list subscribers without obeying what a mail server said, and only those who are asked for", async () => {
    await addSubscribers(database.db, 3);
    const [, mailbox] = [0, 1].map(subscriberAddress) as [string, string];
    const refusal = { kind: "hard", answer: "550 5.1.1 \u001b[2Jno such user" } as const;
    const now = new Date("2026-11-20T14:00:00Z");
    await database.db
      .transaction()
      .execute((trx) => recordBounce(trx, { mailbox, refusal, now, reportKey: "1" }));
    await signUp(database.db, "pat@example.com", { suspicion: "hidden_field" });
    const emails = async (...options: string[]) =>
      (await json("subscribers", "list", ...options)).subscribers.map(
        ({ email }: { email: string }) => email,
      );
    expect(await emails("--state", "quarantined")).toEqual(["pat@example.com"]);
    expect(await emails("--state", "bounced")).toEqual([mailbox]);
    expect(await json("subscribers", "list", "--limit", "1")).toMatchObject({ more: true });
    const { stdout } = await run("subscribers", "list");
    expect(stdout).toContain("2026-11-20 09:00  550 5.1.1 \\u001b[2Jno such user");
    expect(stdout).toMatch(/^pat@example\.com +quarantined/m);
  });

  const mails = () => path.join(dataDir(), "mail");

  async function visit(email: string) {
    await sendMessage(database.db, { firstName: "Dana", message: "Words of Dana's.", email });
    await signUp(database.db, email, { newsletterWebhookUrl: "https://hooks.example/x" });
    // As the worker writes it where no mail server is set.
    const [{ deliveryId = "" } = {}] = await listOutbox(database.db);
    await mkdir(mails(), { recursive: true });
    const name = `2026-11-21T10-00-00-000Z-${deliveryId}.eml`;
    await writeFile(path.join(mails(), name), "From: x@chalkline.example\r\n\r\nWords.");
  }

  it("show everything about a person, then delete everything, and say what lies elsewhere", async () => {
    await visit("Dana@Example.com");
    await visit("other@example.com");
    const about = ["subscribers", "export", "dana@example.com"];
    const { stdout } = await run(...about);
    const stored = JSON.parse(stdout);
    expect(stored).toMatchObject({
      messages: [{ first_name: "Dana", message: "Words of Dana's." }],
      mail_files: [expect.any(String)],
    });
    expect([stored.subscriptions.length, stored.deliveries.length]).toEqual([1, 3]);
    const secrets = await database.db
      .selectFrom("subscribers")
      .select(["token", "confirm_token"])
      .executeTakeFirstOrThrow();
    for (const secret of Object.values(secrets)) expect(stdout).not.toContain(secret);

    // Nobody can be asked here, and nothing goes without an answer.
    const erase = ["subscribers", "erase", "dana@example.com"];
    expect((await run(...erase)).exitCode).toBe(2);
    expect(await json(...erase, "--yes")).toMatchObject({
      erased: "dana@example.com",
      subscriptions: 1,
      messages: 1,
      deliveries: 3,
      mailFiles: stored.mail_files,
      webhookTold: false,
      mayAlsoBeIn: expect.arrayContaining([expect.stringContaining("backups")]),
    });
    expect(await readdir(mails())).toHaveLength(1);
    const nothing = { subscriptions: [], messages: [], deliveries: [] };
    expect(JSON.parse((await run(...about)).stdout)).toMatchObject(nothing);
    expect((await run("messages", "export")).stdout).toContain("other@example.com");
    expect(await run(...erase, "--yes")).toMatchObject({
      exitCode: 0,
      stdout: "Nothing is stored about dana@example.com.\n",
    });
  });
});
