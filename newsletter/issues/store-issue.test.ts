import { expect, test } from "vitest";
import type { Db } from "#db/tables.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { beginTestSends, queueTestSend } from "#tests/sends/queue-test-send.ts";
import { addSubscribers } from "#tests/sends/subscribers.ts";
import { untilBlocked } from "#tests/until-blocked.ts";
import { cancelSend, listSends, pauseSend } from "../sends/sends.ts";
import { correctionOf, lockDraft } from "./drafts.ts";
import { findIssue, fingerprintOf, listIssues, lockIssue } from "./issues.ts";
import { correctIssue, publishIssue, removeIssue } from "./store-issue.ts";

const now = new Date("2026-11-20T15:00:00.000Z");
const nextYear = new Date("2027-11-20T15:00:00.000Z");
const words = { title: "Piers", html: "<p>Below the frost.</p>", publishDate: "2026-11-20" };

/** A draft that says what the issue said takes the issue's words when it is opened. */
async function changeIssueElsewhere(db: Db, id: number) {
  await db
    .updateTable("final_newsletters")
    .set({ title: "Elsewhere" })
    .where("id", "=", id)
    .execute();
}

describeOnEachDatabase("the operator's issues", (database) => {
  const publish = () => publishIssue(database.db, { words, pictures: [], now });

  test("a second issue of the same title is published and said to be one", async () => {
    expect(await publish()).toEqual({ id: 1, number: 1, sameTitle: null });
    expect(await publish()).toEqual({ id: 2, number: 2, sameTitle: 1 });
  });

  test("a correction keeps what it doesn't say, and doesn't overwrite one made meanwhile", async () => {
    const { db } = database;
    const { id } = await publish();
    const change = { id, from: fingerprintOf(words), words: { title: "Piers, mended" } };
    expect(await correctIssue(db, { ...change, pictures: [], now })).toEqual({ ok: true });
    expect(await correctIssue(db, { ...change, pictures: [], now })).toEqual({
      ok: false,
      reason: "changed_meanwhile",
    });
    expect(await findIssue(db, id)).toMatchObject({ ...words, title: "Piers, mended" });
  });

  test.each(["0026-11-20", "1989-12-31", "2026-02-30"])("none has the date %s", async (day) => {
    const dated = { words: { ...words, publishDate: day }, pictures: [], now };
    await expect(publishIssue(database.db, dated)).rejects.toThrow(RangeError);
    expect(await listIssues(database.db)).toEqual([]);
  });

  test.each([
    ["removed", (db: Db, id: number) => removeIssue(db, { id, now })],
    ["opened again", (db: Db, issueId: number) => correctionOf(db, { issueId, now })],
  ])("one that is %s while its correction is published waits for it", async (_, meanwhile) => {
    const { db } = database;
    const { id } = await publish();
    const draftId = (await correctionOf(db, { issueId: id, now })) ?? 0;
    await changeIssueElsewhere(db, id);
    const other = await database.connect();
    let done: Promise<unknown> | undefined;
    await db.transaction().execute(async (trx) => {
      await lockDraft(trx, draftId);
      done = meanwhile(other.db, id);
      if (database.kind === "postgres") await untilBlocked(trx);
      await lockIssue(trx, id);
    });
    await expect(done).resolves.toBeTruthy();
  });

  test("the removal of an issue cancels its planned send, paused or not", async () => {
    const { db } = database;
    for (const isPaused of [false, true]) {
      const { id } = await publish();
      const send = await queueTestSend(db, { issueId: id, beginsAt: nextYear });
      if (isPaused) await pauseSend(db, { id: send });
      expect(await removeIssue(db, { id, now })).toEqual({ ok: true, cancelledSend: send });
      expect(await listSends(db, { issueId: id })).toMatchObject([{ state: "cancelled" }]);
      expect(await removeIssue(db, { id, now })).toEqual({ ok: false, reason: "unknown_issue" });
    }
  });

  test("an issue can't be removed while a send of it is under way", async () => {
    const { db } = database;
    await addSubscribers(db, 1);
    const { id } = await publish();
    const send = await queueTestSend(db, { issueId: id });
    await beginTestSends(database.open);
    const refused = { ok: false, reason: "send_under_way", sendId: send };
    expect(await removeIssue(db, { id, now })).toEqual(refused);
    await pauseSend(db, { id: send });
    expect(await removeIssue(db, { id, now })).toEqual(refused);
    expect(await findIssue(db, id)).toMatchObject(words);
    await cancelSend(db, { id: send, now });
    expect(await removeIssue(db, { id, now })).toEqual({ ok: true, cancelledSend: null });
  });
});
