import { expect, test } from "vitest";
import { contactMessage } from "#tests/contact-message.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { listMessages } from "#tests/list-messages.ts";
import { sendMessage } from "#tests/visitors.ts";
import {
  countInbox,
  eraseHeldMessages,
  eraseMessage,
  type InboxView,
  listInbox,
  markMessage,
  openMessage,
  releaseMessage,
  submitMessage,
} from "./messages.ts";

const start = Date.parse("2026-11-21T14:00:00.000Z");
const hourMs = 60 * 60_000;
const message = {
  ...contactMessage,
  phone: "+1 416 555 0199",
  message: "Hello,\nwe have 3 vans. 🛠",
};
const once = { idempotencyKey: "form-1", clientAddress: "203.0.113.9" };

describeOnEachDatabase("contact messages", (database) => {
  const submit = (
    words = message,
    sender: Parameters<typeof submitMessage>[2] = once,
    hours = 0,
  ) => {
    const clock = () => new Date(start + hours * hourMs);
    return submitMessage({ db: database.db, wakeOutbox() {}, clock }, words, sender);
  };
  const suspected = {
    idempotencyKey: null,
    clientAddress: null,
    suspicion: "hidden_field",
  } as const;
  const release = (id: number) =>
    releaseMessage({ db: database.db, now: new Date(start + hourMs) }, { id });
  const outbox = () => database.db.selectFrom("outbox").selectAll().orderBy("id").execute();

  test("a message is stored with every word, and so is the mail to the firm", async () => {
    expect(await submit()).toEqual({ ok: true, repeated: false });
    const [stored, ...others] = await listMessages(database.db);
    expect(others).toEqual([]);
    expect(stored).toMatchObject({
      ...message,
      senderAddress: "203.0.113.9",
      receivedAt: "2026-11-21T14:00:00.000Z",
      heldAt: null,
    });
    const [mail] = await outbox();
    expect(mail?.kind).toBe("contact-email");
    expect(JSON.parse(mail?.payload ?? "")).toEqual({
      ...message,
      messageId: stored?.id,
      receivedAt: "2026-11-21T14:00:00.000Z",
    });
  });

  test("other words, another key after an hour, or no key make a second message; the same words within the hour don't", async () => {
    await submit();
    const again = { ...once, idempotencyKey: "form-2" };
    expect(await submit(message, again, 0.9)).toEqual({ ok: true, repeated: true });
    expect(await submit(message, once, 168)).toEqual({ ok: true, repeated: true });
    expect(await outbox()).toHaveLength(1);
    const others = [
      await submit({ ...message, message: "Hello again" }),
      await submit({ ...message, firstName: "AnaS", lastName: "ouza" }),
      await submit(message, again, 1.01),
      await submit(message, { ...once, idempotencyKey: null }),
    ];
    expect(others.map(({ repeated }) => repeated)).toEqual([false, false, false, false]);
    expect(await listMessages(database.db)).toHaveLength(5);
  });

  test("a form that its page and its script post at once is one message", async () => {
    const keys = ["form-1", "form-2", "form-1", "form-3"];
    await Promise.all(keys.map((idempotencyKey) => submit(message, { ...once, idempotencyKey })));
    expect(await listMessages(database.db)).toHaveLength(1);
  });

  test("a quarantined message is mailed once it is released, with the time of its arrival", async () => {
    await submit(message, suspected);
    const [{ id } = { id: 0 }] = await listMessages(database.db);
    const releases = await Promise.all([release(id), release(id)]);
    expect(releases.map(({ ok }) => ok).toSorted()).toEqual([false, true]);
    const mails = (await outbox()).filter(({ kind }) => kind === "contact-email");
    expect(mails.map(({ payload }) => JSON.parse(payload))).toMatchObject([
      { ...message, receivedAt: "2026-11-21T14:00:00.000Z" },
    ]);
    expect(await listMessages(database.db)).toMatchObject([
      { heldAt: null, heldReason: "hidden_field", releasedAt: "2026-11-21T15:00:00.000Z" },
    ]);
  });

  test("the operator hears of the first quarantined message at once, and of a day's others in one note", async () => {
    const notes = async () =>
      (await outbox()).map((row) => (Date.parse(row.next_attempt_at) - start) / hourMs);
    await Promise.all([1, 2, 3].map(() => submit(message, suspected)));
    expect(await notes()).toEqual([0]);
    for (const hours of [1, 5, 23]) await submit(message, suspected, hours);
    expect(await notes()).toEqual([0, 24]);
    for (const hours of [25, 100]) await submit(message, suspected, hours);
    expect(await notes()).toEqual([0, 24, 48, 100]);
  });

  test("a message isn't stored or released where its mail can't be stored", async () => {
    await submit(message, suspected);
    const [{ id } = { id: 0 }] = await listMessages(database.db);
    await database.db.schema.alterTable("outbox").renameTo("outbox_away").execute();
    await expect(release(id)).rejects.toThrow();
    await expect(submit()).rejects.toThrow();
    expect(await listMessages(database.db)).toMatchObject([{ heldAt: expect.any(String) }]);
  });
});

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

  test("a message is new until it is answered or its later day comes, and an answer can be taken back", async () => {
    const { db } = database;
    const [ana = 0, ben = 0, cem = 0, dee = 0] = await receive("Ana", "Ben", "Cem", "Dee");
    await sendMessage(db, { firstName: "Eve" }, { at: now, suspicion: "hidden_field" });
    expect(await names("new")).toEqual(["Dee", "Cem", "Ben", "Ana"]);
    await markMessage(db, ana, { answered_at: now.toISOString() });
    await markMessage(db, ben, { later_until: "2026-11-21" });
    await markMessage(db, cem, { later_until: "2026-11-27" });
    expect(await names("new")).toEqual(["Dee"]);
    expect(await names("later")).toEqual(["Cem", "Ben"]);
    expect(await names("answered")).toEqual(["Ana"]);
    expect(await names("held")).toEqual(["Eve"]);
    expect(await countInbox(db, today)).toEqual({ all: 5, new: 1, later: 2, answered: 1, held: 1 });
    expect(await names("new", { day: "2026-11-21" })).toEqual(["Dee", "Ben"]);
    expect(await names("later", { day: "2026-11-27" })).toEqual([]);

    await markMessage(db, ben, { answered_at: now.toISOString() });
    expect(await names("answered")).toEqual(["Ben", "Ana"]);
    await markMessage(db, ben, { answered_at: null });
    expect(await names("later")).toEqual(["Cem", "Ben"]);
    expect(await names("answered")).toEqual(["Ana"]);
    expect(await eraseHeldMessages(db, { upToId: dee })).toBe(0);
    expect(await eraseHeldMessages(db, { upToId: dee + 1 })).toBe(1);
    expect(await names("all")).toEqual(["Dee", "Cem", "Ben", "Ana"]);
    await eraseMessage(db, dee);
    expect(await openMessage(db, dee)).toBeUndefined();
  });

  test("a list goes on where its page ended", async () => {
    const { db } = database;
    const ids = await receive("Ana", "Ben", "Ana", "Cem");
    const first = await listInbox(db, { today, limit: 2 });
    const rest = await listInbox(db, { today, limit: 2, beforeId: first[1]?.id });
    expect([...first, ...rest].map(({ id }) => id)).toEqual(ids.toReversed());
  });

  test("a message is found by its words, whatever their capitals, accents, alphabet and apostrophes", async () => {
    const written = ["Étienne", "e\u0301lodie", "Łukasz", "ЕЛЕНА", "Οδυσσέας", "Bob_100%"];
    for (const firstName of written) {
      await sendMessage(database.db, { firstName, message: "Ça va" }, { at: now });
    }
    const words = "Straße, Đorđe, Søren, d’Arcy";
    await sendMessage(database.db, { firstName: "Jo", message: words }, { at: now });
    for (const [find, name] of [
      ["étienne", written[0]],
      ["SOUZA  etienne", written[0]],
      ["Élodie", written[1]],
      ["lukasz", written[2]],
      ["ŁUK", written[2]],
      ["елена", written[3]],
      ["ΟΔΥΣΣΕΑΣ", written[4]],
      ["b_1", written[5]],
      ["0%", written[5]],
      ["strasse dorde SOREN d'arcy", "Jo"],
    ] as const) {
      expect(await names("all", { find }), find).toEqual([name]);
    }
    expect(await names("all", { find: "ÇA" })).toHaveLength(written.length);
    expect(await names("all", { find: "ça_va" })).toEqual([]);
  });
});
