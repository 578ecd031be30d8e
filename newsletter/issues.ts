import { type Insertable, sql, type Transaction } from "kysely";
import type { IssueHead } from "#contracts/ports.ts";
import { isPostgres } from "#db/database-handle.ts";
import { setMark } from "#db/marks.ts";
import type { Database, Db } from "#db/tables.ts";
import { keepPicture, type Picture, removePicturesOf } from "./pictures.ts";
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

/**
 * Publishes an issue as the newest, with the pictures that it shows. Returns its id, which is never reused. Throws a
 * RangeError for an invalid date.
 */
export async function publishIssue(
  db: Db,
  words: IssueWords,
  { pictures = [], now = new Date() }: { pictures?: readonly Picture[]; now?: Date } = {},
): Promise<{ id: number }> {
  const row = rowOf(words);
  return await db.transaction().execute(async (trx) => {
    const id = await insertPrepared(trx, row);
    await savePreheader(trx, id, words.preheader);
    for (const picture of pictures) await keepPicture(trx, { issueId: id, picture, now });
    return { id };
  });
}

function rowOf({ title, html, publishDate }: IssueWords) {
  assertPublishDate(publishDate);
  return { title, content_markdown: html, publish_date: publishDate };
}

function assertPublishDate(text: string): void {
  if (!isPublishDate(text)) throw new RangeError(`${text} is not a day as YYYY-MM-DD.`);
}

async function insertPrepared(
  trx: Transaction<Database>,
  row: Insertable<Database["final_newsletters"]>,
): Promise<number> {
  const { id } = await trx
    .insertInto("final_newsletters")
    .values(row)
    .returning("id")
    .executeTakeFirstOrThrow();
  await prepareInTransaction(trx, { ...row, id });
  return id;
}

async function savePreheader(trx: Db, id: number, preheader?: string | null) {
  await trx.deleteFrom("issue_preheaders").where("issue_id", "=", id).execute();
  if (!preheader) return;
  await trx.insertInto("issue_preheaders").values({ issue_id: id, preheader }).execute();
}

export function isPublishDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  // `Date` turns 30 February into a day of March, so compare it with what went in.
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}

/**
 * Replaces an issue's body, and its title, day and preview line where they are given, and stores its pictures, in one
 * transaction. Its id, address and number stay. Returns false, and writes nothing, where the body is no longer `from`.
 * Throws a RangeError for an invalid date.
 */
export async function reviseIssue(
  db: Db,
  change: {
    id: number;
    from: string;
    to: string;
    pictures: readonly Picture[];
    now: Date;
  } & Partial<Omit<IssueWords, "html">>,
): Promise<boolean> {
  const { id, from, to, pictures, now, title, publishDate, preheader } = change;
  if (publishDate !== undefined) assertPublishDate(publishDate);
  return await db.transaction().execute(async (trx) => {
    const revised = await trx
      .updateTable("final_newsletters")
      .set({ content_markdown: to, title, publish_date: publishDate })
      .where("id", "=", id)
      .where("content_markdown", "=", from)
      .returning("title")
      .executeTakeFirst();
    if (!revised) return false;
    if (preheader !== undefined) await savePreheader(trx, id, preheader);
    for (const picture of pictures) await keepPicture(trx, { issueId: id, picture, now });
    await prepareInTransaction(trx, { id, title: revised.title ?? "", content_markdown: to });
    return true;
  });
}

/** Removes an issue and its pictures, if it is there. Later issues move down by one number. */
export async function removeIssue(db: Db, id: number): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    await savePreheader(trx, id, null);
    await removePicturesOf(trx, id);
    await trx.updateTable("drafts").set({ issue_id: null }).where("issue_id", "=", id).execute();
    const removed = await trx
      .deleteFrom("final_newsletters")
      .where("id", "=", id)
      .returning("id")
      .executeTakeFirst();
    return removed !== undefined;
  });
}

export type ListedIssue = IssueHead & { publishDate: string };

export type FoundIssue = ListedIssue & { html: string };

/** Issues without their bodies, newest first; `before` is the id that a page continues after. */
export async function listIssues(
  db: Db,
  { limit = 10_000, before = Number.MAX_SAFE_INTEGER }: { limit?: number; before?: number } = {},
): Promise<ListedIssue[]> {
  return await db
    .selectFrom("final_newsletters")
    .select(["id", "title", "publish_date as publishDate"])
    .select(sql<number>`row_number() over (order by id)`.as("number"))
    .where("id", "<", before)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

export async function findIssue(db: Db, id: number): Promise<FoundIssue | null> {
  const issue = await db
    .selectFrom("final_newsletters")
    .select(["id", "title", "content_markdown as html", "publish_date as publishDate"])
    .select(sql<number>`(select count(*) from final_newsletters where id <= ${id})`.as("number"))
    .where("id", "=", id)
    .executeTakeFirst();
  return issue ?? null;
}

/** The newest other issue with that title: most likely the same file published twice. */
export async function findSameTitle(db: Db, { id, title }: { id: number; title: string }) {
  const row = await db
    .selectFrom("final_newsletters")
    .select("id")
    .where("title", "=", title)
    .where("id", "!=", id)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

export type ImportedIssue = IssueWords & {
  /** Issues without an id are published after the others. */
  id?: number;
};

/**
 * Imports issues, all or none; issues without an id follow, in order, above every imported id. Where ids are `taken`, by
 * the issues with those titles, nothing is imported, nor with `isDry`. Throws a RangeError for an invalid date.
 */
export async function importIssues(
  db: Db,
  issues: readonly ImportedIssue[],
  { isDry = false }: { isDry?: boolean } = {},
): Promise<{ imported: number; taken: ReadonlyMap<number, string> }> {
  const withId = issues.flatMap((issue) => (issue.id ? { id: issue.id, ...rowOf(issue) } : []));
  const withoutId = issues.filter(({ id }) => id === undefined).map(rowOf);
  const result = await db.transaction().execute(async (trx) => {
    if (isPostgres(trx)) {
      // Readers go on; nobody else can take an id before the insert. SQLite is locked already.
      await sql`lock table final_newsletters in share row exclusive mode`.execute(trx);
    }
    const ids = withId.map(({ id }) => id);
    const found = await trx
      .selectFrom("final_newsletters")
      .select(["id", "title"])
      .where("id", "in", [0, ...ids])
      .execute();
    const taken = new Map(found.map(({ id, title }) => [id, title]));
    if (isDry || taken.size > 0) return { imported: 0, taken };
    for (const row of withId) await trx.insertInto("final_newsletters").values(row).execute();
    if (ids.length > 0 && isPostgres(trx)) await moveSequencePastIds(trx);
    for (const row of withoutId) await trx.insertInto("final_newsletters").values(row).execute();
    return { imported: issues.length, taken };
  });
  // An issue that can't be prepared now is prepared when it is searched for.
  if (result.imported > 0) await prepareIssues(db).catch(() => {});
  return result;
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

/** Issue ids by the source of their post. A removed issue's post may come again. */
export async function findImportedPosts(db: Db, sources: readonly string[]) {
  if (sources.length === 0) return new Map<string, number>();
  const rows = await db
    .selectFrom("imported_posts")
    .innerJoin("final_newsletters", "final_newsletters.id", "imported_posts.issue_id")
    .select(["source", "issue_id"])
    .where("source", "in", sources)
    .execute();
  return new Map(rows.map(({ source, issue_id }) => [source, issue_id]));
}

/**
 * Publishes a post of an export with its source, such as `substack:1234`, so that an interrupted import can be run again.
 * Returns false where it is there already. Throws a RangeError for an invalid date.
 */
export async function importPost(db: Db, post: IssueWords & { source: string; slug: string }) {
  const { source, slug } = post;
  return await db.transaction().execute(async (trx) => {
    if ((await findImportedPosts(trx, [source])).size > 0) return false;
    const imported = { slug, issue_id: await insertPrepared(trx, rowOf(post)) };
    await trx
      .insertInto("imported_posts")
      .values({ source, ...imported })
      .onConflict((conflict) => conflict.column("source").doUpdateSet(imported))
      .execute();
    return true;
  });
}

/**
 * Publishes a new database's first issues once: a mark in the same transaction says so. A table with issues only gets
 * the mark, and removed starter issues stay away.
 */
export async function seedStarterIssues(db: Db, issues: readonly IssueWords[], now: Date) {
  return await db.transaction().execute(async (trx) => {
    const isFirst = await setMark(trx, { name: "starter-issues", at: now });
    if (!isFirst) return { ok: false, reason: "already_seeded" } as const;
    const present = await listIssues(trx, { limit: 1 });
    if (present.length > 0 || issues.length === 0) return { ok: true, inserted: 0 } as const;
    await trx.insertInto("final_newsletters").values(issues.map(rowOf)).execute();
    return { ok: true, inserted: issues.length } as const;
  });
}
