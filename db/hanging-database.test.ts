import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { startWay } from "#tests/databases/way.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { sendMessage } from "#tests/visitors.ts";
import type { OpenDatabase } from "./database-handle.ts";
import { openDatabase } from "./open-database.ts";

/** The longest that a form keeps its visitor waiting while the database hangs. */
const formMaxMs = 8_000;

function submit({ db }: OpenDatabase): Promise<string> {
  const sent = sendMessage(db).then(
    () => "taken",
    () => "refused",
  );
  return Promise.race([sent, delay(formMaxMs, "still waiting")]);
}

describeOnEachDatabase("a database that hangs", (database) => {
  if (database.kind === "sqlite") {
    test("refuses a form while another process holds the lock", async () => {
      const other = await database.connect();
      await other.db.transaction().execute(async (trx) => {
        await trx.insertInto("marks").values({ name: "held", set_at: "now" }).execute();
        expect(await submit(database.open)).toBe("refused");
      });
      expect(await submit(database.open)).toBe("taken");
    });
    return;
  }

  test("refuses a form while a lock is held", async () => {
    const other = await database.connect();
    await other.db.transaction().execute(async (trx) => {
      await sql`lock table contact_messages in access exclusive mode`.execute(trx);
      expect(await submit(database.open)).toBe("refused");
    });
    expect(await submit(database.open)).toBe("taken");
  });

  test("refuses a form when its connections have gone silent, open ones and new ones", async () => {
    const way = await startWay(database.settings.databaseUrl ?? "");
    const open = await openDatabase({ dataDir: "", databaseUrl: way.url });
    expect(await submit(open)).toBe("taken");
    way.silence({ forGood: true });
    expect(await submit(open)).toBe("refused");
    expect(await submit(open)).toBe("refused");
    await Promise.race([open.close(), delay(1_000)]);
  });
});
