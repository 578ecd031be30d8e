import { expect, test } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { queueTestSend } from "#tests/sends/queue-test-send.ts";
import { addReaders, readerAddress } from "#tests/sends/readers.ts";
import { unsubscribe } from "../leave.ts";
import { beginDueSends } from "./begin-sends.ts";
import {
  cancelSend,
  countAudience,
  findSend,
  listSendRows,
  withdrawLeftOvers,
} from "./steer-send.ts";

describeOnEachDatabase("an issue whose send was cancelled half-way", (database) => {
  test("goes to all who have not got it, once, and under the Message-ID that was tried", async () => {
    const { db } = database;
    await addReaders(db, 6);
    const now = new Date();
    const cancelled = await queueTestSend(db, { beginsAt: now });
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
    const deps = { db, newsletterWebhookUrl: null, wakeOutbox() {} };
    await unsubscribe(deps, { email: readerAddress(5) });
    await addReaders(db, 1, 6);

    expect(await countAudience(db, 1)).toEqual({ confirmed: 6, withoutIssue: 4 });
    const second = await queueTestSend(db, { audience: "new", beginsAt: now });
    // Nobody can say whether the one under way has arrived, so it is waited for.
    expect(await beginDueSends(database.open, now)).toEqual([]);
    await withdrawLeftOvers(db, now);
    expect(await countAudience(db, 1)).toEqual({ confirmed: 6, withoutIssue: 5 });
    expect(await beginDueSends(database.open, now)).toMatchObject([{ id: second, recipients: 5 }]);
    const taken = await listSendRows(db, { sendId: second });
    expect(taken.map(({ email }) => email).sort()).toEqual([1, 2, 3, 4, 6].map(readerAddress));
    const before = new Map(rows.map(({ email, messageId }) => [email, messageId]));
    for (const { email, messageId, attempts } of taken.filter((row) => before.has(row.email))) {
      expect([messageId, attempts]).toEqual([before.get(email), 0]);
    }
    // A third send keeps it too.
    await cancelSend(db, { id: second, now });
    const third = await queueTestSend(db, { audience: "new", beginsAt: now });
    await beginDueSends(database.open, now);
    const again = await listSendRows(db, { sendId: third });
    const ids = (list: typeof again) => list.map(({ messageId }) => messageId).sort();
    expect(ids(again)).toEqual(ids(taken));
    expect(taken.every(({ settledAt, answer }) => settledAt === null && answer === null)).toBe(
      true,
    );
    expect(await findSend(db, cancelled)).toMatchObject({
      send: { counts: { accepted: 1, withdrawn: 1 } },
    });
    expect(await countAudience(db, 1)).toEqual({ confirmed: 6, withoutIssue: 0 });
  });
});
