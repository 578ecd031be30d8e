import { expect, test } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { createCounts } from "./counts.ts";
import { createMetrics } from "./create-metrics.ts";

const now = "2026-11-21T12:00:00.000Z";

describeOnEachDatabase("the metrics of what is stored", (database) => {
  test("count the outbox, subscribers and messages by their states", async () => {
    const { db } = database;
    const delivery = { kind: "contact-email", payload: "{}", next_attempt_at: now };
    const at = (created_at: string) => ({ ...delivery, created_at });
    await db
      .insertInto("outbox")
      .values([
        { ...at("2026-11-21T11:00:00.000Z"), delivery_id: "a", attempts: 3 },
        { ...at("2026-11-21T11:59:00.000Z"), delivery_id: "b", attempts: 1 },
        { ...at("2026-11-20T00:00:00.000Z"), delivery_id: "c", attempts: 9, failed_at: now },
        { ...at("2026-11-20T00:00:00.000Z"), delivery_id: "d", attempts: 1, delivered_at: now },
      ])
      .execute();
    const subscriber = { subscribed_at: now };
    await db
      .insertInto("subscribers")
      .values([
        {
          ...subscriber,
          email: "a",
          mailbox_key: "a",
          token: "a",
          confirmed_at: now,
        },
        { ...subscriber, email: "b", mailbox_key: "b", token: "b" },
        {
          ...subscriber,
          email: "c",
          mailbox_key: "c",
          token: "c",
          unsubscribed_at: now,
        },
        { ...subscriber, email: "d", mailbox_key: "d", token: "d", held_at: now },
      ])
      .execute();
    const { read } = createMetrics({ counts: createCounts(), db, now: () => Date.parse(now) });
    const { text } = await read();
    for (const line of [
      'chalkline_outbox_deliveries{kind="contact-email",state="waiting"} 2',
      'chalkline_outbox_deliveries{kind="contact-email",state="failed"} 1',
      'chalkline_outbox_waiting_attempts{kind="contact-email"} 4',
      'chalkline_outbox_oldest_waiting_seconds{kind="contact-email"} 3600',
      'chalkline_subscribers{state="confirmed"} 1',
      'chalkline_subscribers{state="unconfirmed"} 1',
      'chalkline_subscribers{state="unsubscribed"} 1',
      'chalkline_subscribers{state="held"} 1',
      'chalkline_messages{state="received"} 0',
      'chalkline_messages{state="held"} 0',
      "chalkline_database_up 1",
    ]) {
      expect(text).toContain(line);
    }
  });

  test("say so when the database is away, and the others are still told", async () => {
    await database.db.schema.dropTable("outbox").execute();
    const { read } = createMetrics({ counts: createCounts(), db: database.db });
    const { text } = await read();
    expect(text).toContain("chalkline_database_up 0");
    expect(text).toContain("process_resident_memory_bytes");
  });
});
