import { expect, test } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { queueTestSend } from "#tests/sends/queue-test-send.ts";
import { addReaders, readerAddress } from "#tests/sends/readers.ts";
import { unsubscribe } from "../unsubscribe.ts";
import { beginDueSends } from "./begin-sends.ts";
import { withdrawLeftOvers } from "./end-sends.ts";
import { countReaders, findSend, listSendRows } from "./find-send.ts";
import { cancelSend } from "./steer-send.ts";

describeOnEachDatabase("an issue whose send was cancelled half-way", (database) => {
  test("goes to those whose mail was never tried, once, and to nobody else", async () => {
    const { db } = database;
    await addReaders(db, 6);
    const now = new Date();
    const cancelled = await queueTestSend(db);
    await beginDueSends(database.open, now);
    const rows = await listSendRows(db, { sendId: cancelled });
    const tried = ["accepted", "deferred", "handed_over"] as const;
    for (const [index, state] of tried.entries()) {
      await db
        .updateTable("send_rows")
        .set({ state, attempts: 1, settled_at: state === "accepted" ? now.toISOString() : null })
        .where("id", "=", rows[index]?.id ?? 0)
        .execute();
    }
    expect(await cancelSend(db, { id: cancelled, now })).toMatchObject({ withdrawn: 4 });
    // Nobody can say whether that one has arrived.
    await withdrawLeftOvers(db, now);
    const deps = { db, newsletterWebhookUrl: null, wakeOutbox() {} };
    await unsubscribe(deps, { email: readerAddress(5) });
    await addReaders(db, 1, 6);

    expect(await countReaders(db, 1)).toEqual({ confirmed: 6, withoutIssue: 3 });
    const second = await queueTestSend(db, { audience: "new", beginsAt: now });
    expect(await beginDueSends(database.open, now)).toMatchObject([{ id: second, readers: 3 }]);
    const taken = await listSendRows(db, { sendId: second });
    expect(taken.map(({ email }) => email).sort()).toEqual([3, 4, 6].map(readerAddress));
    expect(taken.every(({ settledAt, answer }) => settledAt === null && answer === null)).toBe(
      true,
    );
    expect(await findSend(db, cancelled)).toMatchObject({
      send: { counts: { accepted: 1, withdrawn: 3 } },
    });
    expect(await countReaders(db, 1)).toEqual({ confirmed: 6, withoutIssue: 0 });
  });
});
