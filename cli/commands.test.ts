import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { recordBounce } from "#newsletter/record-bounce.ts";
import { parseCsv } from "#newsletter/text-files.ts";
import { commandSettings } from "#tests/command-settings.ts";
import { contactMessage } from "#tests/contact-message.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
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

const message = {
  ...contactMessage,
  company: "=cmd|' /C calc'!A0",
  phone: "+1 416 555 0142",
  message: 'Two lines,\nand a "quote".',
};

describeOnEachDatabase("the operator's commands", (database) => {
  const run = (commandLine: string[], options = {}) =>
    runCommand(commandLine, { env: commandSettings(database, folder.path), ...options });
  const json = async (...words: string[]) => JSON.parse((await run([...words, "--json"])).stdout);
  const send = (words: Partial<typeof contactMessage> = {}) =>
    sendMessage(database.db, { ...message, ...words });

  it("publish an issue, list it and remove it", async () => {
    const issue = await file("issue.md", "---\ntitle: Published\ndate: 2026-01-02\n---\nWords.\n");
    const published = await run(["issues", "publish", issue, "--json"]);
    expect(published).toMatchObject({ exitCode: 0, stderr: "" });
    const { id, number, address } = JSON.parse(published.stdout);
    expect(address).toBe(`http://localhost:3000/newsletter/${id}`);
    const { issues } = await json("issues", "list");
    expect(issues[0]).toEqual({ id, number, title: "Published", publishDate: "2026-01-02" });

    expect(await run(["issues", "remove", String(id)])).toMatchObject({ exitCode: 2, stdout: "" });
    expect(await json("issues", "remove", String(id), "--yes")).toMatchObject({ removed: { id } });
    expect((await run(["issues", "remove", String(id), "--yes"])).exitCode).toBe(1);
  });

  it("import issues with their ids, and go on counting after them", async () => {
    const rows = await file(
      "rows.csv",
      'id,title,content_markdown,publish_date\r\n500,First,"<p>a,\nb</p>",2026-01-02\r\n,Next,<p>c</p>,2026-01-09 00:00:00\r\n',
    );
    expect(await json("issues", "import", rows)).toEqual({ imported: 2 });
    const { issues } = await json("issues", "list");
    expect(issues.slice(0, 2)).toMatchObject([
      { id: 501, title: "Next", publishDate: "2026-01-09" },
      { id: 500, title: "First", publishDate: "2026-01-02" },
    ]);
  });

  it("import none of a file in which one row is no good, or an id is taken, and name the lines", async () => {
    const before = await json("issues", "list");
    const good = { title: "Good", content_markdown: "<p>x</p>", publish_date: "2026-01-02" };
    const early = { ...good, publish_date: "0026-11-27" };
    const lines = [good, { ...good, publish_date: "2026-02-30" }, { ...good, title: "" }, early];
    const heading = "title,content_markdown,publish_date";
    const cells = lines.map((row) => Object.values(row).join());
    const rows = await file("rows.csv", [heading, ...cells].join("\n"));
    const refused = await run(["issues", "import", rows]);
    expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
    expect(refused.stderr).toContain(`${rows}:3: publish_date "2026-02-30" is not a calendar date`);
    expect(refused.stderr).toContain(`${rows}:5: publish_date "0026-11-27" is before 1990.`);
    expect(refused.stderr).toContain(`${rows}:4: title is missing.`);
    expect(await json("issues", "list")).toEqual(before);

    const first = await file("first.json", JSON.stringify([{ id: 70, ...good }]));
    expect((await run(["issues", "import", first])).exitCode).toBe(0);
    const others = [71, 70].map((id) => ({ id, ...good }));
    const second = await file("second.json", JSON.stringify(others));
    for (const dryRun of [["--dry-run"], []]) {
      const run2 = await run(["issues", "import", second, ...dryRun]);
      expect(run2.exitCode).toBe(2);
      expect(run2.stderr).toContain(`${second}: row 2: id 70 is taken by "Good"`);
    }
    expect((await run(["issues", "list"])).stdout).not.toContain("71");
  });

  it("export messages that read back as they were, and that no spreadsheet runs", async () => {
    await send();
    await send({ firstName: "=HYPERLINK(1)" });
    const output = path.join(folder.path, "messages.csv");
    expect((await run(["messages", "export", "--output", output])).exitCode).toBe(0);
    expect((await stat(output)).mode & 0o777).toBe(0o600);
    const parsed = parseCsv(await readFile(output, "utf8"));
    const [heading, newest, oldest] = parsed
      .toArray()
      .map((row) => ("cells" in row ? row.cells : []));
    const column = (row: string[] | undefined, name: string) => row?.[heading?.indexOf(name) ?? -1];
    expect(column(newest, "first_name")).toBe("'=HYPERLINK(1)");
    expect(column(oldest, "company")).toBe("'=cmd|' /C calc'!A0");
    expect(column(oldest, "phone")).toBe("'+1 416 555 0142");
    expect(column(oldest, "message")).toBe(message.message);

    const again = await run(["messages", "export", "--output", output]);
    expect(again).toMatchObject({ exitCode: 2, stdout: "" });
    expect(await json("messages", "export")).toMatchObject([
      { first_name: "=HYPERLINK(1)" },
      { first_name: "Ana" },
    ]);
  });

  it("tell confirmed subscribers from others, and export the consent record without the secret", async () => {
    await signUp(database.db, "first@example.com");
    await signUp(database.db, "second@example.com");
    await database.db
      .updateTable("subscribers")
      .set({ confirmed_at: "2026-11-21T10:00:00.000Z" })
      .where("email", "=", "second@example.com")
      .execute();
    const { subscribers } = await json("subscribers", "list");
    expect(subscribers.map((row: { state: string }) => row.state)).toEqual([
      "confirmed",
      "subscribed",
    ]);
    const confirmed = await run(["subscribers", "export", "--confirmed"]);
    expect(confirmed.stdout.trim().split("\r\n")).toHaveLength(2);
    expect(confirmed.stdout).toContain("By subscribing you agree");
    const { token } = await database.db
      .selectFrom("subscribers")
      .select("token")
      .limit(1)
      .executeTakeFirstOrThrow();
    expect((await run(["subscribers", "export", "--json"])).stdout).not.toContain(token);
  });

  it("read a CSV export of subscribers back into an empty list as it was", async () => {
    await signUp(database.db, "-dash@example.com");
    await signUp(database.db, "plain@example.com");
    const output = path.join(folder.path, "subscribers.csv");
    await run(["subscribers", "export", "--output", output]);
    const before = (await run(["subscribers", "export", "--json"])).stdout;
    await database.db.deleteFrom("subscribers").execute();
    const imported = await run(["subscribers", "import", output, "--consent", "unused"]);
    expect(imported.exitCode).toBe(0);
    expect((await run(["subscribers", "export", "--json"])).stdout).toBe(before);
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
    expect(await emails("--held")).toEqual(["pat@example.com"]);
    expect(await emails("--bounced")).toEqual([mailbox]);
    expect(await emails("--confirmed")).toEqual([2, 0].map(subscriberAddress));
    expect(await emails("--find", "D1.example")).toEqual([mailbox]);
    expect(await json("subscribers", "list", "--limit", "1")).toMatchObject({ more: true });
    const { stdout } = await run(["subscribers", "list"]);
    expect(stdout).toContain("2026-11-20 09:00  550 5.1.1 \\u001b[2Jno such user");
    expect(stdout).toMatch(/^pat@example\.com +quarantined/m);
  });

  const mails = () => path.join(commandSettings(database, folder.path).DATA_DIR, "mail");

  async function visit(email: string) {
    await send({ firstName: "Dana", message: "Words of Dana's.", email });
    await signUp(database.db, email, { newsletterWebhookUrl: "https://hooks.example/x" });
    // As the worker writes it where no mail server is set; the outbox has forgotten it since.
    await mkdir(mails(), { recursive: true });
    const letter = `From: x@chalkline.example\r\nReply-To: <${email}>\r\n\r\nWords.`;
    const name = `2026-11-21T10-00-00-000Z-${crypto.randomUUID()}.eml`;
    await writeFile(path.join(mails(), name), letter);
  }

  it("show everything about a person, then delete everything, and say what lies elsewhere", async () => {
    await visit("Dana@Example.com");
    await visit("other@example.com");
    const about = ["subscribers", "export", "dana@example.com"];
    const { stdout } = await run(about);
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
    const output = path.join(folder.path, "dana.json");
    expect((await run([...about, "--output", output])).exitCode).toBe(0);
    expect(JSON.parse(await readFile(output, "utf8")).messages).toHaveLength(1);

    // Nobody can be asked here, and nothing goes without an answer.
    const erase = ["subscribers", "erase", "dana@example.com"];
    expect((await run(erase)).exitCode).toBe(2);
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
    expect(JSON.parse((await run(about)).stdout)).toMatchObject({
      subscriptions: [],
      messages: [],
      deliveries: [],
    });
    expect((await run(["messages", "export"])).stdout).toContain("other@example.com");
    expect(await run([...erase, "--yes"])).toMatchObject({
      exitCode: 0,
      stdout: "Nothing is stored about dana@example.com.\n",
    });
  });

  it("take an address that begins with a hyphen after --", async () => {
    for (const address of ["-ann@example.com", "--json@example.com"]) {
      await visit(address);
      expect((await run(["subscribers", "erase", "--yes", address])).exitCode).toBe(2);
      const erased = await run(["subscribers", "erase", "--yes", "--json", "--", address]);
      expect(JSON.parse(erased.stdout)).toMatchObject({ subscriptions: 1, messages: 1 });
    }
    for (const wrong of [
      ["erase", "nobody", "--yes"],
      ["export", "nobody"],
    ]) {
      expect((await run(["subscribers", ...wrong])).exitCode).toBe(2);
    }
  });
});
