import { expect, test } from "vitest";
import { keepDraftPicture, picturePath } from "#db/pictures.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { deleteExpired } from "../subscribers/retention.ts";
import { putDraftInBin } from "./bin.ts";
import type { DraftWords } from "./draft.ts";
import {
  correctionOf,
  createDraft,
  findDraft,
  listDrafts,
  publishDraft,
  saveDraft,
} from "./drafts.ts";
import { deleteIssue, findIssue, listIssues } from "./issues.ts";

const now = new Date("2026-11-20T15:00:00.000Z");
const weekLater = new Date("2026-11-27T15:00:00.000Z");
const monthsLater = new Date("2027-02-20T15:00:00.000Z");

const words: DraftWords = {
  title: "Piers",
  preheader: "",
  body: "<p>Below the <em>frost</em>.</p>",
};

describeOnEachDatabase("drafts", (database) => {
  const publish = (id: number, version: number, at = now) =>
    database.db.transaction().execute((trx) => publishDraft(trx, { id, version, now: at }));

  async function published(typed = words): Promise<{ id: number; issueId: number }> {
    const id = await createDraft(database.db, { now, ...typed });
    const done = await publish(id, 1);
    if (!done.ok) throw new Error(done.problem);
    return { id, issueId: done.issueId };
  }

  async function save(id: number, version: number, changed: Partial<DraftWords>) {
    const draft = await findDraft(database.db, id);
    if (!draft) throw new Error("There is no such draft.");
    const { title, preheader, body } = { ...draft, ...changed };
    const typed = { title, preheader, body };
    return await saveDraft(database.db, { id, version, now: weekLater, ...typed });
  }

  test("a draft becomes one issue however often it is published, and isn't listed any more", async () => {
    const { id, issueId } = await published();
    expect(await publish(id, 1)).toEqual({ ok: true, issueId });
    expect(await listIssues(database.db)).toMatchObject([
      { id: issueId, title: "Piers", publishDate: "2026-11-20" },
    ]);
    expect(await listDrafts(database.db)).toEqual([]);
  });

  test("a correction a week later keeps the day of its issue", async () => {
    const { issueId } = await published();
    const id = (await correctionOf(database.db, { issueId, now: weekLater })) ?? 0;
    expect(await save(id, 1, { body: "<p>Below the <em>deep</em> frost.</p>" })).toMatchObject({
      ok: true,
    });
    expect(await listDrafts(database.db)).toMatchObject([{ id, issueNumber: 1 }]);
    expect(await publish(id, 2, weekLater)).toEqual({ ok: true, issueId });
    expect(await findIssue(database.db, issueId)).toMatchObject({
      html: "<p>Below the <em>deep</em> frost.</p>",
      publishDate: "2026-11-20",
    });
  });

  test("a draft keeps its version where the same words are saved, and refuses those of another window", async () => {
    const { id } = await published();
    expect(await save(id, 1, {})).toMatchObject({ ok: true, draft: { version: 1 } });
    await save(id, 1, { body: "One." });
    expect(await save(id, 1, { body: "One." })).toMatchObject({ ok: true, draft: { version: 2 } });
    expect(await save(id, 1, { body: "Two." })).toMatchObject({
      ok: false,
      reason: "changed_elsewhere",
    });
    expect(await publish(id, 1)).toEqual({
      ok: false,
      problem: expect.stringContaining("draft was changed meanwhile"),
    });
  });

  test("a draft keeps the pictures that it shows when its issue is removed, until it is deleted itself", async () => {
    const { db } = database;
    async function forget(id: number) {
      await putDraftInBin(db, { id, now });
      await deleteExpired({ db, dataDir: "", newsletterWebhookUrl: null }, monthsLater);
      // Pictures of a draft that has left the bin go when the next draft is binned.
      await putDraftInBin(db, { id, now });
    }
    const bytes = Buffer.from("GIF89a of a pier");
    const picture = { bytes, type: "image/gif", width: 1, height: 1 } as const;
    const body = `<img src="${picturePath(picture)}" alt="A pier">`;
    const { id, issueId } = await published({ ...words, body: "Words." });
    await keepDraftPicture(db, { draftId: id, picture, now });
    await save(id, 1, { body });
    await publish(id, 2);
    await forget(id);
    const correction = (await correctionOf(db, { issueId, now: weekLater })) ?? 0;
    await db.transaction().execute((trx) => deleteIssue(trx, issueId));
    const pictures = async () => (await db.selectFrom("pictures").select("hash").execute()).length;
    expect(await pictures()).toBe(1);
    expect(await findDraft(db, correction)).toMatchObject({ issue_id: null, body });
    await forget(correction);
    expect(await pictures()).toBe(0);
  });
});
