import { setImmediate as nextRound } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { queueTestSend } from "#tests/sends/queue-test-send.ts";
import { addReaders } from "#tests/sends/readers.ts";
import { createAcceptBatcher } from "./accept-rows.ts";
import { createAllowance } from "./allowance.ts";
import { beginDueSends } from "./begin-sends.ts";
import { findSend } from "./find-send.ts";
import { handOver } from "./hand-over.ts";
import { createSendSpeed } from "./send-speed.ts";

/** More than anything gathers for that waits for nobody. */
const roundsOfOneGo = 8;

describeOnEachDatabase("a send's commits", (database) => {
  test("the pace is asked for a quarter of a second's mails at a time", async () => {
    const { db } = database;
    const allowance = createAllowance(createSendSpeed(100));
    const begunAt = Date.parse("2026-11-23T10:00:00.000Z");
    const readAt = async (ms: number) => {
      const now = new Date(begunAt + ms);
      const { allowed, nextAt } = await db.transaction().execute((trx) => allowance.read(trx, now));
      allowance.spend(allowed);
      return { allowed, waitMs: nextAt ? nextAt.getTime() - now.getTime() : null };
    };
    // A second's mails at once, as after a quiet time.
    for (let hand = 0; hand < 4; hand += 1) {
      expect(await readAt(0)).toEqual({ allowed: 25, waitMs: null });
    }
    expect(await readAt(10)).toEqual({ allowed: 0, waitMs: 240 });
    expect(await readAt(250)).toEqual({ allowed: 25, waitMs: null });
  });

  test("what is taken waits for what is under way beside it, and is written down in one go", async () => {
    const { db, open } = database;
    await addReaders(db, 3);
    const sendId = await queueTestSend(db);
    const now = new Date();
    await beginDueSends(open, now);
    const speed = createSendSpeed(1);
    const { mails } = await handOver(db, {
      sendId,
      limit: 3,
      claimant: "test",
      now,
      leaseMs: 60_000,
      allowance: createAllowance(createSendSpeed(1_000_000)),
      putOffUntil: () => null,
    });
    expect(mails).toHaveLength(3);
    const options = { clock: () => now, semaphore: { inUse: () => 3 }, connections: 3, speed };
    const accept = createAcceptBatcher(db, options);
    const begun = vi.spyOn(db, open.kind === "postgres" ? "updateTable" : "transaction");
    const [last, ...first] = mails.map((mail) => () => accept(mail));
    // Without the clock that ends the wait: on a busy machine it would within these rounds.
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const accepted = first.map((acceptOne) => acceptOne());
    for (let round = 0; round < roundsOfOneGo; round += 1) await nextRound();
    vi.useRealTimers();
    expect(begun).not.toHaveBeenCalled();
    await Promise.all([...accepted, last?.()]);
    expect(begun).toHaveBeenCalledTimes(1);
    begun.mockRestore();
    const found = await findSend(db, sendId);
    expect(found.ok && found.send.counts.accepted).toBe(3);
  });
});
