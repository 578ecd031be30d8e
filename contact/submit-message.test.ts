import { expect, test } from "vitest";
import { contactMessage } from "#tests/contact-message.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { findMessage, listMessages, submitMessage } from "./messages.ts";

const message = {
  ...contactMessage,
  company: "Souza Plumbing",
  phone: "+1 416 555 0199",
  subject: "pricing-information",
  message: "Hello,\nwe have 3 vans. 🛠",
};
const once = { idempotencyKey: "form-1", clientAddress: "203.0.113.9" };

describeOnEachDatabase("submitting a contact message", (database) => {
  const deps = () => ({
    db: database.db,
    wakeOutbox: () => {},
    clock: () => new Date("2026-11-21T14:05:09.123Z"),
  });
  const outbox = () => database.db.selectFrom("outbox").selectAll().execute();

  test("keeps every word, and writes the mail to the firm with it", async () => {
    expect(await submitMessage(deps(), message, once)).toEqual({ ok: true, repeated: false });
    const [stored] = await listMessages(database.db);
    expect(stored).toEqual({
      ...message,
      id: expect.any(Number),
      senderAddress: "203.0.113.9",
      receivedAt: "2026-11-21T14:05:09.123Z",
      heldAt: null,
      heldReason: null,
      releasedAt: null,
    });
    const rows = await outbox();
    expect(rows.map((row) => [row.kind, JSON.parse(row.payload)])).toEqual([
      [
        "contact-email",
        { ...message, messageId: stored?.id, receivedAt: "2026-11-21T14:05:09.123Z" },
      ],
    ]);
  });

  test("the same key and words at the same moment make one message and one mail", async () => {
    const results = await Promise.all(
      Array.from({ length: 20 }, () => submitMessage(deps(), message, once)),
    );
    expect(results.filter((result) => !result.repeated)).toHaveLength(1);
    expect(await listMessages(database.db)).toHaveLength(1);
    expect(await outbox()).toHaveLength(1);
  });

  test.each([
    ["edited words", { ...message, message: "Hello again" }, once],
    ["words moved between fields", { ...message, firstName: "AnaS", lastName: "ouza" }, once],
    ["another key", message, { ...once, idempotencyKey: "form-2" }],
    ["no key", message, { ...once, idempotencyKey: null }],
  ])("%s make a second message", async (_what, second, sender) => {
    await submitMessage(deps(), message, once);
    expect(await submitMessage(deps(), second, sender)).toEqual({ ok: true, repeated: false });
    expect(await listMessages(database.db)).toHaveLength(2);
  });

  test("keeps no message whose mail can't be written down", async () => {
    await database.db.schema.alterTable("outbox").renameTo("outbox_away").execute();
    await expect(submitMessage(deps(), message, once)).rejects.toThrow();
    expect(await listMessages(database.db)).toEqual([]);
  });

  test("is found by its id, and listed newest first, page by page", async () => {
    for (const firstName of ["A", "B", "C"]) {
      await submitMessage(deps(), { ...message, firstName }, { ...once, clientAddress: null });
    }
    const first = await listMessages(database.db, { limit: 2 });
    const rest = await listMessages(database.db, { limit: 2, beforeId: first[1]?.id });
    expect([...first, ...rest].map((one) => one.firstName)).toEqual(["C", "B", "A"]);
    const id = first[0]?.id ?? 0;
    expect(await findMessage(database.db, { id })).toEqual({ ok: true, message: first[0] });
    expect(await findMessage(database.db, { id: id + 1 })).toEqual({
      ok: false,
      reason: "unknown_message",
    });
  });
});
