import { expect, test } from "vitest";
import { keepDraftPicture, picturePath } from "#db/pictures.ts";
import { runScript } from "#tests/databases/run-script.ts";
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
  takePublished,
} from "./drafts.ts";
import { changeIssue, deleteIssue, findIssue, fingerprintOf, listIssues } from "./issues.ts";

const now = new Date("2026-11-20T15:00:00.000Z");
const weekLater = new Date("2026-11-27T15:00:00.000Z");
const monthsLater = new Date("2027-02-20T15:00:00.000Z");

const words: DraftWords = {
  title: "Piers",
  preheader: "",
  format: "markdown",
  body: "Below the *frost*.",
};

describeOnEachDatabase("drafts", (database) => {
  const publish = (id: number, version: number, at = now) =>
    database.db.transaction().execute((trx) => publishDraft(trx, { id, version, now: at }));

  async function published(typed = words): Promise<{ id: number; issueId: number }> {
    const id = await createDraft(database.db, { now, ...typed });
    const done = await publish(id, 1);
    if (!done.ok) throw new Error(done.reason);
    return { id, issueId: done.issueId };
  }

  async function changeElsewhere(id: number, html: string): Promise<void> {
    const change = { id, from: await fingerprint(id), words: { html }, now: weekLater };
    await database.db.transaction().execute((trx) => changeIssue(trx, change));
  }

  async function fingerprint(id: number): Promise<string> {
    const issue = await findIssue(database.db, id);
    if (!issue) throw new Error("There is no such issue.");
    return fingerprintOf(issue);
  }

  async function save(id: number, version: number, changed: Partial<DraftWords>) {
    const draft = await findDraft(database.db, id);
    if (!draft) throw new Error("There is no such draft.");
    const { title, preheader, format, body } = { ...draft, ...changed };
    const typed = { title, preheader, format, body };
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
    expect(await save(id, 1, { body: "Below the *deep* frost." })).toMatchObject({ ok: true });
    expect(await listDrafts(database.db)).toMatchObject([{ id, issueNumber: 1 }]);
    expect(await publish(id, 2, weekLater)).toEqual({ ok: true, issueId });
    expect(await findIssue(database.db, issueId)).toMatchObject({
      html: "<p>Below the <em>deep</em> frost.</p>",
      publishDate: "2026-11-20",
    });
  });

  test("an unchanged draft takes the words of its issue that was changed elsewhere", async () => {
    const { id, issueId } = await published();
    await changeElsewhere(issueId, "<p>By command.</p>");
    expect(await correctionOf(database.db, { issueId, now: weekLater })).toBe(id);
    const draft = await findDraft(database.db, id);
    expect(draft).toMatchObject({ format: "html", body: "<p>By command.</p>" });
    expect(await publish(id, draft?.version ?? 0)).toEqual({ ok: true, issueId });
    expect(await findIssue(database.db, issueId)).toMatchObject({ html: "<p>By command.</p>" });
  });

  test("a draft never overwrites a change made elsewhere, and can take it over", async () => {
    const { db } = database;
    const { id, issueId } = await published();
    await save(id, 1, { body: "My words." });
    await changeElsewhere(issueId, "<p>By command.</p>");
    expect(await correctionOf(db, { issueId, now: weekLater })).toBe(id);
    expect(await findDraft(db, id)).toMatchObject({ body: "My words." });
    expect(await publish(id, 2)).toEqual({ ok: false, reason: "issue_changed" });
    await takePublished(db, { id, now: weekLater });
    expect(await findDraft(db, id)).toMatchObject({ body: "<p>By command.</p>", version: 3 });
    expect(await listDrafts(db)).toEqual([]);
    expect(await save(id, 3, { body: "<p>My words.</p>" })).toMatchObject({ ok: true });
    expect(await publish(id, 4)).toEqual({ ok: true, issueId });
    expect(await findIssue(db, issueId)).toMatchObject({ html: "<p>My words.</p>" });
  });

  test("a draft keeps its version where the same words are saved, and refuses those of another window", async () => {
    const { id } = await published();
    expect(await save(id, 1, {})).toMatchObject({ ok: true, draft: { version: 1 } });
    await save(id, 1, { body: "One." });
    expect(await save(id, 1, { body: "One." })).toMatchObject({ ok: true, draft: { version: 2 } });
    expect(await save(id, 1, { body: "Two." })).toEqual({
      ok: false,
      reason: "changed_elsewhere",
    });
    expect(await publish(id, 1)).toEqual({ ok: false, reason: "changed_elsewhere" });
  });

  test("a draft keeps the pictures that it shows when its issue is removed, until it is deleted itself", async () => {
    const { db } = database;
    async function forget(id: number) {
      await putDraftInBin(db, { id, now });
      await deleteExpired(db, monthsLater);
      // What has left the bin takes its pictures along with the next draft that goes there.
      await putDraftInBin(db, { id, now });
    }
    const picture = { bytes: Buffer.from("GIF89a of a pier"), type: "image/gif" } as const;
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

  test.each([
    ["publishing", "issues", 1],
    ["correcting", "corrections", 2],
  ])(
    "a draft is published once and whole when the process is killed while %s",
    async (_, what, version) => {
      const { db } = database;
      const id = await createDraft(db, { now, ...words });
      if (what === "corrections") {
        await publish(id, 1);
        await save(id, 1, { body: "Deeper." });
      }
      // Killed between two statements, later and later, until it got to its end.
      const killed = `
      import { openDatabase } from "#db/open-database.ts";
      import { publishDraft } from "#newsletter/issues/drafts.ts";
      const open = await openDatabase(input.settings);
      let left = input.statements;
      const counting = {
        transformQuery({ node }) {
          if (left-- === 0) process.kill(process.pid, "SIGKILL");
          return node;
        },
        transformResult: async ({ result }) => result,
      };
      const { id, version } = input;
      await open.db.withPlugin(counting).transaction()
        .execute((trx) => publishDraft(trx, { id, version, now: new Date(input.now) }));
      await open.close();
    `;
      let deaths = 0;
      for (let statements = 0; ; statements += 3) {
        const input = { settings: database.settings, statements, id, version, now };
        const ended = await runScript(killed, input).then(
          () => true,
          ({ signal }) => signal !== "SIGKILL",
        );
        const issues = await listIssues(db);
        expect(issues).toHaveLength(ended || what === "corrections" ? 1 : 0);
        const draft = await findDraft(db, id);
        expect(draft?.base_version === version).toBe(ended);
        if (ended) break;
        deaths += 1;
      }
      expect(deaths).toBeGreaterThan(1);
      const issue = await findIssue(db, (await listIssues(db))[0]?.id ?? 0);
      expect(issue?.html).toContain(what === "corrections" ? "Deeper" : "frost");
      expect(await db.selectFrom("prepared_issues").select("issue_id").execute()).toHaveLength(1);
    },
  );
});
