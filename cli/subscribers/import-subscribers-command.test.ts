import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { eraseMailbox, proveConsent } from "#newsletter/privacy.ts";
import {
  confirmSubscription,
  releaseSubscriber,
  subscribe,
  unsubscribe,
} from "#newsletter/subscribe.ts";
import { commandSettings } from "#tests/command-settings.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { runCommand } from "#tests/site-commands.ts";
import { testSite } from "#tests/site-identity.ts";
import { folderForEachTest } from "#tests/test-folder.ts";

const fixture = (name: string) => path.join(import.meta.dirname, "fixtures", name);

const folder = folderForEachTest();

const exports: [file: string, program: string, states: Record<string, string>][] = [
  ["mailchimp-subscribed.csv", "Mailchimp", { reads: "confirmed", "bought-once": "subscribed" }],
  ["mailchimp-cleaned.csv", "Mailchimp", { cleaned: "bounced" }],
  ["substack.csv", "Substack", { reads: "confirmed", pays: "confirmed", off: "unsubscribed" }],
  ["substack-dashboard.csv", "Substack", { anybody: "subscribed" }],
  [
    "beehiiv.csv",
    "beehiiv",
    {
      reads: "confirmed",
      waits: "subscribed",
      left: "unsubscribed",
      "left-active": "unsubscribed",
      gone: "bounced",
    },
  ],
  ["ghost.csv", "Ghost", { reads: "confirmed", left: "unsubscribed" }],
  [
    "buttondown.csv",
    "Buttondown",
    {
      reads: "confirmed",
      waits: "subscribed",
      left: "unsubscribed",
      complained: "unsubscribed",
      gone: "bounced",
    },
  ],
  [
    "kit.csv",
    "Kit (ConvertKit)",
    {
      reads: "confirmed",
      waits: "subscribed",
      gone: "bounced",
      left: "unsubscribed",
      complained: "unsubscribed",
    },
  ],
  [
    "listmonk.csv",
    "listmonk",
    { anybody: "subscribed", off: "unsubscribed", never: "unsubscribed" },
  ],
];

describe("a list from elsewhere", () => {
  const run = (...args: string[]) =>
    runCommand(["subscribers", ...args], { env: { DATA_DIR: path.join(folder.path, "data") } });
  const stored = async () => JSON.parse((await run("export", "--json")).stdout);
  const statesOf = (rows: { email: string; state: string }[]) =>
    Object.fromEntries(rows.map(({ email, state }) => [email.split("@")[0], state]));

  it.each(exports)(
    "in %s is recognised as %s's, and its states stay",
    async (file, ...expected) => {
      const { stdout } = await run("import", fixture(file), "--consent", "Card", "--json");
      expect([JSON.parse(stdout).from, statesOf(await stored())]).toEqual(expected);
    },
  );

  it("takes the operator's word where listmonk doesn't say, and no other", async () => {
    const list = fixture("listmonk.csv");
    await run("import", list, "--consent", "Card", "--state", "confirmed");
    expect(statesOf(await stored())).toMatchObject({ anybody: "confirmed", off: "unsubscribed" });
  });

  it("reads the times that each program writes, in UTC", async () => {
    const times = [
      "2021-08-14 10:06:40.123456 +0200 +0200",
      "2021-08-14 10:06:40 UTC",
      "2018-02-05 19:28:22",
      "2021-08-14 10:06:40.123456 +0200 CEST",
    ];
    const rows = times.map((time, at) => `1,${at}@example.com,{},enabled,${time}`);
    const list = path.join(folder.path, "times.csv");
    await writeFile(list, ["uuid,email,attributes,status,created_at", ...rows].join("\n"));
    const { stderr } = await run("import", list, "--consent", "Card");
    expect(stderr).toContain("times.csv:5: created_at is not a time; write it as 2026-");
    const read = (await stored()).map((row: { subscribed_at: string }) => row.subscribed_at);
    expect(read).toEqual([
      "2021-08-14T08:06:40.123Z",
      "2021-08-14T10:06:40.000Z",
      "2018-02-05T19:28:22.000Z",
    ]);
  });

  it.each([
    ["Brevo", "CONTACT ID;EMAIL;EMAIL_BLACKLISTED;ADDED_TIME", ";0;x", ";1;x"],
    ["HubSpot", "First Name,Email,Create Date,Unsubscribed from all email", ",,", ",,true"],
    [
      "Constant Contact",
      "First name,Email address,Created At,Confirmed Opt-Out Date",
      ",2025-01-02 10:00:00 -0500,",
      ",2025-01-02 10:00:00 -0500,2025-03-01 10:00:00 -0500",
    ],
    [
      "MailerLite",
      "Name,Email,Status,Unsubscribed",
      ",active,",
      ",unsubscribed,2025-02-02 10:00:00",
    ],
  ])("sees in a list of %s who has left", async (_, heading, stays, left) => {
    const sign = heading.includes(";") ? ";" : ",";
    const list = path.join(folder.path, "list.csv");
    const rows = [`1${sign}stays@example.com${stays}`, `2${sign}left@example.com${left}`];
    await writeFile(list, [heading, ...rows].join("\n"));
    const { exitCode } = await run("import", list, "--consent", "Card");
    expect(exitCode).toBe(0);
    expect(statesOf(await stored())).toEqual({
      stays: "subscribed",
      left: "unsubscribed",
    });
  });

  it("takes single columns for what the operator says", async () => {
    const list = path.join(folder.path, "contacts.csv");
    await writeFile(list, "Contact,email,Wanted\na@example.com,x,yes\nb@example.com,y,left\n");
    const given = (...columns: string[]) => columns.flatMap((column) => ["--column", column]);
    const columns = given("Contact=email", "email=none", "Wanted=state");
    await run("import", list, "--consent", "Card", "--state", "confirmed", ...columns);
    expect(statesOf(await stored())).toEqual({ a: "confirmed", b: "unsubscribed" });
    for (const wrong of ["Contact=street", "Phone=email"]) {
      expect((await run("import", list, "--dry-run", ...given(wrong))).exitCode).toBe(2);
    }
  });

  it("names each line that can't be imported, and imports the ones after it", async () => {
    const list = path.join(folder.path, "broken.csv");
    const lines = [
      "\ufeffemail,status,created_at,tier",
      '"open@example.com,active,2023-01-01,free',
      "a@example.com,active,2023-01-01",
      '"b"x,active,,free',
      "c@example.com,dreaming,,free",
      "d@example.com,,,free",
      "e@example.com,active,yesterday,free",
      "",
      "f@example.com,active,,free",
      '"g@example.com,active,,free',
      "h@example.com,active,,free",
    ];
    await writeFile(
      list,
      Buffer.concat([
        Buffer.from(lines.join("\r\n")),
        Buffer.from("\r\n\xe9@example.com,active,,free", "latin1"),
      ]),
    );
    const { stdout, stderr, exitCode } = await run("import", list, "--consent", "Card");
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/new +2\n.*\n +invalid +8/);
    expect(stderr.split("\n").filter((line) => line.startsWith(list))).toEqual([
      `${list} is read as: beehiiv`,
      ...[
        "2: a quoted cell isn't closed, or has text after it. A quote in it is doubled.",
        "3: has 3 cells; the heading line has 4.",
        "4: a quoted cell isn't closed, or has text after it. A quote in it is doubled.",
        '5: status "dreaming" is not a state that beehiiv is known to write. --from plain reads a list of your own.',
        "6: status is blank, so that nobody knows whether mail is wanted.",
        "7: created_at is not a time; write it as 2026-11-21T14:05:00Z.",
        "10: a quoted cell isn't closed, or has text after it. A quote in it is doubled.",
        '12: email is not UTF-8: save the list as "CSV UTF-8".',
      ].map((fault) => `${list}:${fault}`),
    ]);
    expect(statesOf(await stored())).toEqual({ f: "confirmed", h: "confirmed" });
  });

  it("says that a file is empty, is no JSON, or has a heading line that is no CSV", async () => {
    const list = path.join(folder.path, "list");
    for (const [text, words] of [
      [" \n", "list: the file is empty."],
      [
        "name,address\nPat,pat@example.com\n",
        'no column of email addresses, such as email, among "name","address". Call the column email,',
      ],
      ["PK\u0003\u0004 no zip", "list: this zip file can't be read"],
      ['[{"email": "a@example.com"},\n{"email"]', "list:2: is not valid JSON"],
      ['[{"private words" 1}]', "list:1: is not valid JSON: Expected"],
      ['"email,name\na@example.com,Ana\n', "list:1: a quoted cell isn't closed"],
    ] as const) {
      await writeFile(list, text);
      const { stderr, exitCode } = await run("import", list, "--consent", "Card");
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining(words)]);
      expect(stderr).not.toContain("private");
    }
  });
});

describeOnEachDatabase("subscribers import", (database) => {
  const run = (...args: string[]) =>
    runCommand(["subscribers", ...args], { env: commandSettings(database, folder.path) });
  const importOf = (file: string, ...args: string[]) =>
    run("import", fixture(file), "--consent", "As on the form of 2018", ...args);
  const stored = async () =>
    JSON.parse((await run("export", "--json")).stdout).map(
      ({ email, state }: { email: string; state: string }) => [email, state],
    );

  it("shows what the columns mean and what would come of it, and changes nothing with --dry-run", async () => {
    const { stdout, stderr } = await importOf("beehiiv.csv", "--dry-run");
    expect(stderr).toContain("is read as: beehiiv");
    expect(stderr).toMatch(/^created_at +signed up at$/m);
    expect(stderr).toMatch(/^Passed over: .*tier/m);
    expect(stderr).toContain("state: active = confirmed, pending = unconfirmed");
    expect(stdout).toMatch(/confirmed +1\n +unconfirmed +1\n +bounced +1\n +unsubscribed +2\n/);
    expect(await stored()).toEqual([]);
  });

  it("keeps who left and who bounced as they are, and changes nothing the second time", async () => {
    const parts = ["subscribed", "unsubscribed", "cleaned"].map((part) => `mailchimp-${part}.csv`);
    for (const part of parts) expect((await importOf(part)).exitCode).toBe(0);
    const before = await stored();
    expect(before).toContainEqual(["cleaned@example.com", "bounced"]);
    expect((await importOf("beehiiv.csv")).exitCode).toBe(0);
    for (const part of parts) {
      const again = JSON.parse((await importOf(part, "--json")).stdout);
      expect(again).toMatchObject({ new: 0, erased: 0 });
    }
    expect((await stored()).slice(0, before.length)).toEqual(before);
    expect(await database.db.selectFrom("outbox").selectAll().execute()).toEqual([]);
  });

  it("brings nobody back who has left or was erased here", async () => {
    const deps = { db: database.db, site: testSite, newsletterWebhookUrl: null, wakeOutbox() {} };
    await importOf("ghost.csv");
    await unsubscribe(deps, { email: "reads@example.com" });
    await eraseMailbox({ ...deps, now: new Date() }, { email: "left@example.com" });
    expect(JSON.parse((await importOf("kit.csv", "--json")).stdout)).toMatchObject({
      new: 3,
      duplicate: 1,
      erased: 1,
    });
    expect((await stored())[0]).toEqual(["reads@example.com", "unsubscribed"]);
    const gone = path.join(folder.path, "gone.csv");
    await writeFile(gone, "email\nleft@example.com\n");
    const checked = await run("import", gone, "--consent", "Card", "--dry-run", "--json");
    expect(JSON.parse(checked.stdout)).toMatchObject({ new: 0, erased: 1 });
  });

  it("ends here what has ended there since, and nothing that was decided here later", async () => {
    const { db } = database;
    const write = async (name: string, ...lines: string[]) => {
      const list = path.join(folder.path, name);
      await writeFile(list, ["email,confirmed_at,unsubscribed_at,bounced_at", ...lines].join("\n"));
      return async (...args: string[]) =>
        JSON.parse((await run("import", list, "--consent", "Card", "--json", ...args)).stdout);
    };
    const subscribers = await write(
      "then.csv",
      ...["left", "bounced", "older"].map((name) => `${name}@example.com,2024-01-01,,`),
      ...["untimed", "own", "released"].map((name) => `${name}@example.com,,,`),
    );
    await subscribers("--state", "confirmed");
    // One confirms again by their own link, and one is released by the operator.
    const deps = { db, site: testSite, newsletterWebhookUrl: null, wakeOutbox() {} };
    await unsubscribe(deps, { email: "own@example.com" });
    const visit = { referrer: null, requestUrl: testSite.url, clientAddress: "203.0.113.7" };
    await subscribe(deps, { email: "own@example.com", ...visit });
    const { confirm_token } = await db
      .selectFrom("subscribers")
      .select("confirm_token")
      .where("email", "=", "own@example.com")
      .executeTakeFirstOrThrow();
    await confirmSubscription(deps, { token: confirm_token ?? "" });
    await db.deleteFrom("outbox").execute();

    const later = await write(
      "now.csv",
      "Left@example.com,,2025-01-01,",
      "bounced@example.com,,,2025-01-02",
      "older@example.com,,2023-01-01,",
      "untimed@example.com,,2025-01-01,",
      "own@example.com,,2025-01-01,",
      "released@example.com,,,2025-01-01",
    );
    const expected = { new: 0, duplicate: 2, leftNow: 2, bouncedNow: 2 };
    expect(await later("--dry-run")).toMatchObject(expected);
    expect(await later()).toMatchObject(expected);
    await releaseSubscriber({ ...deps, now: new Date() }, { email: "released@example.com" });
    expect(await later()).toMatchObject({ duplicate: 6, leftNow: 0, bouncedNow: 0 });
    const undated = await write("undated.csv", "own@example.com,,,", "older@example.com,,,");
    const ended = await undated("--state", "unsubscribed");
    expect(ended).toMatchObject({ duplicate: 1, leftNow: 1 });
    expect(await stored()).toEqual([
      ["left@example.com", "unsubscribed"],
      ["bounced@example.com", "bounced"],
      ["older@example.com", "unsubscribed"],
      ["untimed@example.com", "unsubscribed"],
      ["own@example.com", "confirmed"],
      ["released@example.com", "confirmed"],
    ]);
    const proof = await proveConsent(db, "left@example.com");
    const occurred_at = "2025-01-01T00:00:00.000Z";
    expect(proof?.entries.at(-1)).toMatchObject({ event: "left", way: "import", occurred_at });
    expect(proof?.subscription.unsubscribed_at).toBe(occurred_at);
    expect(await db.selectFrom("outbox").selectAll().execute()).toEqual([]);
  });

  it("imports the later decision of a mailbox that is listed twice", async () => {
    const list = path.join(folder.path, "twice.csv");
    await writeFile(
      list,
      "email,status,created_at,tier,unsubscribed_at\nAna+b@example.com,active,2024-01-01,free,\nana@example.com,inactive,2020-01-01,free,2025-01-01\nother@example.com,inactive,2020-01-01,free,2021-01-01\nOther@example.com,active,2022-01-01,free,\n",
    );
    const { stdout } = await run("import", list, "--consent", "Card", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ new: 2, duplicate: 2 });
    expect(await stored()).toEqual([
      ["ana@example.com", "unsubscribed"],
      ["Other@example.com", "confirmed"],
    ]);
  });
});
