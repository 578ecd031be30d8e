import { sql } from "kysely";
import { expect, it } from "vitest";
import { torontoDate } from "#content/toronto-time.ts";
import { importSubscribers } from "#newsletter/import-subscribers.ts";
import { recordBounce } from "#newsletter/record-bounce.ts";
import { commandSettings } from "#tests/command-settings.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { beginTestSends, queueTestSend } from "#tests/sends/queue-test-send.ts";
import { addSubscribers, subscriberAddress } from "#tests/sends/subscribers.ts";
import { runCommand } from "#tests/site-commands.ts";
import { signUp } from "#tests/visitors.ts";

describeOnEachDatabase("report", (database) => {
  const run = (...options: string[]) =>
    runCommand(["report", ...options], {
      env: commandSettings(database, database.settings.dataDir),
    });

  it("counts what there is by Toronto's months, and names nobody", async () => {
    const { db } = database;
    const now = new Date();
    const month = Temporal.Now.plainDateISO("America/Toronto").with({ day: 1 });
    const monthStart = month.toZonedDateTime("America/Toronto").epochMilliseconds;
    for (const [email, at] of [
      ["dana@example.com", new Date(monthStart - 1)],
      ["pat@example.com", new Date(monthStart)],
      ["kim@example.com", now],
    ] as const) {
      await signUp(db, email, { at });
    }
    const message = (subject: string, held: boolean) =>
      sql`insert into contact_messages
      (first_name, last_name, email, mailbox_key, company, phone, subject, message, received_at, held_at)
      values ('Dana', 'Okafor', 'dana@example.com', 'k', '', '', ${subject}, 'Secret words',
        ${now.toISOString()}, ${held ? now.toISOString() : null})`.execute(db);
    await message("pricing-information", false);
    await message("free words\u001b[2J", true);
    await db
      .insertInto("daily_visits")
      .values([
        { day: torontoDate(now), kind: "page", name: "/pricing", visits: 1_234 },
        { day: month.toString(), kind: "campaign", name: "spring\u001b[2J", visits: 2 },
      ])
      .execute();
    await addSubscribers(db, 3);
    // One of this month's subscribers came with a list, and who had left there hasn't joined anything.
    const listed = (email: string, unsubscribedAt: string | null) => ({
      email,
      consentText: "Card",
      consentPage: null,
      consentAddress: null,
      subscribedAt: now.toISOString(),
      confirmedAt: now.toISOString(),
      unsubscribedAt,
    });
    const left = listed("gone@elsewhere.example", now.toISOString());
    await importSubscribers(db, [listed("came@elsewhere.example", null), left]);
    const before = new Date(now.getTime() - 1);
    await queueTestSend(db, { issueId: 2, beginsAt: before });
    await beginTestSends(database.open, before);
    await queueTestSend(db, { beginsAt: now });
    await beginTestSends(database.open, now);
    const gone = { kind: "hard", answer: "550 5.1.1 No such user" } as const;
    const spam = { kind: "complaint", answer: "abuse" } as const;
    for (const [subscriber, refusal] of [gone, spam, spam].entries()) {
      const bounce = { mailbox: subscriberAddress(subscriber), refusal, now };
      await db.transaction().execute((trx) => recordBounce(trx, bounce));
    }

    const asJson = await run("--months", "2", "--json");
    expect(asJson).toMatchObject({ exitCode: 0, stderr: "" });
    const { report } = JSON.parse(asJson.stdout);
    expect(report.subscribers.map(({ joined }: { joined: number }) => joined)).toEqual([1, 3]);
    expect(report.subscribers[1]).toMatchObject({ bounced: 1, complained: 2 });
    expect(report.sends).toMatchObject([
      { title: "Quotes before lunch", after: { bounced: 1, complained: 2, left: 0 } },
      { after: { bounced: 0, complained: 0, left: 0 } },
    ]);
    expect(report.subjects).toEqual(
      expect.arrayContaining([
        { name: "Pricing Information", count: 1 },
        { name: "No subject", count: 1 },
      ]),
    );
    const { stdout } = await run("--months", "2");
    expect(stdout).toMatch(/Quotes before lunch +\S+ \S+ +sending/);
    expect(stdout).toMatch(/Pages shown most\nName +Number\n\/pricing +1234/);
    expect(stdout).toContain("spring\\u001b[2J");
    for (const text of [asJson.stdout, stdout]) {
      expect(text).not.toMatch(/dana|okafor|secret words|203\.0\.113|free words/i);
    }
  });

  it("says in words what there is nothing of", async () => {
    const { stdout } = await run();
    for (const words of [
      ...["Nobody has joined or left", "No issue went out", "Nobody has written"],
      ...["no visit has been counted", "nothing waits"],
    ]) {
      expect(stdout).toContain(words);
    }
  });
});
