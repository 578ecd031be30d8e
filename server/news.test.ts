import pino from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import { setMark } from "#db/marks.ts";
import { importList } from "#newsletter/subscribers/import-list.ts";
import { configOf } from "#tests/config-of.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { failOn } from "#tests/full-disk.ts";
import { addSubscribers } from "#tests/sends/subscribers.ts";
import { until } from "#tests/until.ts";
import { createHeartbeat } from "./health/heartbeat.ts";
import { createNews } from "./news.ts";

const log = pino({ level: "silent" });

describeOnEachDatabase("the operator's mail", (database) => {
  const mails = async () =>
    (
      await database.db
        .selectFrom("outbox")
        .select("payload")
        .where("kind", "=", "owner-email")
        .orderBy("id")
        .execute()
    ).map(({ payload }) => JSON.parse(payload) as { subject: string; paragraphs: string[] });

  /** The site as it starts at a moment in Toronto's winter. */
  async function startAt(moment: string, settings: Record<string, string> = {}) {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(`${moment}:00-05:00`) });
    onTestFinished(() => void vi.useRealTimers());
    const config = configOf({ SMTP_URL: "smtp://127.0.0.1:25", ...settings });
    const { db } = database;
    const news = createNews({ db, config, siteUrl: "https://firm.example", log });
    const heartbeat = createHeartbeat(db, news.tellOutage);
    heartbeat.start();
    news.start();
    const now = new Date().toISOString();
    const beats = () => db.selectFrom("marks").selectAll().where("set_at", "=", now).execute();
    await until(async () => (await beats()).some(({ name }) => name === "site answered"));
    await Promise.all([heartbeat.stop(), news.stop()]);
  }

  test("comes once on a Monday morning, with the week in it, and can be turned off", async () => {
    const { db } = database;
    await setMark(db, { name: "starter-issues", at: new Date("2026-11-01T12:00:00Z") });
    await addSubscribers(db, 3);
    await db.updateTable("subscribers").set({ confirmed_at: "2026-12-03T12:00:00Z" }).execute();
    // Whatever day another tool's list says.
    const file = {
      name: "old.csv",
      bytes: Buffer.from("email,confirmed_at\nold@x.ca,2019-01-02\n"),
    };
    const importing = { db, newsletterWebhookUrl: null, now: new Date("2026-12-03T12:00:00Z") };
    await importList(importing, file, { consent: "Card", isDry: false });
    const quiet = { DATA_DIR: database.settings.dataDir };
    await startAt("2026-12-06T09:00", quiet);
    await startAt("2026-12-07T08:55", { ...quiet, MONDAY_MAIL: "no" });
    expect((await mails()).filter(({ subject }) => subject.startsWith("Your week"))).toEqual([]);
    const mend = await failOn(database, "insert on outbox");
    await startAt("2026-12-07T08:58", quiet);
    await mend();
    await startAt("2026-12-07T09:00", quiet);
    await startAt("2026-12-07T09:05", quiet);
    const week = (await mails()).filter(({ subject }) => subject.startsWith("Your week"));
    expect(week.map(({ subject }) => subject)).toEqual(["Your week at firm.example: 4 joined"]);
    expect(week[0]?.paragraphs).toEqual(
      expect.arrayContaining(["Since last Monday: 4 joined.", expect.stringMatching(/backup/)]),
    );
  });

  test("comes when the site runs again after an outage, and not after a restart", async () => {
    await startAt("2026-12-08T09:00");
    await startAt("2026-12-08T09:05");
    expect(await mails()).toEqual([]);
    await startAt("2026-12-08T11:30");
    expect(await mails()).toMatchObject([
      {
        subject: "firm.example was down",
        paragraphs: [
          expect.stringContaining("from Tue, Dec 8, 2026, 9:05 a.m."),
          expect.any(String),
        ],
      },
    ]);
  });

  test("comes when mail leaves again that had been held up", async () => {
    const { db } = database;
    const created_at = "2026-12-08T12:00:00Z";
    const job = { delivery_id: "a", kind: "contact-email", payload: "{}", attempts: 3, created_at };
    await db
      .insertInto("outbox")
      .values({ ...job, next_attempt_at: created_at, last_error: "451 Later" })
      .execute();
    vi.useFakeTimers({ now: Date.parse("2026-12-08T13:00:00Z"), toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const config = configOf({ SMTP_URL: "smtp://127.0.0.1:25" });
    const news = createNews({ db, config, siteUrl: "https://firm.example", log });
    await news.look();
    await db.updateTable("outbox").set({ delivered_at: created_at }).execute();
    await news.look();
    expect(await mails()).toMatchObject([{ subject: "Mail from firm.example was held up" }]);
  });
});
