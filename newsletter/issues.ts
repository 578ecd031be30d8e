import { type Insertable, type Kysely, sql, type Transaction } from "kysely";
import { chunks } from "#db/chunks.ts";
import { isPostgres } from "#db/database-handle.ts";
import type { Database, IssuesTable } from "#db/tables.ts";
import { keepPicture, type Picture, removePicturesOf, showPicture } from "./pictures.ts";
import { prepareInTransaction, prepareIssues } from "./prepared-issues.ts";

export type IssueWords = {
  title: string;
  /** A fragment or a full document. */
  html: string;
  /** `YYYY-MM-DD`. */
  publishDate: string;
  /** The preview line beside the subject in mail programs. */
  preheader?: string | null;
};

/** Publishes an issue as the newest. Returns its id, which is never reused. Throws a RangeError for an invalid date. */
export async function publishIssue(
  db: Kysely<Database>,
  words: IssueWords,
): Promise<{ id: number }> {
  const row = rowOf(words);
  return await db.transaction().execute(async (trx) => {
    const { id } = await trx
      .insertInto("final_newsletters")
      .values(row)
      .returning("id")
      .executeTakeFirstOrThrow();
    if (words.preheader) {
      const { preheader } = words;
      await trx.insertInto("issue_preheaders").values({ issue_id: id, preheader }).execute();
    }
    await prepareInTransaction(trx, { id, title: words.title, content_markdown: words.html });
    return { id };
  });
}

function rowOf({ title, html, publishDate }: IssueWords): Insertable<IssuesTable> {
  assertPublishDate(publishDate);
  return { title, content_markdown: html, publish_date: publishDate };
}

export function isPublishDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  // `Date` turns 30 February into a day of March, so compare it with what went in.
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}

export function assertPublishDate(text: string): void {
  if (isPublishDate(text)) return;
  throw new RangeError(`A publish date must be a day as YYYY-MM-DD, not ${JSON.stringify(text)}.`);
}

/** The stored body; empty where there is no such issue. */
export async function readIssueBody(db: Kysely<Database>, id: number): Promise<string> {
  const issue = await db
    .selectFrom("final_newsletters")
    .select("content_markdown")
    .where("id", "=", id)
    .executeTakeFirst();
  return issue?.content_markdown ?? "";
}

/**
 * Replaces an issue's body and stores its new pictures in one transaction. Returns false, and writes nothing, where the
 * body is no longer `from`.
 */
export async function reviseIssue(
  db: Kysely<Database>,
  {
    id,
    from,
    to,
    pictures,
    kept,
    now,
  }: {
    id: number;
    from: string;
    to: string;
    pictures: readonly Picture[];
    /** Paths of pictures that the site already has. */
    kept: readonly string[];
    now: Date;
  },
): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    const revised = await trx
      .updateTable("final_newsletters")
      .set({ content_markdown: to })
      .where("id", "=", id)
      .where("content_markdown", "=", from)
      .returning("title")
      .executeTakeFirst();
    if (!revised) return false;
    for (const picture of pictures) await keepPicture(trx, { issueId: id, picture, now });
    for (const path of kept) await showPicture(trx, { issueId: id, path });
    await prepareInTransaction(trx, { id, title: revised.title ?? "", content_markdown: to });
    return true;
  });
}

type RemoveIssueResult = { ok: true; title: string } | { ok: false; reason: "not_found" };

/** Removes an issue and its pictures. Later issues move down by one number. */
export async function removeIssue(db: Kysely<Database>, id: number): Promise<RemoveIssueResult> {
  if (!Number.isSafeInteger(id)) return { ok: false, reason: "not_found" };
  return await db.transaction().execute(async (trx) => {
    await trx.deleteFrom("issue_preheaders").where("issue_id", "=", id).execute();
    await removePicturesOf(trx, id);
    const removed = await trx
      .deleteFrom("final_newsletters")
      .where("id", "=", id)
      .returning("title")
      .executeTakeFirst();
    return removed ? { ok: true, title: removed.title } : { ok: false, reason: "not_found" };
  });
}

export type ImportedIssue = IssueWords & {
  /** Issues without an id are published after the others. */
  id?: number;
};

type ImportResult = { ok: true; imported: number } | { ok: false; reason: "id_taken"; id: number };

/**
 * Imports issues, all or none. An id that is taken refuses the import; issues without one follow, in order, above every
 * imported id. Throws a RangeError for an invalid id or date.
 */
export async function importIssues(
  db: Kysely<Database>,
  issues: readonly ImportedIssue[],
  onProgress: (imported: number) => void = () => {},
): Promise<ImportResult> {
  const ids = issues.flatMap(({ id }) => id ?? []);
  for (const id of ids) {
    if (!Number.isSafeInteger(id) || id < 1) {
      throw new RangeError(`An issue's id must be a whole number from 1 up, not ${id}.`);
    }
  }
  const withId = issues.flatMap((issue) => (issue.id ? { id: issue.id, ...rowOf(issue) } : []));
  const withoutId = issues.filter(({ id }) => id === undefined).map(rowOf);
  const result = await db.transaction().execute(async (trx): Promise<ImportResult> => {
    if (isPostgres(trx)) {
      // Readers go on; nobody else can take an id before the insert. SQLite is locked already.
      await sql`lock table final_newsletters in share row exclusive mode`.execute(trx);
    }
    const repeated = ids.find((id, index) => ids.indexOf(id) < index);
    const taken = repeated ?? (await findTaken(trx, ids));
    if (taken !== null) return { ok: false, reason: "id_taken", id: taken };
    let imported = 0;
    const insert = async (rows: Insertable<IssuesTable>[]) => {
      for (const batch of chunks(rows, 100)) {
        await trx.insertInto("final_newsletters").values(batch).execute();
        imported += batch.length;
        onProgress(imported);
      }
    };
    await insert(withId);
    if (withId.length > 0 && isPostgres(trx)) await moveSequencePastIds(trx);
    await insert(withoutId);
    return { ok: true, imported };
  });
  // An issue that can't be prepared now is prepared when it is read.
  if (result.ok) await prepareIssues(db).catch(() => {});
  return result;
}

async function findTaken(trx: Transaction<Database>, ids: number[]): Promise<number | null> {
  for (const batch of chunks(ids)) {
    const row = await trx
      .selectFrom("final_newsletters")
      .select("id")
      .where("id", "in", batch)
      .orderBy("id")
      .limit(1)
      .executeTakeFirst();
    if (row) return row.id;
  }
  return null;
}

// SQLite's autoincrement does this by itself. Never backwards, so that a removed id isn't reused.
async function moveSequencePastIds(trx: Transaction<Database>): Promise<void> {
  await sql`
    with ids as (
      select pg_get_serial_sequence('final_newsletters', 'id')::regclass as sequence,
        (select max(id) from final_newsletters) as highest
    )
    select setval(sequence, greatest(highest, coalesce(pg_sequence_last_value(sequence), 0)))
    from ids`.execute(trx);
}

type SeedResult = { ok: true; inserted: number } | { ok: false; reason: "already_seeded" };

/**
 * Publishes a new database's first issues once: a mark in the same transaction says so. A table with issues only gets
 * the mark, and removed starter issues stay away.
 */
export async function seedStarterIssues(
  db: Kysely<Database>,
  issues: readonly IssueWords[],
  now: Date,
): Promise<SeedResult> {
  return await db.transaction().execute(async (trx): Promise<SeedResult> => {
    const mark = await trx
      .insertInto("marks")
      .values({ name: "starter-issues", set_at: now.toISOString() })
      .onConflict((conflict) => conflict.column("name").doNothing())
      .returning("name")
      .executeTakeFirst();
    if (!mark) return { ok: false, reason: "already_seeded" };
    const present = await trx
      .selectFrom("final_newsletters")
      .select("id")
      .limit(1)
      .executeTakeFirst();
    if (present || issues.length === 0) return { ok: true, inserted: 0 };
    await trx.insertInto("final_newsletters").values(issues.map(rowOf)).execute();
    return { ok: true, inserted: issues.length };
  });
}
