import { type Insertable, type Kysely, sql, type Transaction } from "kysely";
import { chunks } from "#db/chunks.ts";
import { isPostgres } from "#db/database-handle.ts";
import type { Database, IssuesTable } from "#db/tables.ts";
import { keepPicture, type Picture, removePicturesOf, showPicture } from "./pictures.ts";
import { prepareInTransaction, prepareIssues } from "./prepared-issues.ts";

export type IssueWords = {
  title: string;
  /** HTML, a fragment or a full document. */
  html: string;
  /** `YYYY-MM-DD`. */
  publishDate: string;
  /** The line that mail programs show beside the subject, where the file gave one. */
  preheader?: string | null;
};

/**
 * Publishes an issue as the newest and returns its id, which no issue has had before, not even a removed one. Throws a
 * RangeError for a publish date of another form.
 */
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

/** Whether it is a day that exists, written `YYYY-MM-DD`. */
export function isPublishDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  // Parsing turns 30 February into a day of March, so the day has to come back as it went in.
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}

/** Throws a RangeError: people's dates are checked where they come in. */
export function assertPublishDate(text: string): void {
  if (isPublishDate(text)) return;
  throw new RangeError(`A publish date must be a day as YYYY-MM-DD, not ${JSON.stringify(text)}.`);
}

/** An issue's body as it is stored; empty where there is no such issue. */
export async function readIssueBody(db: Kysely<Database>, id: number): Promise<string> {
  const issue = await db
    .selectFrom("final_newsletters")
    .select("content_markdown")
    .where("id", "=", id)
    .executeTakeFirst();
  return issue?.content_markdown ?? "";
}

/**
 * Replaces an issue's body and stores the pictures that it shows now, together or not at all. `false`: the body is no
 * longer `from`, and nothing was written.
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
    /** New to the site. */
    pictures: readonly Picture[];
    /** Paths of those that it has already. */
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

/** Removes an issue with its pictures. The id is not used again; later issues move down by one number. */
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
  /** A positive safe integer. An issue without one is published after the others. */
  id?: number;
};

type ImportResult = { ok: true; imported: number } | { ok: false; reason: "id_taken"; id: number };

/**
 * Imports issues in one transaction: all of them or none. An id that the table or an earlier issue of the list already
 * has refuses the whole import. Those without an id follow, in the order given, with ids above every imported one.
 * `onProgress` is called with how many are in after each hundred. Throws a RangeError for an id or date of another form.
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
      // Reading goes on; nobody else can take an id between the check and the insert. SQLite is locked already.
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
  // The issues are in: one that can't be prepared now is prepared when it is read.
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

// SQLite's autoincrement does this by itself. Never backwards, so that a removed newest id stays spent.
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
 * Publishes a new database's first issues, in the order given, once in its life: the mark that says so is written in the
 * same transaction. A table that already holds issues gets the mark alone, and starter issues that the operator has
 * removed stay away.
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
