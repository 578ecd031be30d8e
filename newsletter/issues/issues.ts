import { createHash } from "node:crypto";
import { sql, type Transaction } from "kysely";
import type { IssueHead } from "#app/ports.ts";
import { isPostgres } from "#db/database-handle.ts";
import { setMark } from "#db/marks.ts";
import { linkShownPictures, type Picture, removePicturesOf, storePicture } from "#db/pictures.ts";
import type { Database, Db } from "#db/tables.ts";
import { type PreparedBody, prepareBody, storePrepared } from "./archive.ts";

export const issueTitleMaxLength = 200;
/** Longest body of an issue, in UTF-16 code units; a page would cut off the rest. */
export const issueBodyMaxLength = 2_000_000;

export type IssueWords = {
  title: string;
  html: string;
  /** `YYYY-MM-DD`, from 1990 on. */
  publishDate: string;
  preheader?: string | null;
};

export function fingerprintOf({ title, publishDate, html, preheader }: IssueWords): string {
  const words = JSON.stringify([title, publishDate, html, preheader || null]);
  return createHash("sha256").update(words).digest("base64url");
}

type Deed = { pictures?: readonly Picture[]; now: Date };

type Change = Deed & { id: number; from: string; words: Partial<IssueWords> };

/** Makes an issue and returns its id, which is never reused. */
export async function makeIssue(
  trx: Transaction<Database>,
  words: IssueWords & { id?: number },
  { body, now = new Date(), pictures }: Partial<Deed> & { body?: PreparedBody | undefined } = {},
): Promise<number> {
  const { id } = await trx
    .insertInto("final_newsletters")
    .values({ ...columnsOf(words), ...(words.id !== undefined && { id: words.id }) })
    .returning("id")
    .executeTakeFirstOrThrow();
  await storeBeside(trx, { id, words, pictures, body, now });
  return id;
}

/** Changes an issue that still has the fingerprint `from`; false if not. */
export async function changeIssue(
  trx: Transaction<Database>,
  { id, from, words: changed, ...deed }: Change,
): Promise<boolean> {
  const before = await lockIssue(trx, id);
  if (!before || fingerprintOf(before) !== from) return false;
  const words = { ...before, ...changed };
  await trx.updateTable("final_newsletters").set(columnsOf(words)).where("id", "=", id).execute();
  await storeBeside(trx, { id, words, ...deed });
  return true;
}

/** `number` is its place on the site; `sameTitle` the newest other issue with that title, most likely a double. */
export async function publishIssue(db: Db, { words, ...deed }: Deed & { words: IssueWords }) {
  return await db.transaction().execute(async (trx) => {
    const id = await makeIssue(trx, words, deed);
    const { number } = (await findIssue(trx, id)) ?? { number: id };
    return { id, number, sameTitle: await findSameTitle(trx, { id, title: words.title }) };
  });
}

/** Changes an issue that still has the fingerprint `from`. Without a preheader, it keeps its own. */
export async function correctIssue(db: Db, change: Change) {
  const isChanged = await db.transaction().execute((trx) => changeIssue(trx, change));
  if (isChanged) return { ok: true } as const;
  const problem = `Issue ${change.id} was changed meanwhile. Look at it, and try again.`;
  return { ok: false, problem } as const;
}

/** Reads and locks an issue. SQLite is locked already. */
export async function lockIssue(
  trx: Transaction<Database>,
  id: number,
): Promise<FoundIssue | undefined> {
  if (isPostgres(trx)) {
    await sql`select from final_newsletters where id = ${id} for update`.execute(trx);
  }
  return await findIssue(trx, id);
}

function columnsOf({ title, html, publishDate }: IssueWords) {
  return { title, content_markdown: html, publish_date: publishDate };
}

type Stored = { id: number; words: IssueWords; body?: PreparedBody | undefined };

async function storeBeside(
  trx: Transaction<Database>,
  { id, words, body, pictures = [], now }: Deed & Stored,
): Promise<void> {
  const { html, preheader } = words;
  await trx.deleteFrom("issue_preheaders").where("issue_id", "=", id).execute();
  if (preheader) {
    await trx.insertInto("issue_preheaders").values({ issue_id: id, preheader }).execute();
  }
  for (const picture of pictures) await storePicture(trx, picture, now);
  await linkShownPictures(trx, { issueId: id, html });
  const stored = { id, content_markdown: html };
  await storePrepared(trx, stored, body ?? (await prepareBody(html)));
}

/** Deletes an issue and, unless it goes to the bin, the pictures that nothing else shows. */
export async function deleteIssue(
  trx: Transaction<Database>,
  id: number,
  { toBin = false }: { toBin?: boolean } = {},
): Promise<void> {
  await trx.deleteFrom("issue_preheaders").where("issue_id", "=", id).execute();
  // The bin keeps corrections and old pictures: mails already sent still show them.
  if (!toBin) {
    const unmade = { issue_id: null, base_fingerprint: null, base_version: null };
    await trx.updateTable("drafts").set(unmade).where("issue_id", "=", id).execute();
    await removePicturesOf(trx, id);
  }
  await trx.deleteFrom("final_newsletters").where("id", "=", id).execute();
}

export type ListedIssue = IssueHead & { publishDate: string };

export type FoundIssue = ListedIssue & { html: string; preheader: string | null };

/** The newest first. */
export async function listIssues(
  db: Db,
  { limit = 10_000 }: { limit?: number } = {},
): Promise<ListedIssue[]> {
  return await db
    .selectFrom("final_newsletters")
    .select(["id", "title", "publish_date as publishDate"])
    .select(sql<number>`row_number() over (order by id)`.as("number"))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

export async function nextIssue(db: Db): Promise<{ id: number; number: number }> {
  const [newest] = await listIssues(db, { limit: 1 });
  return { id: (newest?.id ?? 0) + 1, number: (newest?.number ?? 0) + 1 };
}

export async function findIssue(db: Db, id: number): Promise<FoundIssue | undefined> {
  return await db
    .selectFrom("final_newsletters")
    .leftJoin("issue_preheaders", "issue_id", "id")
    .select(["id", "title", "content_markdown as html", "publish_date as publishDate", "preheader"])
    .select(sql<number>`(select count(*) from final_newsletters where id <= ${id})`.as("number"))
    .where("id", "=", id)
    .executeTakeFirst();
}

async function findSameTitle(db: Db, { id, title }: { id: number; title: string }) {
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

/** Publishes a new database's starter issues once, and returns how many. A mark keeps removed ones away. */
export async function seedStarterIssues(db: Db, issues: readonly IssueWords[], now: Date) {
  return await db.transaction().execute(async (trx) => {
    const isFirst = await setMark(trx, { name: "starter-issues", at: now });
    if (!isFirst || (await listIssues(trx, { limit: 1 })).length > 0) return 0;
    for (const issue of issues) await makeIssue(trx, issue, { now });
    return issues.length;
  });
}
