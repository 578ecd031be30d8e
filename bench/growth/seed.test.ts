import { type Kysely, sql } from "kysely";
import { expect, test } from "vitest";
import type { Database } from "#db/tables.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { indexedAfterwards } from "./indexed-afterwards.ts";
import { seed } from "./seed.ts";

describeOnEachDatabase("the seeder", (database) => {
  const count = async (db: Kysely<Database>, table: keyof Database) => {
    const { rows } = await db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as("rows"))
      .executeTakeFirstOrThrow();
    return Number(rows);
  };

  test("adds to what is there, with deliveries of the last ninety days", async () => {
    const { db } = database;
    const amounts = { issues: 12, readers: 400, messages: 400, issueBytes: 5_000 };
    await seed(database.open, amounts);
    await seed(database.open, { ...amounts, issues: 3 });
    expect(await count(db, "final_newsletters")).toBe(15);
    expect(await count(db, "subscribers")).toBe(800);
    expect(await count(db, "contact_messages")).toBe(800);
    const deliveries = await count(db, "outbox");
    expect(deliveries).toBeGreaterThan(300);
    expect(deliveries).toBeLessThan(450);
    const issue = await db
      .selectFrom("final_newsletters")
      .selectAll()
      .orderBy("id", "desc")
      .executeTakeFirstOrThrow();
    expect(issue.title).toContain("No. 15");
    expect(issue.content_markdown.length).toBeGreaterThan(5_000);
    expect(issue.content_markdown.length).toBeLessThan(6_000);
    const mailed = await db
      .selectFrom("subscribers")
      .innerJoin("outbox", "outbox.delivery_id", "subscribers.mail_delivery_id")
      .select("subscribers.email")
      .execute();
    expect(mailed.length).toBeGreaterThan(100);
  });
});

describeOnEachDatabase(
  "indexes that are made afterwards",
  (database) => {
    test("are those that were there, and so are the rules", async () => {
      const before = await definitions(database.db);
      await indexedAfterwards(database.open, async (db) => {
        expect((await definitions(db)).length).toBeLessThan(before.length - 20);
        await seed({ db }, { readers: 50, messages: 50 });
      });
      expect(await definitions(database.db)).toEqual(before);
    });

    async function definitions(db: Kysely<Database>): Promise<string[]> {
      const { rows } = await sql<{ definition: string }>`
        select indexdef as definition from pg_indexes where schemaname = 'public'
        union select conname || pg_get_constraintdef(oid) from pg_constraint
        where connamespace = 'public'::regnamespace order by 1`.execute(db);
      return rows.map(({ definition }) => definition);
    }
  },
  { kinds: ["postgres"] },
);
