import { expect, it } from "vitest";
import { type Refusal, recordBounce } from "#newsletter/record-bounce.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { addReaders, readerAddress } from "#tests/sends/readers.ts";
import { runCommand } from "#tests/site-commands.ts";

describeOnEachDatabase("subscribers list --bounced", (database) => {
  const list = (...options: string[]) => {
    const { databaseUrl, dataDir } = database.settings;
    const env: Record<string, string> =
      databaseUrl === null ? { DATA_DIR: dataDir } : { DATABASE_URL: databaseUrl };
    return runCommand(["subscribers", "list", "--bounced", ...options], { env });
  };

  async function report(reader: number, refusal: Refusal, times = 1) {
    for (let time = 0; time < times; time += 1) {
      const now = new Date(Date.UTC(2026, 10, 20, 14, reader, time));
      const mailbox = readerAddress(reader);
      await database.db
        .transaction()
        .execute((trx) => recordBounce(trx, { mailbox, refusal, now, reportKey: `${time}` }));
    }
  }

  it("says since when each is bounced, by what, and the mail server's words", async () => {
    const { db } = database;
    await addReaders(db, 6);
    const gone = { kind: "hard", answer: "550 5.1.1 No such user" } as const;
    const full = { kind: "soft", answer: "452 4.2.2 Mailbox full" } as const;
    await report(0, full, 4);
    await report(1, gone);
    await report(2, full, 5);
    await report(3, { kind: "complaint", answer: "abuse" });
    // What comes after says nothing of why it is bounced.
    await report(3, gone, 2);
    await db
      .updateTable("subscribers")
      .set({ bounced_at: "2026-11-01T12:00:00.000Z" })
      .where("email", "=", readerAddress(4))
      .execute();

    const { stdout } = await list();
    expect(stdout.trimEnd().split(/ *\n/)).toEqual([
      "Email                Since             By                   Code   Answer",
      "reader-4@d4.example  2026-11-01 07:00  came so with a list",
      "reader-3@d3.example  2026-11-20 09:03  complaint                   abuse",
      "reader-2@d2.example  2026-11-20 09:02  soft bounces         4.2.2  452 4.2.2 Mailbox full",
      "reader-1@d1.example  2026-11-20 09:01  hard bounce          5.1.1  550 5.1.1 No such user",
    ]);
    expect(JSON.parse((await list("--json")).stdout).subscribers).toMatchObject([
      { bounced_by: null, bounce_code: null, bounce_answer: null },
      { bounced_by: "complaint", bounce_code: null, bounced_at: "2026-11-20T14:03:00.000Z" },
      { bounced_by: "soft", bounce_code: "4.2.2" },
      { bounced_by: "hard", bounce_code: "5.1.1", bounce_answer: gone.answer },
    ]);
  });
});
