import { expect, test } from "vitest";
import type { Db } from "#db/tables.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { endProcess } from "#tests/end-process.ts";
import { testSite } from "#tests/site-identity.ts";
import { startProgram } from "#tests/start-program.ts";
import { signUp } from "#tests/visitors.ts";
import { importList } from "./import-list.ts";
import { countDay, describeGrowth, listDays, listSubscribers } from "./list-subscribers.ts";
import { eraseMailbox, proveConsent } from "./person.ts";
import type { ListOptions } from "./read-list.ts";
import { confirmSubscription, releaseSubscriber, unsubscribe } from "./subscribe.ts";

const now = new Date("2026-11-28T12:00:00.000Z");
const consent = "As on the form of 2018";

type Given = ListOptions & { consent?: string; isDry?: boolean; name?: string };

const importFrom = (
  db: Db,
  text: string | Buffer,
  { name = "list.csv", isDry = false, state = "unconfirmed", ...given }: Given = {},
) =>
  importList(
    { db, newsletterWebhookUrl: null, now },
    { name, bytes: Buffer.from(text) },
    { consent, isDry, state, ...given },
  );

/** Each subscriber's state, by the name in their address. */
const statesIn = async (db: Db) =>
  (await listSubscribers(db)).map(({ email, state }) => [email.split("@")[0], state]);

describeOnEachDatabase(
  "a list in CSV",
  (database) => {
    const take = (text: string | Buffer, given?: Given) => importFrom(database.db, text, given);
    const stored = async () => Object.fromEntries(await statesIn(database.db));

    // Each address says what it is to be.
    test.each([
      [
        "Mailchimp's subscribed",
        'Email Address,First Name,Last Name,MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,LAST_CHANGED,LEID,EUID,NOTES,TAGS\nconfirmed@example.com,Ana,Reyes,2,2019-03-11 08:14:32,203.0.113.9,2019-03-11 08:16:10,203.0.113.9,2024-02-08 10:31:20,101,a1,,"""Editors"""\nunconfirmed@example.com,,,2,,,,,2024-02-08 10:31:20,102,a2,,\n',
      ],
      [
        "Mailchimp's unsubscribed, of whom one has no time",
        "Email Address,MEMBER_RATING,OPTIN_TIME,CONFIRM_TIME,UNSUB_TIME,UNSUB_REASON\nunsubscribed@example.com,,2019-04-02 12:40:05,2019-04-02 12:40:05,2019-09-15 17:02:44,\nunsubscribed-2@example.com,,2019-04-02 12:40:05,2019-04-02 12:40:05,,\n",
      ],
      [
        "Mailchimp's cleaned",
        "Email Address,CONFIRM_TIME,CLEAN_TIME,CLEAN_CAMPAIGN_ID\nbounced@example.com,2019-03-11 08:14:33,2021-01-20 06:55:18,\n",
      ],
      [
        "Ghost's",
        'id,email,name,note,subscribed_to_emails,complimentary_plan,stripe_customer_id,created_at,deleted_at,labels,products\n1,unconfirmed-2@example.com,Ana,,true,false,,2022-11-02T07:45:12.000Z,,,\n2,unsubscribed@example.com,,,false,false,,2022-11-02T07:45:12.000Z,,"a,b",\n3,unconfirmed@example.com,,,,false,,2022-11-02T07:45:12.000Z,,,\n',
      ],
      [
        "Substack's",
        "email,active_subscription,expiry,plan,email_disabled,created_at,first_payment_at\nunconfirmed@example.com,false,,other,false,2026-07-01T00:00:00.000Z,\nunsubscribed@example.com,true,2027-07-01T00:00:00.000Z,yearly,true,2026-05-01T00:00:00.000Z,\n",
      ],
      [
        "Substack's of 2026, which doesn't say who turned mail off",
        'Name,Email,Type,Start date\nA,unconfirmed@example.com,Free,2026-07-01\nB,unconfirmed-2@example.com,Paid,"Jul 3, 2026"\n',
      ],
      [
        "Buttondown's",
        'email_address,creation_date,type,notes,metadata,tags,referrer_url,ip_address,unsubscription_date,undeliverability_date\nconfirmed@example.com,2020-04-17T08:30:05.123456Z,regular,,"{""trade"": ""tiler""}",,https://example.com/,203.0.113.7,,\nunconfirmed@example.com,2020-04-17T08:30:05Z,unactivated,,{},,,,,\nunsubscribed@example.com,2020-04-17T08:30:05Z,unsubscribed,,{},,,,2021-02-11T16:20:00Z,\nunsubscribed-2@example.com,2020-04-17T08:30:05Z,complained,,{},,,,,\nbounced@example.com,2020-04-17T08:30:05Z,undeliverable,,{},,,,,2021-10-06T05:41:27Z\n',
      ],
      [
        "HubSpot's",
        "First Name,Email,Create Date,Unsubscribed from all email\n,unconfirmed@example.com,,\n,unsubscribed@example.com,,true\n",
      ],
      [
        "an own one",
        "email,status,confirmed_at,unsubscribed_at\nconfirmed@example.com,subscribed,2024-01-01,\nunsubscribed@example.com,Unsubscribed,2024-01-01,\nunsubscribed-2@example.com,active,2024-01-01,2026-06-01\nunconfirmed@example.com,Ontario,2024-01-01,\n",
      ],
    ])("keeps the states of %s", async (_, text) => {
      expect(await take(text)).toMatchObject({ ok: true, problems: [] });
      const states = Object.entries(await stored());
      expect(states).toHaveLength(text.match(/@example\.com/g)?.length ?? 0);
      for (const [name, state] of states) expect(state).toBe(name.replace(/-2$/, ""));
    });

    const rows = "ana@example.com,Zoë,2024-03-01T09:00:00Z\nbo@example.com,Bo,\n";
    const list = `email,name,confirmed_at\n${rows}`;
    test.each<[string, string | Buffer]>([
      ["semicolons and a mark, as Excel in French Canada", `\ufeff${list.replaceAll(",", ";")}`],
      [
        "tabs in UTF-16, as Excel's Unicode text",
        Buffer.from(`\ufeff${list.replaceAll(",", "\t")}`, "utf16le"),
      ],
      ["UTF-16 with the bytes turned round", Buffer.from(`\ufeff${list}`, "utf16le").swap16()],
      ["Windows-1252, as Excel's plain CSV", Buffer.from(list.replaceAll("\n", "\r\n"), "latin1")],
      ["a line that names the separator", `sep=;\r\n${list.replaceAll(",", ";")}`],
      ["names beside addresses", list.replace("ana@example.com", '"Reyes, Ana <ana@example.com>"')],
      ["addresses as links", list.replace("ana@", "mailto:ana@")],
    ])("is read with %s", async (_, content) => {
      const taken = await take(content);
      expect(taken).toMatchObject({ columns: { email: "email", name: null }, problems: [] });
      expect(await stored()).toEqual({ ana: "confirmed", bo: "unconfirmed" });
    });

    test.each([
      ["5/1/2022 10:00", "5/14/2022 9:30 PM", "2022-05-01T10:00", "2022-05-14T21:30"],
      ["1/5/2022 10:00", "14/5/2022 21:30:05", "2022-05-01T10:00", "2022-05-14T21:30"],
      ["01.05.2022 10:00", "14.05.2022", "2022-05-01T10:00", "2022-05-14T04:00"],
      ["2022-05-01 10:00:00 +0200", "2022-05-14 00:00 UTC", "2022-05-01T08:00", "2022-05-14T00:00"],
    ])("is read with the times %s and %s", async (...times) => {
      await take(`email,confirmed_at\na@example.com,"${times[0]}"\nb@example.com,"${times[1]}"\n`);
      const read = (await listSubscribers(database.db)).map(({ confirmedAt }) => confirmedAt);
      expect(read.map((at) => at?.slice(0, 16))).toEqual(times.slice(2));
    });

    test("is refused where no date shows which number is the month", async () => {
      const text = "email,unsubscribed_at\na@example.com,5/1/2022\n";
      expect(await take(text)).toMatchObject({
        ok: false,
        problem: expect.stringContaining("“5/1/2022” is a date that can be read in two ways"),
      });
    });

    test("is taken as the owner says, and says what it leaves out", async () => {
      const text =
        "Contact,email,Wanted,constructor\na@example.com,x,yes,\nb@example.com,y,left,\n";
      const columns = { Contact: "email", email: null, Wanted: "state" } as const;
      const taken = await take(text, { columns, state: "confirmed" });
      expect(taken).toMatchObject({
        said: expect.arrayContaining([
          expect.stringMatching(/^Left out: “email”, “constructor”. If one of these/),
        ]),
      });
      expect(await stored()).toEqual({ a: "confirmed", b: "unsubscribed" });
      expect(await take(text, { columns: { Phone: "email" } })).toMatchObject({
        ok: false,
        problem: "There is no column “Phone”.",
      });
    });

    test("names the columns and the words that may say who has left, and mails nobody for them", async () => {
      const text =
        "E-Mail;Status;Abmeldedatum;Notes\na@example.com;C;;\nb@example.com;abgemeldet;1.2.2024;\n";
      const said = expect.arrayContaining([
        expect.stringMatching(/^Read as UTF-8, with semicolons/),
        expect.stringMatching(/^Taken: “E-Mail” \(address\), “Status” \(state\)\.$/),
        expect.stringMatching(
          /^Left out: “Abmeldedatum”, “Notes”. If one of these says who has left/,
        ),
        expect.stringMatching(/^What “c”, “abgemeldet” mean isn’t known/),
      ]);
      expect(await take(text, { state: "confirmed" })).toMatchObject({ said });
      expect(await stored()).toEqual({ a: "unconfirmed", b: "unconfirmed" });
    });

    test("has each line that can't be read named with its words, and the lines after it taken", async () => {
      const lines = [
        "email,status,subscribed_at,tier",
        '"open@example.com,active,2023-01-01,free',
        "a@example.com,active,2023-01-01",
        '"b"x,active,,free',
        "e@example.com,active,yesterday,free",
        "",
        "no address,active,,free",
        "h@example.com,active,,free",
      ];
      const { problems } = (await take(lines.join("\r\n"))) as { problems?: unknown };
      const torn = "A quoted cell isn’t closed, or has text after it. A quote in it is doubled.";
      expect(problems).toEqual([
        { line: 2, message: torn, words: lines[1] },
        { line: 3, message: "This line has 3 cells; the first line has 4.", words: lines[2] },
        { line: 4, message: torn, words: lines[3] },
        {
          line: 5,
          message: expect.stringMatching(/^“yesterday” in subscribed_at is no time/),
          words: lines[4],
        },
        {
          line: 7,
          message: "There is no email address that mail can be sent to.",
          words: lines[6],
        },
      ]);
      expect(await stored()).toEqual({ h: "unconfirmed" });
    });

    test.each([
      ["", {}, "The file is empty."],
      ["name,address\nPat,x\n", {}, "Which column has the email addresses? There are “name”"],
      ['"email,name\na@example.com,Ana\n', {}, "Line 1: A quoted cell isn’t closed"],
      ["PK\u0003\u0004\0", {}, "is no text. Save a spreadsheet as “CSV UTF-8” first"],
      [list, { consent: " " }, "Say what these people agreed to"],
      [list, { consent: "x".repeat(5_001) }, "longer than 5000 characters"],
      [list, { name: "lists/nonsubscribed_members_export.csv" }, "people who never subscribed"],
    ])("is refused in words where it can't be taken: %j", async (text, given, problem) => {
      expect(await take(text, given)).toMatchObject({
        ok: false,
        problem: expect.stringContaining(problem),
      });
      expect(await stored()).toEqual({});
    });
  },
  { kinds: ["sqlite"] },
);

describeOnEachDatabase("a list that is taken", (database) => {
  const deps = () => ({ db: database.db, newsletterWebhookUrl: null, now });
  async function take(text: string, given?: Given) {
    const taken = await importFrom(database.db, text, given);
    if (!taken.ok) throw new Error(taken.problem);
    return taken;
  }
  const stored = () => statesIn(database.db);
  const count = async (table: "subscribers" | "consent_events" | "staged_subscribers") => {
    const rows = database.db.selectFrom(table).select(({ fn }) => fn.countAll().as("count"));
    return Number((await rows.executeTakeFirstOrThrow()).count);
  };
  const visitor = () => ({ ...deps(), site: testSite, wakeOutbox() {} });

  test("says before what would become of it, and then the same; a second time, nothing is new", async () => {
    const text =
      "email,confirmed_at,unsubscribed_at\nreads@example.com,2024-01-01,\nleft@example.com,2024-01-01,2025-01-01\nwaits@example.com,,\nREADS+x@example.com,2023-01-01,\n";
    const outcome = { added: 3, duplicate: 1, states: { confirmed: 1, unconfirmed: 1 } };
    const looked = await take(text, { isDry: true, consent: "" });
    expect(looked).toMatchObject(outcome);
    expect(looked.said.slice(0, 3)).toEqual([
      "In the list: 1 confirmed, 1 not confirmed, 1 who left.",
      "3 would be new.",
      "1 here already, or twice in the list.",
    ]);
    expect(looked.said[3]).toBe("1 person of the list gets the next issue.");
    expect(looked.said[4]).toBe("Others don’t: 1 who left, 1 not confirmed.");
    expect(await stored()).toEqual([]);
    expect(await take(text)).toMatchObject(outcome);
    const all = await stored();
    expect(all).toEqual([
      ["reads", "confirmed"],
      ["left", "unsubscribed"],
      ["waits", "unconfirmed"],
    ]);
    expect(await take(text)).toMatchObject({ added: 0, duplicate: 4 });
    expect(await stored()).toEqual(all);
    expect(await proveConsent(database.db, "reads@example.com")).toMatchObject({
      entries: [{ event: "imported", wording: consent, recorded_at: now.toISOString() }],
    });
    expect(await database.db.selectFrom("outbox").selectAll().execute()).toEqual([]);
    expect(await count("staged_subscribers")).toBe(0);
  });

  test("counts from its own day on, and brings nobody back who has left or was erased here", async () => {
    const { db } = database;
    await countDay(db, new Date("2026-11-20T12:00:00.000Z"));
    await take("email,confirmed_at\nleft@example.com,2024-01-01\ngone@example.com,2024-01-01\n");
    expect(await describeGrowth(db, now)).toBe("2 (2 more in seven days)");
    await unsubscribe({ ...visitor(), clock: () => now }, { email: "left@example.com" });
    await eraseMailbox(deps(), { email: "gone@example.com" });
    expect((await listDays(db, now)).map(({ confirmed }) => confirmed)).toEqual([0, 0]);
    const later =
      "email,confirmed_at\nleft@example.com,2027-01-01\nGone+x@example.com,2027-01-01\n";
    const expected = { added: 0, duplicate: 1, erased: 1 };
    expect(await take(later, { isDry: true })).toMatchObject(expected);
    expect(await take(later)).toMatchObject(expected);
    expect(await stored()).toEqual([["left", "unsubscribed"]]);
  });

  test("ends here what has ended there since, and nothing that was decided here later", async () => {
    const { db } = database;
    const heading = "email,confirmed_at,unsubscribed_at,bounced_at";
    const lines = (...rows: string[]) => [heading, ...rows].join("\n");
    await take(
      lines(
        ...["left", "bounced", "older"].map((name) => `${name}@example.com,2024-01-01,,`),
        ...["untimed", "own", "released"].map((name) => `${name}@example.com,,,`),
      ),
      { state: "confirmed" },
    );
    // One confirms again by their own link.
    await unsubscribe({ ...visitor(), clock: () => now }, { email: "own@example.com" });
    await signUp(db, "own@example.com", { at: now });
    const { confirm_token: token } = await db
      .selectFrom("subscribers")
      .select("confirm_token")
      .where("email", "=", "own@example.com")
      .executeTakeFirstOrThrow();
    await confirmSubscription({ ...visitor(), clock: () => now }, { token: token ?? "" });

    const later = lines(
      "Left@example.com,,2025-01-01,",
      "bounced@example.com,,,2025-01-02",
      "older@example.com,,2023-01-01,",
      "untimed@example.com,,2025-01-01,",
      "own@example.com,,2025-01-01,",
      "released@example.com,,,2025-01-01",
    );
    const expected = { added: 0, duplicate: 2, left: 2, bounced: 2 };
    expect(await take(later, { isDry: true })).toMatchObject(expected);
    expect(await take(later)).toMatchObject(expected);
    await releaseSubscriber(deps(), { email: "released@example.com" });
    expect(await take(later)).toMatchObject({ duplicate: 6, left: 0, bounced: 0 });
    const undated = lines("own@example.com,,,", "older@example.com,,,");
    expect(await take(undated, { state: "unsubscribed" })).toMatchObject({ duplicate: 1, left: 1 });
    expect(await stored()).toEqual([
      ["left", "unsubscribed"],
      ["bounced", "bounced"],
      ["older", "unsubscribed"],
      ["untimed", "unsubscribed"],
      ["own", "confirmed"],
      ["released", "confirmed"],
    ]);
    const proof = await proveConsent(db, "left@example.com");
    const occurred_at = "2025-01-01T05:00:00.000Z";
    expect(proof?.entries.at(-1)).toMatchObject({ event: "left", way: "import", occurred_at });
  });

  test("asks, each by a mail of its own with a pause between, of whom it doesn't say that they agreed", async () => {
    const { db } = database;
    const text = "ana@example.com\nbo@example.com\n";
    const file = { name: "plain.csv", bytes: Buffer.from(text) };
    const undecided = await importList(deps(), file, { consent, isDry: false });
    expect(undecided).toMatchObject({
      ok: false,
      problem: expect.stringContaining("doesn’t say of 2 people whether they agreed"),
    });
    expect(await stored()).toEqual([]);
    const looked = await importList(deps(), file, { isDry: true });
    expect(looked).toMatchObject({ unsaid: 2, added: 2 });
    const asked = await importList(deps(), file, { consent, isDry: false, ask: true });
    expect(asked).toMatchObject({
      said: expect.arrayContaining([
        "0 people of the list get the next issue.",
        "Others don’t: 2 asked by a mail first.",
      ]),
    });
    const jobs = await db.selectFrom("outbox").selectAll().orderBy("id").execute();
    expect(jobs.map(({ kind, next_attempt_at }) => [kind, Date.parse(next_attempt_at)])).toEqual([
      ["confirmation-email", now.getTime()],
      ["confirmation-email", now.getTime() + 10_000],
    ]);
    const { confirmToken: token } = JSON.parse(jobs[1]?.payload ?? "");
    await confirmSubscription({ ...visitor(), clock: () => now }, { token });
    expect(await stored()).toEqual([
      ["ana", "unconfirmed"],
      ["bo", "confirmed"],
    ]);
    const again = await importList(deps(), file, { consent, isDry: false, ask: true });
    expect(again).toMatchObject({ added: 0, duplicate: 2 });
    // Only the mail to Ana still waits.
    expect(await db.selectFrom("outbox").selectAll().execute()).toHaveLength(1);
  });

  test("of those who have agreed gets the next issue to each, with the day that it says in Toronto", async () => {
    const agreed = { state: "confirmed" } as const;
    const bare = await take("ana@example.com;Ana\nbo@example.com;Bo\n", agreed);
    expect(bare).toMatchObject({ added: 2, unsaid: 2, columns: { Email: "email" } });
    expect(bare.said).toContain("2 people of the list get the next issue.");
    await take("email,subscribed_at\ncem@example.com,2026-01-02\n", agreed);
    await take("email,confirmed_at\ndee@example.com,2026-01-02\n");
    const listed = await listSubscribers(database.db);
    expect(listed.map(({ state, subscribedAt }) => [state, subscribedAt])).toEqual([
      ["confirmed", now.toISOString()],
      ["confirmed", now.toISOString()],
      ["confirmed", "2026-01-02T05:00:00.000Z"],
      ["confirmed", "2026-01-02T05:00:00.000Z"],
    ]);
  });

  test("is there whole or not at all where its process is killed or the database fails, and whole after another try", async () => {
    const total = 3_000;
    const rows = Array.from({ length: total }, (_, at) => `${at}@list.example,2024-01-01`);
    const text = ["email,confirmed_at", ...rows].join("\n");
    const script = `
      import { openDatabase } from "#db/open-database.ts";
      import { importList } from "#newsletter/subscribers/import-list.ts";
      const { db } = await openDatabase(${JSON.stringify(database.settings)});
      const file = { name: "list.csv", bytes: Buffer.from(${JSON.stringify(text)}) };
      const deps = { db, newsletterWebhookUrl: null, now: new Date() };
      console.log("importing");
      await importList(deps, file, { consent: "Card", isDry: false });
      process.exit();`;
    const words = ["--input-type=module-typescript", "--eval", script];
    const env = { PATH: process.env.PATH ?? "" };
    for (const staged of [1, total / 2, total]) {
      const { child } = await startProgram(words, env, /importing/);
      const isReached = async () =>
        (await count("staged_subscribers")) >= staged || (await count("subscribers")) === total;
      await expect.poll(isReached, { interval: 1 }).toBe(true);
      await endProcess(child, "SIGKILL");
      const subscribers = await count("subscribers");
      expect([0, total]).toContain(subscribers);
      expect(await count("consent_events")).toBe(subscribers);
    }
    await database.db.deleteFrom("subscribers").execute();
    const { schema } = database.db;
    await schema.alterTable("consent_wordings").renameTo("wordings_away").execute();
    await expect(take(text)).rejects.toThrow();
    expect(await count("subscribers")).toBe(0);
    await schema.alterTable("wordings_away").renameTo("consent_wordings").execute();
    await take(text);
    expect(await count("subscribers")).toBe(total);
    expect(await count("consent_events")).toBe(total);
    expect(await count("staged_subscribers")).toBe(0);
  });
});
