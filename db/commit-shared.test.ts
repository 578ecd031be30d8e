import { sql, type Transaction } from "kysely";
import { expect, test, vi } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { commitShared } from "./commit-shared.ts";
import type { SharedWrite } from "./shared-write.ts";
import type { Database } from "./tables.ts";

type Item = { name: string; key?: string };

const marking: SharedWrite<Item, string> = {
  keyOf: ({ key = null }) => key,
  async writeAll(trx, items) {
    const names = items.map(({ name }) => name);
    await add(trx, names);
    return names.map((name) => name.toUpperCase());
  },
  async writeOne(trx, { name }) {
    await add(trx, [name]);
    return name.toUpperCase();
  },
};

async function add(trx: Transaction<Database>, names: string[]) {
  await trx
    .insertInto("marks")
    .values(names.map((name) => ({ name, set_at: "now" })))
    .execute();
}

describeOnEachDatabase("commitShared", (database) => {
  const commit = (item: Item) => commitShared(database.db, marking, item);
  const names = async () =>
    (await database.db.selectFrom("marks").select("name").orderBy("name").execute()).map(
      ({ name }) => name,
    );

  test("answers each with its own result, in one transaction for those that ask at once", async () => {
    const begun = vi.spyOn(database.db, "transaction");
    const results = await Promise.all(["a", "b", "c"].map((name) => commit({ name })));
    expect(results).toEqual(["A", "B", "C"]);
    expect(begun).toHaveBeenCalledTimes(1);
    expect(await names()).toEqual(["a", "b", "c"]);
    begun.mockRestore();
  });

  test("undoes what fails by its own fault, and nothing beside it", async () => {
    await commit({ name: "b" });
    const results = await Promise.allSettled(["a", "b", "c"].map((name) => commit({ name })));
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await names()).toEqual(["a", "b", "c"]);
  });

  test("tells everybody of a database that is away, once", async () => {
    const begin = vi.spyOn(database.db, "transaction").mockImplementation(() => {
      throw new Error("The database is gone");
    });
    const results = await Promise.allSettled(["a", "b", "c"].map((name) => commit({ name })));
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(begin).toHaveBeenCalledTimes(1);
    begin.mockRestore();
    expect(await commit({ name: "after" })).toBe("AFTER");
  });

  test("writes those with one key one after the other, and others beside them in one go", async () => {
    const goes: string[][] = [];
    const add = async (trx: Transaction<Database>, { name, key }: Item) => {
      const before = await trx
        .selectFrom("marks")
        .select("name")
        .where("set_at", "=", `${key}`)
        .execute();
      await trx
        .insertInto("marks")
        .values({ name, set_at: `${key}` })
        .execute();
      return before.map((mark) => mark.name);
    };
    const write: SharedWrite<Item, string[]> = {
      keyOf: ({ key = null }) => key,
      async writeAll(trx, items) {
        goes.push(items.map(({ name }) => name));
        const results: string[][] = [];
        for (const item of items) results.push(await add(trx, item));
        return results;
      },
      writeOne: add,
    };
    const asked = ["a1", "b1", "a2", "b2"].map((name) => ({ name, key: name.slice(0, 1) }));
    const seen = await Promise.all(asked.map((item) => commitShared(database.db, write, item)));
    expect(seen).toEqual([[], [], ["a1"], ["b1"]]);
    expect(goes[0]).toEqual(["a1", "b1"]);
  });

  if (database.kind === "postgres") {
    test("gives those with one key a transaction each, one after the other", async () => {
      const seen: string[][] = [];
      const write: SharedWrite<Item, null | true> = {
        ...marking,
        async writeAll(trx, items) {
          seen.push(
            (await trx.selectFrom("marks").select("name").execute()).map((row) => row.name),
          );
          await add(
            trx,
            items.map(({ name }) => name),
          );
          return items.map(() => true);
        },
        writeOne: async () => true,
      };
      await Promise.all(
        ["a", "b", "c"].map((name) => commitShared(database.db, write, { name, key: "same" })),
      );
      expect(seen).toEqual([[], ["a"], ["a", "b"]]);
    });

    test("answers only once others can read it", async () => {
      const other = await database.connect();
      await Promise.all(
        ["a", "b"].map(async (name) => {
          await commit({ name });
          const { rows } = await sql`select 1 from marks where name = ${name}`.execute(other.db);
          expect(rows).toHaveLength(1);
        }),
      );
    });
  }
});
