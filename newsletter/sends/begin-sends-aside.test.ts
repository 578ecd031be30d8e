import { expect, test, vi } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { queueTestSend } from "#tests/sends/queue-test-send.ts";
import { addReaders } from "#tests/sends/readers.ts";
import { beginSendsAside, shortListMax } from "./begin-sends-aside.ts";
import { findSend } from "./find-send.ts";

describeOnEachDatabase("sends that are due", (database) => {
  test("begin for a long list, with a row for each reader, and none of it in this thread on SQLite", async () => {
    const { db, open } = database;
    await addReaders(db, shortListMax + 1);
    const now = new Date();
    const id = await queueTestSend(db, { beginsAt: now });
    const here = vi.spyOn(db, "transaction");
    const begun = await beginSendsAside(open, now);
    if (open.kind === "sqlite") expect(here).not.toHaveBeenCalled();
    here.mockRestore();
    expect(begun).toEqual([{ id, issueId: 1, readers: shortListMax + 1 }]);
    const found = await findSend(db, id);
    expect(found.ok && found.send.counts.waiting).toBe(shortListMax + 1);
    expect(await beginSendsAside(open, now)).toEqual([]);
  });

  test("begin for a short list", async () => {
    const { db, open } = database;
    await addReaders(db, 3);
    const id = await queueTestSend(db);
    expect(await beginSendsAside(open, new Date())).toEqual([{ id, issueId: 1, readers: 3 }]);
  });

  if (database.kind === "sqlite") {
    test("stay due where the thread can't do its work", async () => {
      const { db, open } = database;
      await addReaders(db, shortListMax + 1);
      const id = await queueTestSend(db);
      const elsewhere = { ...open, location: "/dev/null/chalkline.sqlite" };
      await expect(beginSendsAside(elsewhere, new Date())).rejects.toThrow();
      expect(await beginSendsAside(open, new Date())).toMatchObject([{ id }]);
    });
  }
});
