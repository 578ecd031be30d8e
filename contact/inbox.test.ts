import { expect, test } from "vitest";
import { eraseMailbox, exportMailbox } from "#newsletter/privacy.ts";
import { deleteExpired } from "#newsletter/retention.ts";
import { countQuarantined } from "#operator/stored-counts.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { sendMessage } from "#tests/visitors.ts";
import {
  addNote,
  answerMessages,
  countInbox,
  fillReply,
  type InboxFilter,
  listInbox,
  listSavedReplies,
  markAsRead,
  openMessage,
  putInBin,
  remindOfMessage,
  removeNote,
  removeSavedReply,
  reopenMessages,
  saveReply,
  takeFromBin,
} from "./inbox.ts";
import { findMessage, listMessages, releaseMessage } from "./messages.ts";

const now = new Date("2026-11-20T15:00:00.000Z");
const today = "2026-11-20";
const later = (days: number) => new Date(now.getTime() + days * 24 * 60 * 60_000);

describeOnEachDatabase("the inbox", (database) => {
  const names = async (filter: InboxFilter = {}) =>
    (await listInbox(database.db, { limit: 50, ...filter })).map(({ firstName }) => firstName);

  /** Sends a message from each, and returns their ids. */
  async function receive(...firstNames: string[]): Promise<number[]> {
    const ids: number[] = [];
    for (const firstName of firstNames) {
      const email = `${firstName.toLowerCase()}@example.com`;
      await sendMessage(database.db, { firstName, email }, { at: now });
      ids.push((await listInbox(database.db, { limit: 1 }))[0]?.id ?? 0);
    }
    return ids;
  }

  test("a message is new until the owner says that it is answered, puts it off, or bins it", async () => {
    const { db } = database;
    const [ana = 0, ben = 0, cem = 0] = await receive("Ana", "Ben", "Cem", "Dee");
    await sendMessage(db, { firstName: "Eve" }, { at: now, suspicion: "hidden_field" });
    // Being read is no answer.
    await markAsRead(db, { id: ana, now });
    expect(await names({ view: "new" })).toEqual(["Dee", "Cem", "Ben", "Ana"]);
    expect(await answerMessages(db, { ids: [ana, ben], now })).toMatchObject({ count: 2 });
    expect(await remindOfMessage(db, { id: ben, day: "2026-11-22", today })).toEqual({ ok: true });
    expect(await remindOfMessage(db, { id: cem, day: "2026-11-21", today })).toEqual({ ok: true });
    expect(await names({ view: "new" })).toEqual(["Dee"]);
    expect(await names({ view: "waiting" })).toEqual(["Cem", "Ben"]);
    expect(await names({ view: "answered" })).toEqual(["Ana"]);
    expect(await countInbox(db)).toEqual({
      all: 5,
      new: 1,
      waiting: 2,
      answered: 1,
      held: 1,
      bin: 0,
    });
    await answerMessages(db, { ids: [cem], now });
    await remindOfMessage(db, { id: ben, day: null, today });
    expect(await names({ view: "answered" })).toEqual(["Cem", "Ben", "Ana"]);
    await reopenMessages(db, { ids: [ana, cem] });
    expect(await names({ view: "new" })).toEqual(["Dee", "Cem", "Ana"]);
  });

  test("taking an answer back brings back the reminder and the answer of before", async () => {
    const { db } = database;
    const [ana = 0, ben = 0, cem = 0] = await receive("Ana", "Ben", "Cem");
    await answerMessages(db, { ids: [ana], now });
    for (const id of [ana, ben]) await remindOfMessage(db, { id, day: "2026-11-22", today });
    const ids = [ana, ben, cem];
    const { before } = await answerMessages(db, { ids, now: later(1) });
    expect(await names({ view: "answered" })).toEqual(["Cem", "Ben", "Ana"]);
    await reopenMessages(db, { ids, before });
    expect(await names({ view: "new" })).toEqual(["Cem"]);
    expect(await listInbox(db, { view: "waiting", limit: 5 })).toMatchObject([
      { id: ben, answeredAt: null, remindOn: "2026-11-22" },
      { id: ana, answeredAt: now.toISOString(), remindOn: "2026-11-22" },
    ]);
  });

  test("a message that waits comes back on its day", async () => {
    const { db } = database;
    const [ana = 0] = await receive("Ana", "Ben");
    await remindOfMessage(db, { id: ana, day: "2026-11-22", today });
    expect(await names({ dueOn: "2026-11-21" })).toEqual([]);
    expect(await names({ dueOn: "2026-11-22" })).toEqual(["Ana"]);
    expect(await names({ exceptIds: [ana] })).toEqual(["Ben"]);
    expect(await names({ dueOn: "2026-12-24" })).toEqual(["Ana"]);
    for (const [day, reason] of [
      ["2026-11-20", "past_day"],
      ["2028-01-01", "too_far"],
      ["2026-02-30", "no_day"],
      ["", "no_day"],
      ["tomorrow", "no_day"],
    ] as const) {
      expect(await remindOfMessage(db, { id: ana, day, today }), day).toMatchObject({ reason });
    }
    const unknown = { id: 99, day: "2026-11-22", today };
    expect(await remindOfMessage(db, unknown)).toMatchObject({ reason: "unknown" });
  });

  test("whoever writes again has replied, and no reminder says otherwise; suspected spam hasn't", async () => {
    const { db } = database;
    const [ana = 0, ben = 0] = await receive("Ana", "Ben");
    await answerMessages(db, { ids: [ana], now });
    for (const id of [ana, ben]) await remindOfMessage(db, { id, day: "2026-11-22", today });
    await sendMessage(db, { email: "ana@example.com" }, { at: now, suspicion: "hidden_field" });
    expect(await names({ view: "waiting" })).toEqual(["Ben", "Ana"]);
    await receive("Ana", "Ben");
    expect(await names({ view: "answered" })).toEqual(["Ana"]);
    // Was put off, and isn't answered by its sender's second message.
    expect(await names({ view: "waiting" })).toEqual(["Ben"]);
  });

  test("a binned message is in no list, count or command but the bin, and comes back as it was", async () => {
    const { db } = database;
    const [ana = 0, ben = 0] = await receive("Ana", "Ben");
    await sendMessage(db, { firstName: "Eve" }, { at: now, suspicion: "hidden_field" });
    const [eve = 0] = (await listInbox(db, { view: "held", limit: 1 })).map(({ id }) => id);
    await answerMessages(db, { ids: [ana], now });
    await remindOfMessage(db, { id: ana, day: "2026-11-22", today });
    expect(await putInBin(db, { ids: [ana, eve], now })).toEqual({ ok: true, count: 2 });
    expect(await names()).toEqual(["Ben"]);
    expect(await names({ view: "bin" })).toEqual(["Eve", "Ana"]);
    expect(await countInbox(db)).toMatchObject({ all: 1, waiting: 0, held: 0, bin: 2 });
    expect((await listMessages(db)).map(({ id }) => id)).toEqual([ben]);
    expect(await findMessage(db, ana)).toBeNull();
    expect(await countQuarantined(db)).toMatchObject({ messages: 0 });
    expect(await releaseMessage({ db, now }, { id: eve })).toMatchObject({
      reason: "unknown_message",
    });
    await takeFromBin(db, { ids: [ana, eve] });
    expect(await names({ view: "waiting" })).toEqual(["Ana"]);
    expect(await names({ view: "held" })).toEqual(["Eve"]);
  });

  test("the bin is emptied after thirty days, with the notes in it", async () => {
    const { db } = database;
    const [ana = 0, ben = 0] = await receive("Ana", "Ben");
    for (const messageId of [ana, ben]) {
      await addNote(db, { messageId, text: "Called.", by: "Dana", now });
    }
    await putInBin(db, { ids: [ana], now });
    expect(await deleteExpired(db, later(29))).toMatchObject({ binned: 0, messages: 0 });
    expect(await deleteExpired(db, later(31))).toMatchObject({ binned: 1, messages: 0 });
    expect(await openMessage(db, ana)).toBeNull();
    const notes = await db.selectFrom("message_notes").select("message_id").execute();
    expect(notes).toEqual([{ message_id: ben }]);
  });

  test("a note says who wrote it and when, is found by its words, and is exported and erased with its person", async () => {
    const { db } = database;
    const [ana = 0] = await receive("Ana", "Ben");
    const note = { messageId: ana, by: "Dana", now };
    expect(await addNote(db, { ...note, text: "  Wants the\r\nBLÜE roof. " })).toEqual({
      ok: true,
    });
    expect(await addNote(db, { ...note, text: "Not this.", now: later(1) })).toEqual({ ok: true });
    expect(await addNote(db, { ...note, text: " \n" })).toMatchObject({ reason: "empty" });
    expect(await addNote(db, { ...note, text: "x".repeat(5_001) })).toMatchObject({
      reason: "too_long",
    });
    expect(await addNote(db, { ...note, messageId: 99, text: "x" })).toMatchObject({
      reason: "unknown",
    });
    const [first, second] = (await openMessage(db, ana))?.notes ?? [];
    expect(first).toMatchObject({
      text: "Wants the\nBLÜE roof.",
      writtenBy: "Dana",
      writtenAt: now.toISOString(),
    });
    const notThis = { id: second?.id ?? 0 };
    await removeNote(db, { ...notThis, messageId: 99 });
    expect((await openMessage(db, ana))?.notes).toHaveLength(2);
    await removeNote(db, { ...notThis, messageId: ana });
    expect(await names({ find: "bluë roof" })).toEqual(["Ana"]);
    const { messages } = await exportMailbox(db, { email: "ana@example.com", now });
    expect(messages).toMatchObject([{ notes: [{ written_by: "Dana" }] }]);
    expect(messages[0]?.notes).toHaveLength(1);
    const deps = { db, newsletterWebhookUrl: null, now: later(1) };
    expect(await eraseMailbox(deps, { email: "Ana@Example.com" })).toMatchObject({ messages: 1 });
    expect(await db.selectFrom("message_notes").selectAll().execute()).toEqual([]);
  });

  test("a page of the list continues where the one before ended, and the others of a person are beside a message", async () => {
    const { db } = database;
    const ids = await receive("Ana", "Ben", "Ana", "Cem");
    const first = await listInbox(db, { limit: 2 });
    const rest = await listInbox(db, { limit: 2, beforeId: first[1]?.id });
    expect([...first, ...rest].map(({ id }) => id)).toEqual(ids.toReversed());
    expect((await openMessage(db, ids[0] ?? 0))?.others.map(({ id }) => id)).toEqual([ids[2]]);
  });

  // Field report E-I.
  test("a message is found by its words with or without capitals and accents, in any alphabet", async () => {
    const written = ["Étienne", "e\u0301lodie", "Łukasz", "ЕЛЕНА", "Οδυσσέας", "Bob_100%"];
    for (const firstName of written) {
      await sendMessage(database.db, { firstName, message: "Ça va" }, { at: now });
    }
    for (const [find, name] of [
      ["étienne", written[0]],
      ["ETIENNE SOUZA", written[0]],
      ["Élodie", written[1]],
      ["łuk", written[2]],
      ["елена", written[3]],
      ["ΟΔΥΣΣΕΑΣ", written[4]],
      ["b_1", written[5]],
      ["0%", written[5]],
    ] as const) {
      expect(await names({ find }), find).toEqual([name]);
    }
    expect(await names({ find: "ÇA" })).toHaveLength(written.length);
    expect(await names({ find: "ça_va" })).toEqual([]);
  });

  test("saved replies are made, changed, removed, and filled with a first name", async () => {
    const { db } = database;
    const text = "Hello {first name},\n\n$& yes, {first name}.";
    expect(await saveReply(db, { name: " Yes ", text })).toEqual({ ok: true });
    expect(await saveReply(db, { name: "A no", text: "No." })).toEqual({ ok: true });
    const [no, yes] = await listSavedReplies(db);
    expect([no?.name, yes?.name]).toEqual(["A no", "Yes"]);
    expect(fillReply(yes?.text ?? "", { firstName: "$1 Ana" })).toBe(
      "Hello $1 Ana,\n\n$& yes, $1 Ana.",
    );
    expect(await saveReply(db, { id: no?.id, name: "No", text: "Sorry." })).toEqual({ ok: true });
    await removeSavedReply(db, { id: yes?.id ?? 0 });
    expect(await listSavedReplies(db)).toEqual([{ id: no?.id, name: "No", text: "Sorry." }]);
    for (const [reply, reason] of [
      [{ name: "", text }, "empty"],
      [{ name: "x", text: "  " }, "empty"],
      [{ name: "x", text: "x".repeat(5_001) }, "too_long"],
      [{ id: 99, name: "x", text }, "unknown"],
    ] as const) {
      expect(await saveReply(db, reply)).toMatchObject({ reason });
    }
  });
});
