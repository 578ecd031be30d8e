import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { HtmlValidate } from "html-validate";
import { sql } from "kysely";
import { parse } from "parse5";
import { afterEach, beforeEach, expect, it } from "vitest";
import { importSubscribers } from "#newsletter/import-subscribers.ts";
import { recordBounce } from "#newsletter/record-bounce.ts";
import { beginDueSends } from "#newsletter/sends/begin-sends.ts";
import { subscribe } from "#newsletter/subscribe.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { queueTestSend } from "#tests/sends/queue-test-send.ts";
import { addReaders, readerAddress } from "#tests/sends/readers.ts";
import { runCommand } from "#tests/site-commands.ts";
import { torontoDate } from "./terminal.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "report-test-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const site = {
  ...{ url: "https://chalkline.example", name: "Chalkline", email: "hello@chalkline.example" },
  ...{ phone: "+1 416 555 0142", street: "1 Example Street", postalCode: "M5V 0A0" },
};

describeOnEachDatabase("report", (database) => {
  async function report(...options: string[]) {
    const { databaseUrl, dataDir } = database.settings;
    const file = path.join(folder, "report.html");
    const env: Record<string, string> =
      databaseUrl === null ? { DATA_DIR: dataDir } : { DATABASE_URL: databaseUrl };
    const run = await runCommand(["report", "--out", file, ...options], {
      env: { DATA_DIR: folder, ...env },
    });
    return { run, read: () => readFileSync(file, "utf8"), file };
  }

  /** The rows of a table, as their words. */
  function rowsOf(html: string, caption: string): string[][] {
    const table = html.split("<table").find((part) => part.includes(`<caption>${caption}<`)) ?? "";
    const [body = ""] = /<tbody>[\s\S]*?<\/tbody>/.exec(table) ?? [];
    return [...body.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row = ""]) =>
      [...row.matchAll(/<t[hd][^>]*>([^<]*)</g)].map(([, words = ""]) => words),
    );
  }

  it("draws what there is, counted by Toronto's months, and names nobody", async () => {
    const { db } = database;
    const now = new Date();
    const month = Temporal.Now.plainDateISO("America/Toronto").with({ day: 1 });
    const monthStart = month.toZonedDateTime("America/Toronto").epochMilliseconds;
    const justBefore = new Date(monthStart - 1);
    for (const [email, at] of [
      ["dana@example.com", justBefore],
      ["pat@example.com", new Date(monthStart)],
      ["kim@example.com", now],
    ] as const) {
      const deps = { db, site, newsletterWebhookUrl: null, wakeOutbox() {}, clock: () => at };
      await subscribe(deps, {
        ...{ email, referrer: `${site.url}/newsletter`, requestUrl: site.url },
        clientAddress: "203.0.113.7",
      });
    }
    const message = (subject: string, held: boolean) =>
      sql`insert into contact_messages
      (first_name, last_name, email, mailbox_key, company, phone, subject, message, received_at, held_at)
      values ('Dana', 'Okafor', 'dana@example.com', 'k', '', '', ${subject}, 'Secret words',
        ${now.toISOString()}, ${held ? now.toISOString() : null})`.execute(db);
    await message("pricing-information", false);
    await message("<script>alert(1)</script>", true);
    await db
      .insertInto("daily_visits")
      .values([
        { day: torontoDate(now), kind: "page", name: "/pricing", visits: 1_234 },
        { day: month.toString(), kind: "campaign", name: "<b>spring", visits: 2 },
      ])
      .execute();

    const gone = { kind: "hard", answer: "550 5.1.1 No such user" } as const;
    const spam = { kind: "complaint", answer: "abuse" } as const;
    await addReaders(db, 3);
    // One of this month's readers came with a list, and who had left there hasn't joined anything.
    const list = (email: string, unsubscribedAt: string | null) => ({
      ...{ email, consentText: "Card", consentPage: null, consentAddress: null },
      ...{ subscribedAt: now.toISOString(), confirmedAt: now.toISOString(), unsubscribedAt },
    });
    const left = list("gone@elsewhere.example", now.toISOString());
    await importSubscribers(db, [list("came@elsewhere.example", null), left]);
    const before = new Date(now.getTime() - 1);
    await queueTestSend(db, { issueId: 2, beginsAt: before });
    await beginDueSends(database.open, before);
    await queueTestSend(db, { beginsAt: now });
    await beginDueSends(database.open, now);
    for (const [reader, refusal] of [gone, spam, spam].entries()) {
      const bounce = { mailbox: readerAddress(reader), refusal, now };
      await db.transaction().execute((trx) => recordBounce(trx, bounce));
    }

    const { run, read, file } = await report("--months", "2");
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    const html = read();
    const [lastMonth, current] = rowsOf(html, "Subscribers by month");
    expect([lastMonth?.[1], current?.[1]]).toEqual(["1", "3"]);
    expect(current?.slice(-2)).toEqual(["1", "2"]);
    expect(html).toContain("1 bounced (their address took no mail) and 2 complained");
    const [sent] = rowsOf(html, "Each issue that went out");
    expect([sent?.[0], ...(sent?.slice(-3) ?? [])]).toEqual(["Quotes before lunch", "1", "2", "0"]);
    expect(rowsOf(html, "By subject")).toEqual(
      expect.arrayContaining([
        ["Pricing Information", "1"],
        ["No subject", "1"],
      ]),
    );
    expect(rowsOf(html, "Campaigns")).toEqual([["&lt;b&gt;spring", "2"]]);
    expect(html).toContain("1,234");
    expect(html).not.toMatch(
      /dana|okafor|secret words|203\.0\.113|<script|https?:\/\/(?!www\.w3)/i,
    );
    expect(() => parse(html, { onParseError: ({ code }) => expect.fail(code) })).not.toThrow();
    const { results } = await new HtmlValidate({
      extends: ["html-validate:recommended"],
      rules: {
        "no-inline-style": "off",
        "long-title": "off",
        "no-trailing-whitespace": "off",
        "doctype-style": "off",
        "prefer-native-element": "off",
      },
    }).validateString(html);
    expect(
      results.flatMap(({ messages }) =>
        messages.map(({ ruleId, message: words }) => `${ruleId}: ${words}`),
      ),
    ).toEqual([]);
    expect(statSync(file).mode & 0o777).toBe(0o600);

    const again = await report();
    expect(again.run.exitCode).toBe(2);
    expect(again.run.stderr).toContain("is there already");
    expect(read()).toBe(html);
    expect((await report("--force")).run.exitCode).toBe(0);
  });

  it("says in words what there is nothing of", async () => {
    const { run, read } = await report();
    expect(run.exitCode).toBe(0);
    for (const words of [
      ...["Nobody has joined or left", "No issue went out", "Nobody has written"],
      ...["No visit has been counted", "nothing waits"],
    ]) {
      expect(read()).toContain(words);
    }
    expect(read()).not.toContain("<svg");
  });
});
