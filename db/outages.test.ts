import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { startWay } from "#tests/databases/way.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { sendMessage } from "#tests/visitors.ts";
import { openDatabase } from "./open-database.ts";

/** The longest that a form keeps its visitor waiting while the database hangs. */
const formMaxMs = 8_000;

type Open = Awaited<ReturnType<typeof openDatabase>>;

function submit({ db }: Open): Promise<string> {
  const sent = sendMessage(db).then(
    () => "taken",
    () => "refused",
  );
  return Promise.race([sent, delay(formMaxMs, "still waiting")]);
}

const write = ({ db }: Open) =>
  sql`insert into marks (name, set_at) values (${randomUUID()}, 'now')`.execute(db);

async function openFor(databaseUrl: string, options = {}) {
  const open = await openDatabase({ dataDir: "", databaseUrl }, options);
  onTestFinished(() => Promise.race([open.close(), delay(1_000)]));
  return open;
}

describeOnEachDatabase("a lock that another process holds", (database) => {
  test("refuses a form within seconds, and no later one", async () => {
    const other = await database.connect();
    await other.db.transaction().execute(async (trx) => {
      await (database.kind === "sqlite"
        ? trx.insertInto("marks").values({ name: "held", set_at: "now" }).execute()
        : sql`lock table contact_messages in access exclusive mode`.execute(trx));
      expect(await submit(database.open)).toBe("refused");
    });
    expect(await submit(database.open)).toBe("taken");
  });
});

describeOnEachDatabase(
  "PostgreSQL",
  (database) => {
    const url = () => database.settings.databaseUrl ?? "";

    test("that goes silent is left at once by the connections that are open, and refuses forms while new ones are silent too", async () => {
      const way = await startWay(url());
      const open = await openFor(way.url, { maxConnections: 1, statementMs: 500 });
      await write(open);
      way.silence();
      await expect(write(open)).rejects.toThrow("timeout");
      await write(open);
      way.silence({ forGood: true });
      expect(await submit(open)).toBe("refused");
      expect(await submit(open)).toBe("refused");
    });

    test("serves forty visitors at once to a role that may hold three connections", async () => {
      const role = `panel_${randomUUID().slice(0, 8)}`;
      await sql`create role ${sql.ref(role)} login password 'pw' connection limit 3`.execute(
        database.db,
      );
      await sql`grant all on all tables in schema public to ${sql.ref(role)}`.execute(database.db);
      const url = new URL(database.settings.databaseUrl ?? "");
      Object.assign(url, { username: role, password: "pw" });
      const open = await openFor(url.href);
      await write(open);
      const visits = await Promise.allSettled(Array.from({ length: 40 }, () => write(open)));
      expect(visits.filter(({ status }) => status === "rejected")).toEqual([]);
      await open.close();
      await sql`drop owned by ${sql.ref(role)}`.execute(database.db);
      await sql`drop role ${sql.ref(role)}`.execute(database.db);
    });
  },
  { kinds: ["postgres"] },
);
