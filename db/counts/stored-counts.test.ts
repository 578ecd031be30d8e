import { sql } from "kysely";
import pg from "pg";
import { expect, test, vi } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { seed } from "../../bench/growth/seed.ts";
import { countedMaxRows, readHeldCounts, readStoredCounts } from "./stored-counts.ts";

const at = "2026-11-21T12:00:00.000Z";

describeOnEachDatabase("what is known of how much is stored", (database) => {
  const counted = async (table: "subscribers" | "contact_messages" | "outbox", where: string) => {
    const { rows } = await sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)}
      where ${sql.raw(where)}`.execute(database.db);
    return Number(rows[0]?.rows);
  };
  const countAll = async () => ({
    subscribers: {
      held: await counted("subscribers", "held_at is not null"),
      unsubscribed: await counted("subscribers", "held_at is null and unsubscribed_at is not null"),
      confirmed: await counted(
        "subscribers",
        "held_at is null and unsubscribed_at is null and confirmed_at is not null",
      ),
      unconfirmed: await counted(
        "subscribers",
        "held_at is null and unsubscribed_at is null and confirmed_at is null",
      ),
    },
    messages: {
      held: await counted("contact_messages", "held_at is not null"),
      received: await counted("contact_messages", "held_at is null"),
    },
    delivered: await counted("outbox", "delivered_at is not null"),
    outbox: {
      "contact-email": {
        waiting: await counted(
          "outbox",
          "kind = 'contact-email' and delivered_at is null and failed_at is null",
        ),
        failed: await counted(
          "outbox",
          "kind = 'contact-email' and delivered_at is null and failed_at is not null",
        ),
      },
    },
  });

  test("is what counting gives, through every way in which rows come, change and go", async () => {
    const { db } = database;
    expect(await readStoredCounts(db)).toMatchObject(await countAll());
    await seed(database.open, { readers: 500, messages: 1_000 });
    expect(await readStoredCounts(db)).toMatchObject(await countAll());

    const some = (column: string, to: string | null, rest: number) =>
      sql`update subscribers set ${sql.ref(column)} = ${to} where id % 7 = ${rest}`.execute(db);
    await some("unsubscribed_at", at, 0);
    await some("held_at", at, 1);
    await some("confirmed_at", null, 2);
    await some("held_at", null, 1);
    await some("email", "same", 3);
    await sql`update contact_messages set held_at = ${at} where id % 5 = 0`.execute(db);
    await sql`update outbox set delivered_at = null where id % 3 = 0`.execute(db);
    await sql`update outbox set failed_at = ${at} where id % 6 = 0`.execute(db);
    expect(await readStoredCounts(db)).toMatchObject(await countAll());

    for (const table of ["subscribers", "contact_messages", "outbox"] as const) {
      await sql`delete from ${sql.table(table)} where id % 4 = 1`.execute(db);
    }
    const counts = await readStoredCounts(db);
    expect(counts).toMatchObject(await countAll());
    expect(counts.outbox["contact-email"].failed).toBeGreaterThan(0);
    expect(await readHeldCounts(db)).toEqual({
      messages: counts.messages.held,
      subscribers: counts.subscribers.held,
    });
  });

  test("is undone with the change that it follows from", async () => {
    const { db } = database;
    await seed(database.open, { messages: 10 });
    const undone = db.transaction().execute(async (trx) => {
      await trx.deleteFrom("contact_messages").execute();
      throw new Error("no");
    });
    await expect(undone).rejects.toThrow("no");
    expect((await readStoredCounts(db)).messages.received).toBe(10);
  });

  test("is still near beyond what is counted", async () => {
    const { db } = database;
    const readers = countedMaxRows * 2;
    // One that begins while the rows come would put its statistics over those of the end.
    if (database.kind === "postgres") {
      await sql`alter table subscribers set (autovacuum_enabled = false)`.execute(db);
    }
    await seed(database.open, { readers });
    if (database.kind === "postgres") await sql`analyze`.execute(db);
    const { subscribers } = await readStoredCounts(db);
    const exact = (await countAll()).subscribers;
    expect(Math.abs(subscribers.confirmed - exact.confirmed)).toBeLessThan(readers / 20);
    expect(subscribers.unsubscribed).toBe(exact.unsubscribed);
  });
});

describeOnEachDatabase(
  "the counts of a table whose statistics are still to be gathered",
  (database) => {
    test("go by index, in one statement", async () => {
      const { db } = database;
      // Years of them at once, as after a move from another database.
      await sql`alter table subscribers set (autovacuum_enabled = false)`.execute(db);
      await sql`alter table contact_messages set (autovacuum_enabled = false)`.execute(db);
      await sql`alter table outbox set (autovacuum_enabled = false)`.execute(db);
      await seed(database.open, { readers: 20_000, messages: 20_000 });
      const query = vi.spyOn(pg.Client.prototype, "query");
      await readStoredCounts(db);
      const asked = query.mock.calls.map(([text, values]) => ({ text: String(text), values }));
      query.mockRestore();
      expect(asked.filter(({ text }) => text.includes("count(*)"))).toHaveLength(1);
      // The same again, with the plan in place of the counts.
      const client = new pg.Client(database.settings.databaseUrl ?? "");
      await client.connect();
      let plan = "";
      for (const { text, values } of asked) {
        if (text.includes("count(*)")) {
          const { rows } = await client.query(`explain ${text}`, values);
          plan = JSON.stringify(rows);
        } else await client.query(text, values);
      }
      await client.end();
      expect(plan).toContain("subscribers_held");
      expect(plan).not.toMatch(/Bitmap|Seq Scan on (subscribers|contact_messages|outbox)/);
    });
  },
  { kinds: ["postgres"] },
);
