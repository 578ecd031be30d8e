import { expect, test } from "vitest";
import { contactMessage } from "#tests/contact-message.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { listMessages, releaseMessage, submitMessage } from "./messages.ts";

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

  test.each([
    ["edited words", { ...message, message: "Hello again" }, once],
    ["words moved between fields", { ...message, firstName: "AnaS", lastName: "ouza" }, once],
    ["another key after more than an hour", message, { ...once, idempotencyKey: "form-2" }, 1.01],
    ["no key", message, { ...once, idempotencyKey: null }],
  ])("a form with %s is a second message", async (_what, second, sender, hours = 0) => {
    await submit();
    expect(await submit(second, sender, hours)).toEqual({ ok: true, repeated: false });
    expect(await listMessages(database.db)).toHaveLength(2);
  });

  test.each([
    ["of a new page within the hour", "form-2", 0.9],
    ["of its own a week later", "form-1", 168],
  ])("the same words under the key %s are no second message", async (_what, key, hours) => {
    const again = { ...once, idempotencyKey: key };
    await submit();
    expect(await submit(message, again, hours)).toEqual({ ok: true, repeated: true });
    expect(await outbox()).toHaveLength(1);
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
    expect(releases.toSorted()).toEqual([false, true]);
    const mails = (await outbox()).filter(({ kind }) => kind === "contact-email");
    expect(mails.map(({ payload }) => JSON.parse(payload))).toMatchObject([
      { ...message, receivedAt: "2026-11-21T14:00:00.000Z" },
    ]);
    expect(await listMessages(database.db)).toMatchObject([
      { heldAt: null, heldReason: "hidden_field", releasedAt: "2026-11-21T15:00:00.000Z" },
    ]);
    expect(await release(id + 1)).toBe(false);
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
