import { existsSync } from "node:fs";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { parseCsv } from "#newsletter/text-files.ts";
import { commandSettings } from "#tests/command-settings.ts";
import { contactMessage } from "#tests/contact-message.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
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
  const send = (words: Partial<typeof message> = {}) =>
    sendMessage(database.db, { ...message, ...words });

  it("publish an issue, list it, show it and remove it", async () => {
    const issue = await file("issue.md", "---\ntitle: Published\ndate: 2026-01-02\n---\nWords.\n");
    const published = await run(["issues", "publish", issue, "--json"]);
    expect(published).toMatchObject({ exitCode: 0, stderr: "" });
    const { id, number, address } = JSON.parse(published.stdout);
    expect(address).toBe(`http://localhost:3000/newsletter/${id}`);

    const { issues } = await json("issues", "list");
    expect(issues[0]).toEqual({ id, number, title: "Published", publishDate: "2026-01-02" });
    expect((await run(["issues", "show", String(id), "--body"])).stdout).toBe("<p>Words.</p>\n");

    expect(await run(["issues", "remove", String(id)])).toMatchObject({ exitCode: 2, stdout: "" });
    expect((await run(["issues", "remove", String(id), "--yes"])).exitCode).toBe(0);
    expect((await run(["issues", "show", String(id)])).exitCode).toBe(1);
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
    expect((await run(["issues", "show", "71"])).exitCode).toBe(1);
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
    const lines = (await run(["messages", "export", "--format", "ndjson"])).stdout
      .trim()
      .split("\n");
    expect(lines.map((line) => JSON.parse(line).first_name)).toEqual(["=HYPERLINK(1)", "Ana"]);
    expect(await json("messages", "export")).toHaveLength(2);
  });

  it("list and show messages without obeying what a visitor put into them", async () => {
    await send();
    await database.db
      .updateTable("contact_messages")
      .set({
        first_name: "A\u001b]0;owned\u0007",
        subject: "\u001b[31m",
        message: "one\u001b[2J\r\ntwo\u009b",
        received_at: "2026-11-21T03:00:00.000Z",
      })
      .execute();
    const list = await run(["messages", "list"]);
    const { messages } = await json("messages", "list");
    const show = await run(["messages", "show", String(messages[0].id)]);
    for (const { stdout } of [list, show]) {
      expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    }
    expect(show.stdout).toContain("one\\u001b[2J\ntwo\\u009b");
    expect(show.stdout).toContain("2026-11-20 22:00 (Toronto)");
    expect((await run(["messages", "list", "--since", "2026-11-21", "--json"])).stdout).toContain(
      "[]",
    );
    expect(messages[0].firstName).toBe("A\u001b]0;owned\u0007");
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

  it("delete a subscriber with the mails that name the address, and tell nobody who has not heard of it", async () => {
    await signUp(database.db, "gone@example.com");
    await signUp(database.db, "stays@example.com");
    const settings = commandSettings(database, folder.path);
    const env = { ...settings, NEWSLETTER_WEBHOOK_URL: "https://hooks.example/x" };
    const { delivery_id } = await database.db
      .selectFrom("outbox")
      .select("delivery_id")
      .orderBy("id")
      .executeTakeFirstOrThrow();
    const mail = path.join(settings.DATA_DIR ?? "", "mail");
    const mailFile = path.join(mail, `2026-11-21T10-00-00-000Z-${delivery_id}.eml`);
    await mkdir(mail, { recursive: true });
    await writeFile(mailFile, "To: gone@example.com\r\n\r\nPlease confirm.");
    expect((await run(["subscribers", "remove", "GONE@example.com"], { env })).exitCode).toBe(2);
    expect(
      (await run(["subscribers", "remove", "GONE@example.com", "--yes"], { env })).exitCode,
    ).toBe(0);
    expect(
      (await run(["subscribers", "remove", "gone@example.com", "--yes"], { env })).exitCode,
    ).toBe(1);
    expect(existsSync(mailFile)).toBe(false);
    const rows = await database.db
      .selectFrom("outbox")
      .select(["kind", "payload"])
      .orderBy("id")
      .execute();
    expect(rows.map(({ kind }) => kind)).toEqual(["confirmation-email"]);
    expect(rows[0]?.payload).toContain("stays@example.com");
  });

  it("list what waits and what failed, and try it again", async () => {
    await send();
    await send();
    const failed = {
      failed_at: "2026-11-21T10:00:00.000Z",
      attempts: 9,
      last_error: "550 \u001b[31mno",
    };
    const { id } = await database.db
      .selectFrom("outbox")
      .select("id")
      .orderBy("id")
      .limit(1)
      .executeTakeFirstOrThrow();
    await database.db.updateTable("outbox").set(failed).where("id", "=", id).execute();
    const listed = await json("outbox", "list", "--failed");
    expect(listed).toMatchObject({
      counts: { waiting: 1, failed: 1, delivered: 0 },
      deliveries: [{ id }],
    });
    expect((await run(["outbox", "list"])).stdout).toContain("550 \\u001b[31mno");

    expect((await run(["outbox", "retry"])).exitCode).toBe(2);
    expect((await run(["outbox", "retry", "9999"])).exitCode).toBe(1);
    expect(await json("outbox", "retry", String(id))).toEqual({
      retried: 1,
      refused: [],
    });
    expect(await json("outbox", "retry", "--all-failed")).toEqual({
      retried: 0,
    });
    expect((await json("outbox", "list", "--waiting")).deliveries).toHaveLength(2);
  });
});
