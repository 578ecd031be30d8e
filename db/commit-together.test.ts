import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { CompiledQuery, type Kysely, sql, type Transaction } from "kysely";
import { expect, test, vi } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { commitTogether } from "./commit-together.ts";
import type { Database } from "./tables.ts";

describeOnEachDatabase("commitTogether", (database) => {
  const mark = (name: string) => (trx: Transaction<Database>) =>
    trx.insertInto("marks").values({ name, set_at: "now" }).execute();

  const names = async (db: Kysely<Database> = database.db) =>
    (await db.selectFrom("marks").select("name").orderBy("name").execute()).map(({ name }) => name);

  test("answers each write with its own result, once another opening can read it", async () => {
    const other = await database.connect();
    const results = await Promise.all(
      ["a", "b", "c"].map((name) =>
        commitTogether(database.db, async (trx) => {
          await mark(name)(trx);
          return name.toUpperCase();
        }).then(async (result) => ({ result, seen: (await names(other.db)).includes(name) })),
      ),
    );
    expect(results).toEqual([
      { result: "A", seen: true },
      { result: "B", seen: true },
      { result: "C", seen: true },
    ]);
  });

  test("undoes the whole of a write that fails, and nothing of those beside it", async () => {
    const failing = commitTogether(database.db, async (trx) => {
      await mark("half")(trx);
      throw new Error("no");
    });
    const refused = commitTogether(database.db, async (trx) => {
      await mark("before")(trx);
      await mark("before")(trx);
    });
    const results = await Promise.allSettled([
      commitTogether(database.db, mark("first")),
      failing,
      refused,
      commitTogether(database.db, mark("last")),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "rejected",
      "fulfilled",
    ]);
    await expect(failing).rejects.toThrow("no");
    expect(await names()).toEqual(["first", "last"]);
  });

  test("takes more writes than a group holds, and further ones while a group commits", async () => {
    const wanted = Array.from({ length: 250 }, (_, index) => `m${String(index).padStart(3, "0")}`);
    await Promise.all(
      wanted.map(async (name) => {
        await commitTogether(database.db, mark(name));
        await commitTogether(database.db, mark(`${name}-then`));
      }),
    );
    expect(await names()).toEqual(wanted.flatMap((name) => [name, `${name}-then`]));
  });

  if (database.kind === "sqlite") {
    test("refuses all who wait when the lock can't be had, since none of them waits for it twice", async () => {
      const other = new DatabaseSync(database.open.location);
      other.exec("begin immediate");
      const first = commitTogether(database.db, mark("first"));
      await delay(100);
      const more = Array.from({ length: 250 }, (_, index) =>
        commitTogether(database.db, mark(`more ${index}`)),
      );
      const outcomes = Promise.allSettled(more);
      await expect(first).rejects.toThrow("locked");
      // Who waited for the lock once more would have it now.
      await delay(100);
      other.close();
      expect((await outcomes).filter(({ status }) => status === "fulfilled")).toEqual([]);
      await commitTogether(database.db, mark("after"));
      expect(await names()).toEqual(["after"]);
    });
  }

  test("goes on after a failure to begin", async () => {
    const begin = vi.spyOn(database.db, "transaction").mockImplementationOnce(() => {
      throw new Error("The database is gone");
    });
    await expect(commitTogether(database.db, mark("lost"))).rejects.toThrow("gone");
    begin.mockRestore();
    await commitTogether(database.db, mark("kept"));
    expect(await names()).toEqual(["kept"]);
  });

  if (database.kind === "sqlite") {
    test("commits what is asked for at once in one transaction", async () => {
      const begun = vi.spyOn(database.db, "transaction");
      await Promise.all(
        ["a", "b", "c", "d"].map((name) => commitTogether(database.db, mark(name))),
      );
      expect(begun).toHaveBeenCalledTimes(1);
      begun.mockRestore();
    });

    test("tells nobody of success when SQLite gives the transaction up half-way", async () => {
      const results = await Promise.allSettled([
        commitTogether(database.db, mark("a")),
        commitTogether(database.db, async (trx) => {
          // As SQLite does by itself on a full disk or a read error.
          await trx.executeQuery(CompiledQuery.raw("rollback"));
          throw new Error("database or disk is full");
        }),
        commitTogether(database.db, mark("b")),
      ]);
      expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
      expect(await names()).toEqual([]);
      await commitTogether(database.db, mark("after"));
      expect(await names()).toEqual(["after"]);
    });

    test("tells nobody of success when the commit fails", async () => {
      await sql`create table parent (id integer primary key)`.execute(database.db);
      await sql`create table child (
        parent_id integer references parent (id) deferrable initially deferred)`.execute(
        database.db,
      );
      const results = await Promise.allSettled([
        commitTogether(database.db, mark("a")),
        // Checked at the commit only.
        commitTogether(database.db, (trx) => sql`insert into child values (1)`.execute(trx)),
      ]);
      expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
      expect(await names()).toEqual([]);
    });
  }
});
