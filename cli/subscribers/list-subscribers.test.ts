import { expect, it } from "vitest";
import { importSubscribers } from "#newsletter/import-subscribers.ts";
import { type Refusal, recordBounce } from "#newsletter/record-bounce.ts";
import { commandSettings } from "#tests/command-settings.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { addSubscribers, subscriberAddress } from "#tests/sends/subscribers.ts";
import { runCommand } from "#tests/site-commands.ts";

describeOnEachDatabase("subscribers list", (database) => {
  const list = (...options: string[]) =>
    runCommand(["subscribers", "list", ...options], {
      env: commandSettings(database, database.settings.dataDir),
    });

  async function report(subscriber: number, refusal: Refusal, times = 1) {
    for (let time = 0; time < times; time += 1) {
      const now = new Date(Date.UTC(2026, 10, 20, 14, subscriber, time));
      const mailbox = subscriberAddress(subscriber);
      await database.db
        .transaction()
        .execute((trx) => recordBounce(trx, { mailbox, refusal, now, reportKey: `${time}` }));
    }
  }

  it("with --bounced says since when each is, by what, and the mail server's words", async () => {
    const { db } = database;
    await addSubscribers(db, 6);
    const gone = { kind: "hard", answer: "550 5.1.1 No such user" } as const;
    const full = { kind: "soft", answer: "452 4.2.2 Mailbox full" } as const;
    await report(0, full, 4);
    await report(1, gone);
    await report(2, full, 5);
    await report(3, { kind: "complaint", answer: "abuse" });
    // Later reports don't change why it is bounced.
    await report(3, gone, 2);
    await db
      .updateTable("subscribers")
      .set({ bounced_at: "2026-11-01T12:00:00.000Z" })
      .where("email", "=", subscriberAddress(4))
      .execute();

    const { stdout } = await list("--bounced");
    expect(stdout.trimEnd().split(/ *\n/)).toEqual([
      "Email                Since             By                   Code   Answer",
      "reader-4@d4.example  2026-11-01 07:00  came so with a list",
      "reader-3@d3.example  2026-11-20 09:03  complaint                   abuse",
      "reader-2@d2.example  2026-11-20 09:02  soft bounces         4.2.2  452 4.2.2 Mailbox full",
      "reader-1@d1.example  2026-11-20 09:01  hard bounce          5.1.1  550 5.1.1 No such user",
    ]);
    expect(JSON.parse((await list("--bounced", "--json")).stdout).subscribers).toMatchObject([
      { bounced_by: null, bounce_code: null, bounce_answer: null },
      { bounced_by: "complaint", bounce_code: null, bounced_at: "2026-11-20T14:03:00.000Z" },
      { bounced_by: "soft", bounce_code: "4.2.2" },
      { bounced_by: "hard", bounce_code: "5.1.1", bounce_answer: gone.answer },
    ]);
  });

  it("shows the latest sign-up first, and with --since, --left and --find only some", async () => {
    const rows = [
      { email: "Old_Pat@one.example", subscribed_at: "2026-10-31T12:00:00.000Z" },
      // Half past eleven in the evening of 31 October in Toronto, and half past midnight.
      { email: "late@one.example", subscribed_at: "2026-11-01T03:30:00.000Z" },
      { email: "Étienne@deux.example", subscribed_at: "2025-01-01T00:00:00.000Z" },
      { email: "new@two.example", subscribed_at: "2026-11-01T04:30:00.000Z" },
      {
        email: "gone@one.example",
        subscribed_at: "2026-01-01T12:00:00.000Z",
        unsubscribed_at: "2026-11-02T12:00:00.000Z",
      },
      {
        email: "oldpat@one.example",
        subscribed_at: "2026-01-01T12:00:00.000Z",
        unsubscribed_at: "2026-02-02T12:00:00.000Z",
      },
    ];
    const proof = { consentText: "", consentPage: null, consentAddress: null, confirmedAt: null };
    await importSubscribers(
      database.db,
      rows.map(({ email, subscribed_at, unsubscribed_at = null }) => ({
        ...{ email, ...proof, subscribedAt: subscribed_at, unsubscribedAt: unsubscribed_at },
      })),
    );
    const emails = async (...options: string[]) => {
      const { stdout } = await list(...options, "--json");
      return JSON.parse(stdout).subscribers.map(({ email }: { email: string }) => email);
    };
    const [oldPat, late, french, recent, gone, left] = rows.map(({ email }) => email);
    expect(await emails()).toEqual([left, gone, recent, french, late, oldPat]);
    expect(await emails("--limit", "2")).toEqual([left, gone]);
    expect(await emails("--since", "2026-11-01")).toEqual([recent]);
    expect(await emails("--since", "2026-10-31")).toEqual([recent, late, oldPat]);
    expect(await emails("--left")).toEqual([left, gone]);
    expect(await emails("--left", "--since", "2026-11-01")).toEqual([gone]);
    expect(await emails("--find", "ONE.example")).toEqual([left, gone, late, oldPat]);
    for (const name of ["Étienne", "étienne", "ETIENNE", "etienne"]) {
      expect(await emails("--find", name)).toEqual([french]);
    }
    // No sign in it stands for any other.
    expect(await emails("--find", "old_p")).toEqual([oldPat]);
    expect(await emails("--find", "%")).toEqual([]);
    expect((await list("--left", "--find", "gone")).stdout).toBe(
      "Email             State         Since             Quarantine\ngone@one.example  unsubscribed  2026-11-02 07:00\n",
    );
    expect((await list("--find", "nobody")).stdout).toBe("There are none.\n");
    expect((await list("--left", "--held")).exitCode).toBe(2);
  });
});
