import { expect, test } from "vitest";
import { contactMessage } from "#tests/contact-message.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { listMessages, releaseMessage, submitMessage } from "./messages.ts";
import { countHeld } from "./quarantine.ts";

const start = Date.parse("2026-11-21T14:00:00.000Z");
const hourMs = 60 * 60_000;
const message = { ...contactMessage, message: "Hello,\nwe have 3 vans. 🛠" };

describeOnEachDatabase("a message that looks like spam", (database) => {
  const deps = (afterMs = 0) => ({
    db: database.db,
    wakeOutbox: () => {},
    clock: () => new Date(start + afterMs),
  });
  const outbox = () => database.db.selectFrom("outbox").selectAll().orderBy("id").execute();
  const sendHeld = (afterMs = 0, key: string | null = null) =>
    submitMessage(deps(afterMs), message, {
      idempotencyKey: key,
      clientAddress: null,
      suspicion: "hidden_field",
    });
  const release = (id: number, afterMs = 0) =>
    releaseMessage({ db: database.db, now: new Date(start + afterMs) }, { id });
  const notes = async () =>
    (await outbox())
      .filter(({ kind }) => kind === "held-email")
      .map((row) => (Date.parse(row.next_attempt_at) - start) / hourMs);

  test("is kept with every word and marked, and is not mailed", async () => {
    expect(await sendHeld()).toEqual({ ok: true, repeated: false });
    const [kept] = await listMessages(database.db, { held: true });
    expect(kept).toMatchObject({
      ...message,
      heldAt: "2026-11-21T14:00:00.000Z",
      heldReason: "hidden_field",
      releasedAt: null,
    });
    expect((await outbox()).map(({ kind }) => kind)).toEqual(["held-email"]);
    expect(await countHeld(database.db)).toEqual({ messages: 1, signUps: 0 });
  });

  test("is mailed to the firm when it is released, once, with the time of its arrival", async () => {
    await sendHeld();
    const id = (await listMessages(database.db))[0]?.id ?? 0;
    const releases = await Promise.all([release(id, hourMs), release(id, hourMs)]);
    expect(releases.filter(({ ok }) => ok)).toHaveLength(1);
    expect(releases.find(({ ok }) => !ok)).toEqual({ ok: false, reason: "not_held" });
    const mail = (await outbox()).find(({ kind }) => kind === "contact-email");
    expect(JSON.parse(mail?.payload ?? "")).toEqual({
      ...message,
      messageId: id,
      receivedAt: "2026-11-21T14:00:00.000Z",
    });
    expect(await listMessages(database.db)).toMatchObject([
      { heldAt: null, heldReason: "hidden_field", releasedAt: "2026-11-21T15:00:00.000Z" },
    ]);
    expect(await listMessages(database.db, { held: true })).toEqual([]);
    expect(await release(id + 1)).toEqual({ ok: false, reason: "unknown_message" });
  });

  test("is noted to the firm at once, and what follows within a day by one note at its end", async () => {
    await Promise.all([sendHeld(), sendHeld(), sendHeld()]);
    expect(await notes()).toEqual([0]);
    for (const hours of [1, 5, 23]) await sendHeld(hours * hourMs);
    expect(await notes()).toEqual([0, 24]);
    await sendHeld(25 * hourMs);
    expect(await notes()).toEqual([0, 24, 48]);
    await sendHeld(100 * hourMs);
    expect(await notes()).toEqual([0, 24, 48, 100]);
  });

  test("stays unreleased where its mail can't be written down", async () => {
    await sendHeld();
    const id = (await listMessages(database.db))[0]?.id ?? 0;
    await database.db.schema.alterTable("outbox").renameTo("outbox_away").execute();
    await expect(release(id)).rejects.toThrow();
    expect(await countHeld(database.db)).toMatchObject({ messages: 1 });
  });
});
