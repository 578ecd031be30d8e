import { expect, test } from "vitest";
import { findPicture, keepDraftPicture, picturePath } from "#db/pictures.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { deleteExpired } from "../subscribers/retention.ts";
import { copyIssue, listBin, putDraftInBin, removeIssue, takeFromBin } from "./bin.ts";
import {
  correctionOf,
  createDraft,
  findDraft,
  listDrafts,
  publishDraft,
  saveDraft,
} from "./drafts.ts";
import { importIssues } from "./import-issues.ts";
import { findIssue, listIssues } from "./issues.ts";
import { planDraft } from "./plans.ts";

const now = new Date("2026-11-20T15:00:00.000Z");
const later = (days: number) => new Date(now.getTime() + days * 24 * 60 * 60_000);
const words = { title: "Piers", body: "Below the *frost*." };
const typed = { title: "Piers", preheader: "", now };
const picture = {
  bytes: Buffer.from("GIF89a of a pier"),
  type: "image/gif",
  width: 1,
  height: 1,
} as const;

describeOnEachDatabase("the bin", (database) => {
  const planToPublish = (draftId: number) =>
    planDraft(
      { db: database.db, config: {} as never, now },
      { draftId, at: later(1), audience: null },
    );
  const clearUp = (days: number) =>
    deleteExpired({ db: database.db, dataDir: "", newsletterWebhookUrl: null }, later(days));
  async function publish(id: number): Promise<number> {
    const version = (await findDraft(database.db, id))?.version ?? 0;
    const done = await database.db
      .transaction()
      .execute((trx) => publishDraft(trx, { id, version, now }));
    if (!done.ok) throw new Error(done.problem);
    return done.issueId;
  }

  test("keeps a draft out of the lists, of saving, planning and publishing, until it is taken out", async () => {
    const { db } = database;
    const id = await createDraft(db, { ...words, now });
    await planToPublish(id);
    await putDraftInBin(db, { id, now });
    expect(await listDrafts(db)).toEqual([]);
    expect(await db.selectFrom("plans").select("id").execute()).toEqual([]);
    expect(await listBin(db)).toEqual([
      { kind: "draft", id, title: "Piers", binnedAt: now.toISOString() },
    ]);
    expect(await saveDraft(db, { ...typed, id, version: 1, body: "x" })).toMatchObject({
      ok: false,
    });
    expect(await planToPublish(id)).toMatchObject({ problem: "The draft was deleted." });
    await expect(publish(id)).rejects.toThrow("The draft was deleted.");
    expect(await takeFromBin(db, { kind: "draft", id, now })).toEqual({ ok: true });
    expect(await takeFromBin(db, { kind: "draft", id, now })).toMatchObject({ ok: false });
    expect(await listDrafts(db)).toMatchObject([{ id }]);
    expect(await publish(id)).toBe(1);
  });

  test("gives an issue back under its id, with its pictures, and with the text that it was written as", async () => {
    const { db } = database;
    const body = `*A pier* <img src="${picturePath(picture)}" alt="A pier">`;
    const draft = await createDraft(db, { ...words, body, preheader: "Cold", now });
    await keepDraftPicture(db, { draftId: draft, picture, now });
    const id = await publish(draft);
    const before = await findIssue(db, id);
    await publish(await createDraft(db, { ...words, title: "The next", now }));
    expect(await removeIssue(db, { id, now, toBin: true })).toMatchObject({ ok: true });
    expect((await listIssues(db)).map(({ title }) => title)).toEqual(["The next"]);
    expect(await listDrafts(db)).toEqual([]);
    expect(await db.selectFrom("pictures").select("hash").execute()).toHaveLength(1);
    expect(await takeFromBin(db, { kind: "issue", id, now })).toEqual({ ok: true });
    expect(await findIssue(db, id)).toEqual(before);
    expect(await correctionOf(db, { issueId: id, now })).toBe(draft);
    expect(await findDraft(db, draft)).toMatchObject({ body });
    const copy = (await copyIssue(db, { id, now })) ?? 0;
    expect(await findDraft(db, copy)).toMatchObject({ issue_id: null, body });
  });

  test("keeps an issue's id from an import, after which it could not come back", async () => {
    const { db } = database;
    const id = await publish(await createDraft(db, { ...words, now }));
    await removeIssue(db, { id, now, toBin: true });
    const again = { id, title: "Piers", html: "<p>Piers</p>", publishDate: "2026-11-20" };
    const taken = new Map([[id, "Piers"]]);
    expect(await importIssues(db, [again])).toEqual({ imported: 0, taken });
    expect(await takeFromBin(db, { kind: "issue", id, now })).toEqual({ ok: true });
  });

  test("gives an issue back with its unpublished correction, which is a draft of its own while it is there", async () => {
    const { db } = database;
    const draft = await createDraft(db, { ...words, now });
    const id = await publish(draft);
    const save = { ...typed, id: draft, version: 1, body: "Below the frost *line*." };
    await saveDraft(db, save);
    await removeIssue(db, { id, now, toBin: true });
    expect(await listDrafts(db)).toMatchObject([{ id: draft, issueNumber: null }]);
    expect(await planToPublish(draft)).toMatchObject({ ok: true });
    await takeFromBin(db, { kind: "issue", id, now });
    expect(await db.selectFrom("plans").selectAll().execute()).toEqual([]);
    expect(await correctionOf(db, { issueId: id, now })).toBe(draft);
    expect(await findDraft(db, draft)).toMatchObject({ body: "Below the frost *line*." });
    expect(await publish(draft)).toBe(id);

    await saveDraft(db, { ...save, version: 2, body: "At the frost line." });
    await removeIssue(db, { id, now, toBin: true });
    await clearUp(31);
    expect(await findDraft(db, draft)).toMatchObject({ issue_id: null, base_version: null });
    expect(await publish(draft)).not.toBe(id);
  });

  test("gives back the pictures of an issue's earlier texts, which mails show", async () => {
    const { db } = database;
    const body = `<p>A pier <img src="${picturePath(picture)}" alt="A pier"></p>`;
    const draft = await createDraft(db, { ...words, body, now });
    await keepDraftPicture(db, { draftId: draft, picture, now });
    const id = await publish(draft);
    await db.deleteFrom("draft_pictures").execute();
    const without = { body: "<p>No picture.</p>" };
    await saveDraft(db, { ...typed, id: draft, version: 1, ...without });
    await publish(draft);
    await removeIssue(db, { id, now, toBin: true });
    await takeFromBin(db, { kind: "issue", id, now });
    expect(await findPicture(db, picturePath(picture))).not.toBeNull();
    await removeIssue(db, { id, now, toBin: true });
    await clearUp(31);
    await putDraftInBin(db, { id: await createDraft(db, { ...words, now }), now });
    expect(await findPicture(db, picturePath(picture))).toBeNull();
  });

  test("is emptied after thirty days", async () => {
    const { db } = database;
    const draft = await createDraft(db, { ...words, now });
    await keepDraftPicture(db, { draftId: draft, picture, now });
    const id = await publish(await createDraft(db, { ...words, now }));
    const other = await createDraft(db, { ...words, now });
    const otherIssue = await publish(other);
    await putDraftInBin(db, { id: draft, now });
    await removeIssue(db, { id, now, toBin: true });
    await removeIssue(db, { id: otherIssue, now, toBin: true });
    // Written on in a window that was open still.
    await saveDraft(db, { ...typed, id: other, version: 1, body: "New words." });
    expect(await clearUp(29)).toMatchObject({ binned: 0 });
    expect(await listBin(db)).toHaveLength(3);
    expect(await clearUp(31)).toMatchObject({ binned: 4 });
    expect(await db.selectFrom("drafts").select("id").execute()).toEqual([{ id: other }]);
    expect(await takeFromBin(db, { kind: "issue", id, now })).toMatchObject({ ok: false });
    const pictures = async () => await db.selectFrom("pictures").select("hash").execute();
    expect(await pictures()).toHaveLength(1);
    await putDraftInBin(db, { id: await createDraft(db, { ...words, now }), now });
    expect(await pictures()).toEqual([]);
  });
});
