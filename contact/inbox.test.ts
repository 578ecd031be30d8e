import { expect, test } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { sendMessage } from "#tests/visitors.ts";
import {
  answerMessages,
  countInbox,
  countOrigins,
  eraseMessages,
  type InboxView,
  leaveForLater,
  listInbox,
  openMessage,
  reopenMessages,
} from "./inbox.ts";

const now = new Date("2026-11-20T15:00:00.000Z");
const today = "2026-11-20";

describeOnEachDatabase("the inbox", (database) => {
  const names = async (view: InboxView, { day = today, find = "" } = {}) =>
    (await listInbox(database.db, { view, today: day, find, limit: 50 })).map(
      ({ firstName }) => firstName,
    );

  /** Sends a message from each, and returns their ids. */
  async function receive(...firstNames: string[]): Promise<number[]> {
    const ids: number[] = [];
    for (const firstName of firstNames) {
      const email = `${firstName.toLowerCase()}@example.com`;
      await sendMessage(database.db, { firstName, email }, { at: now });
      ids.push((await listInbox(database.db, { today, limit: 1 }))[0]?.id ?? 0);
    }
    return ids;
  }

  test("a message is new until the owner says that it is answered or leaves it for a later day", async () => {
    const { db } = database;
    const [ana = 0, ben = 0, cem = 0] = await receive("Ana", "Ben", "Cem", "Dee");
    await sendMessage(db, { firstName: "Eve" }, { at: now, suspicion: "hidden_field" });
    expect(await names("new")).toEqual(["Dee", "Cem", "Ben", "Ana"]);
    await answerMessages(db, { ids: [ana], now });
    await leaveForLater(db, { id: ben, until: "2026-11-21" });
    await leaveForLater(db, { id: cem, until: "2026-11-27" });
    expect(await names("new")).toEqual(["Dee"]);
    expect(await names("later")).toEqual(["Cem", "Ben"]);
    expect(await names("answered")).toEqual(["Ana"]);
    expect(await names("held")).toEqual(["Eve"]);
    expect(await countInbox(db, today)).toEqual({ all: 5, new: 1, later: 2, answered: 1, held: 1 });
    expect(await names("new", { day: "2026-11-21" })).toEqual(["Dee", "Ben"]);
    expect(await names("later", { day: "2026-11-27" })).toEqual([]);
  });

  test("taking an answer back leaves those alone that were answered before, and keeps the later day", async () => {
    const { db } = database;
    const [ana = 0, ben = 0, cem = 0] = await receive("Ana", "Ben", "Cem");
    await answerMessages(db, { ids: [ana], now });
    await leaveForLater(db, { id: ben, until: "2026-11-22" });
    const ids = await answerMessages(db, { ids: [ana, ben, cem], now });
    expect(ids.toSorted()).toEqual([ben, cem]);
    expect(await names("answered")).toEqual(["Cem", "Ben", "Ana"]);
    await reopenMessages(db, { ids });
    expect(await names("new")).toEqual(["Cem"]);
    expect(await names("later")).toEqual(["Ben"]);
    expect(await names("answered")).toEqual(["Ana"]);
  });

  test("an erased message is gone, and the others of its sender stay", async () => {
    const { db } = database;
    const [first = 0, second = 0] = await receive("Ana", "Ana");
    await eraseMessages(db, { ids: [first] });
    expect(await openMessage(db, first)).toBeNull();
    expect(await openMessage(db, second)).toMatchObject({ firstName: "Ana", others: [] });
  });

  test("a page of the list continues where the one before ended, and the others of a person are beside a message", async () => {
    const { db } = database;
    const ids = await receive("Ana", "Ben", "Ana", "Cem");
    const first = await listInbox(db, { today, limit: 2 });
    const rest = await listInbox(db, { today, limit: 2, beforeId: first[1]?.id });
    expect([...first, ...rest].map(({ id }) => id)).toEqual(ids.toReversed());
    expect((await openMessage(db, ids[0] ?? 0))?.others.map(({ id }) => id)).toEqual([ids[2]]);
  });

  test("messages are counted by the page that they came from, where it is known", async () => {
    const { db } = database;
    const ids = await receive("Ana", "Ben", "Cem", "Dee");
    for (const [index, page] of ["/pricing", "/about", "/pricing"].entries()) {
      const message = db.updateTable("contact_messages").set({ from_page: page });
      await message.where("id", "=", ids[index] ?? 0).execute();
    }
    await sendMessage(db, {}, { at: new Date("2026-01-01T15:00:00.000Z") });
    const since = new Date("2026-11-01T05:00:00.000Z");
    const [first, ...others] = await countOrigins(db, { since });
    expect(first).toEqual({ page: "/pricing", count: 2 });
    const counted = Object.fromEntries(others.map(({ page, count }) => [page, count]));
    expect(counted).toEqual({ "/about": 1, null: 1 });
  });

  test("a message is found by its words with or without capitals and accents, in any alphabet", async () => {
    const written = ["Étienne", "e\u0301lodie", "Łukasz", "ЕЛЕНА", "Οδυσσέας", "Bob_100%"];
    for (const firstName of written) {
      await sendMessage(database.db, { firstName, message: "Ça va" }, { at: now });
    }
    for (const [find, name] of [
      ["étienne", written[0]],
      ["SOUZA  etienne", written[0]],
      ["Élodie", written[1]],
      ["łuk", written[2]],
      ["елена", written[3]],
      ["ΟΔΥΣΣΕΑΣ", written[4]],
      ["b_1", written[5]],
      ["0%", written[5]],
    ] as const) {
      expect(await names("all", { find }), find).toEqual([name]);
    }
    expect(await names("all", { find: "ÇA" })).toHaveLength(written.length);
    expect(await names("all", { find: "ça_va" })).toEqual([]);
  });
});
