import { expect, test } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { beginTestSends, queueTestSend } from "#tests/sends/queue-test-send.ts";
import { addSubscribers } from "#tests/sends/subscribers.ts";
import { cancelSend, steerSend } from "../sends/sends.ts";
import { removeIssue } from "./bin.ts";
import { importIssues } from "./import-issues.ts";
import {
  correctIssue,
  findIssue,
  fingerprintOf,
  listIssues,
  publishIssue,
  seedStarterIssues,
} from "./issues.ts";

const now = new Date("2026-11-20T15:00:00.000Z");
const words = { title: "Piers", html: "<p>Below the frost.</p>", publishDate: "2026-11-20" };

describeOnEachDatabase("the newsletter's issues", (database) => {
  const publish = () => publishIssue(database.db, { words, pictures: [], now });
  const remove = (id: number) => removeIssue(database.db, { id, now });

  test("never get the id of a removed newest one, and say where another has their title", async () => {
    const { db } = database;
    expect(await publish()).toEqual({ id: 1, number: 1, sameTitle: null });
    expect(await publish()).toEqual({ id: 2, number: 2, sameTitle: 1 });
    await remove(2);
    expect(await findIssue(db, 2)).toBeUndefined();
    expect((await publish()).id).toBeGreaterThan(2);
    await importIssues(db, [{ id: 10, ...words }]);
    await remove(10);
    await importIssues(db, [{ id: 5, ...words }]);
    expect(await publish()).toMatchObject({ id: 11, number: 4 });
  });

  test("keep what a correction doesn't say, and aren't overwritten by one that was made before another", async () => {
    const { db } = database;
    const { id } = await publish();
    const change = { id, from: fingerprintOf(words), words: { title: "Piers, mended" } };
    expect(await correctIssue(db, { ...change, pictures: [], now })).toEqual({ ok: true });
    expect(await correctIssue(db, { ...change, pictures: [], now })).toEqual({
      ok: false,
      problem: expect.stringContaining("changed meanwhile"),
    });
    expect(await findIssue(db, id)).toMatchObject({ ...words, title: "Piers, mended" });
  });

  test("can't be removed while a send of one is under way", async () => {
    const { db } = database;
    await addSubscribers(db, 1);
    const { id } = await publish();
    const send = await queueTestSend(db, { issueId: id });
    await beginTestSends(database.open);
    const refused = { ok: false, problem: expect.stringContaining(`Send ${send} of it has begun`) };
    expect(await remove(id)).toEqual(refused);
    await steerSend({ db, now: new Date() }, send, { deed: "pause" });
    expect(await remove(id)).toEqual(refused);
    expect(await findIssue(db, id)).toMatchObject(words);
    await cancelSend(db, { id: send, now });
    expect(await remove(id)).toEqual({ ok: true, cancelledSend: null });
  });

  test("begin with the starter issues in order, once, and removed ones stay away", async () => {
    const { db } = database;
    const starters = ["First", "Second", "Third"].map((title) => ({ ...words, title }));
    const other = await database.connect();
    const seeded = [db, other.db].map((one) => seedStarterIssues(one, starters, now));
    expect((await Promise.all(seeded)).toSorted()).toEqual([0, 3]);
    const titles = async () => (await listIssues(db)).map(({ title }) => title);
    expect(await titles()).toEqual(["Third", "Second", "First"]);
    for (const { id } of await listIssues(db)) await remove(id);
    expect(await seedStarterIssues(db, starters, now)).toBe(0);
    expect(await titles()).toEqual([]);
  });
});
