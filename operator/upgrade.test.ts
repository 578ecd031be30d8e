import fs from "node:fs/promises";
import path from "node:path";
import { sql } from "kysely";
import { FileMigrationProvider, Migrator } from "kysely/migration";
import { expect, test } from "vitest";
import { correctionOf, publishDraft } from "#newsletter/drafts.ts";
import { findIssue } from "#newsletter/issues.ts";
import { openSends } from "#newsletter/sends/recipients.ts";
import { resumeSend } from "#newsletter/sends/sends.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { beginTestSends } from "#tests/sends/queue-test-send.ts";
import { addSubscribers } from "#tests/sends/subscribers.ts";
import { openStore } from "./open-store.ts";
import { listSiteWords } from "./site-words.ts";

const provider = new FileMigrationProvider({
  fs,
  path,
  migrationFolder: path.join(import.meta.dirname, "..", "db", "migrations"),
});
const at = "2026-11-27T12:00:00.000Z";
const now = new Date("2026-11-28T12:00:00.000Z");

describeOnEachDatabase(
  "a database of the version before issues were planned",
  (database) => {
    test("keeps its sends, drafts and words, and they go on", async () => {
      const { db } = database;
      const migrator = new Migrator({ db, provider });
      const { error } = await migrator.migrateTo("2026-11-27T01-00-00-site-words");
      expect(error).toBeUndefined();

      for (const id of [1, 2, 3, 4]) {
        await sql`insert into final_newsletters (id, title, content_markdown, publish_date)
          values (${id}, ${`Issue ${id}`}, ${`<p>Words of ${id}.</p>`}, '2026-11-20')`.execute(db);
      }
      await addSubscribers(db, 3);
      const send = (id: number, state: string, begunAt: string | null, beside = "Old") => {
        const html = `<div class="preheader" style="display:none">${beside}&#847;&zwnj;</div><p>Old</p>`;
        return sql`
          insert into sends (id, send_key, issue_id, title, audience, state, subject, html, plain_text, created_at, begins_at, begun_at)
          values (${id}, ${`key-${id}`}, ${id}, 'Old title', 'all', ${state}, 'Old subject', ${html}, 'Old', ${at}, ${now.toISOString()}, ${begunAt})`;
      };
      await send(1, "waiting", null, "Tom &amp; Ann").execute(db);
      await send(2, "sending", at).execute(db);
      await send(3, "paused", at).execute(db);
      await send(4, "paused", null).execute(db);
      for (const id of [2, 3])
        await sql`insert into send_rows (send_id, issue_id, reader_id, state, due_at) values (${id}, ${id}, 1, 'waiting', ${at})`.execute(
          db,
        );
      await sql`insert into drafts (issue_id, title, preheader, publish_date, format, body, version, created_at, saved_at)
        values (1, 'Issue 1', '', '2026-11-20', 'html', '<p>Words of 1.</p>', 2, ${at}, ${at}),
          (2, 'Corrected', '', '2026-11-20', 'html', '<p>New words of 2.</p>', 3, ${at}, ${at})`.execute(
        db,
      );
      const questions = (await listSiteWords(db)).filter(({ rows }) => rows);
      for (const { name, value } of questions) {
        const rows = (value as object[]).map((row) => ({ ...row, id: undefined }));
        await sql`insert into site_words (name, value, changed_at) values (${name}, ${JSON.stringify(rows)}, ${at})`.execute(
          db,
        );
      }

      const store = await openStore(database.settings);
      expect(store.migrated).toContain("2026-11-28T01-00-00-plans");
      const words = await listSiteWords(db);
      expect(words.every(({ fault }) => fault === null)).toBe(true);
      const begun = await beginTestSends(database.open, now);
      expect(begun).toMatchObject([{ id: 1, recipients: 3 }]);
      expect((await openSends(db)).map(({ id, subject }) => [id, subject])).toEqual([
        [1, "Issue 1"],
        [2, "Old subject"],
      ]);
      const lines = await db.selectFrom("sends").select("preheader").orderBy("id").execute();
      expect(lines.map(({ preheader }) => preheader)).toEqual(["Tom & Ann", null, null, null]);
      expect((await openSends(db))[0]?.html).toContain("Tom &amp; Ann&#847;");
      expect(await resumeSend(db, 3, now)).toMatchObject({ state: "sending" });
      expect(await resumeSend(db, 4, now)).toMatchObject({ state: "waiting" });
      const first = await correctionOf(db, { issueId: 1, now });
      const second = await correctionOf(db, { issueId: 2, now });
      expect([first, second]).toEqual([1, 2]);
      expect(
        await db.transaction().execute((trx) => publishDraft(trx, { id: 1, version: 2, now })),
      ).toMatchObject({ ok: true, issueId: 1 });
      expect(
        await db.transaction().execute((trx) => publishDraft(trx, { id: 2, version: 3, now })),
      ).toMatchObject({ ok: false, reason: "issue_changed" });
      expect(await findIssue(db, 2)).toMatchObject({ html: "<p>Words of 2.</p>" });
      await store.close();
    });
  },
  { migrated: false },
);
