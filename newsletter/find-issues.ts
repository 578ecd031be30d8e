import type { Kysely } from "kysely";
import { chunks } from "#db/chunks.ts";
import type { Database } from "#db/tables.ts";

const listMaxIssues = 10_000;

export type ListedIssue = {
  id: number;
  /** Its position from the oldest, by id (specification, section 3). */
  number: number;
  title: string;
  publishDate: string;
};

export type FoundIssue = ListedIssue & { html: string };

/** Issues without their bodies, newest first; `before` is the id that a page continues after. */
export async function listIssues(
  db: Kysely<Database>,
  { limit = listMaxIssues, before }: { limit?: number; before?: number } = {},
): Promise<ListedIssue[]> {
  const heads = db
    .selectFrom("final_newsletters")
    .select(["id", "title", "publish_date as publishDate"])
    .orderBy("id", "desc")
    .limit(Math.min(limit, listMaxIssues));
  const rows = await (before === undefined ? heads : heads.where("id", "<", before)).execute();
  const [newest] = rows;
  if (!newest) return [];
  const { count } = await db
    .selectFrom("final_newsletters")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("id", "<=", newest.id)
    .executeTakeFirstOrThrow();
  return rows.map((row, index) => ({ ...row, number: count - index }));
}

export async function findIssue(
  db: Kysely<Database>,
  id: number,
): Promise<{ ok: true; issue: FoundIssue } | { ok: false; reason: "not_found" }> {
  if (!Number.isSafeInteger(id)) return { ok: false, reason: "not_found" };
  const issue = await db
    .selectFrom("final_newsletters as issue")
    .select(({ selectFrom }) => [
      "issue.id",
      "issue.title",
      "issue.content_markdown as html",
      "issue.publish_date as publishDate",
      selectFrom("final_newsletters as other")
        .select(({ fn }) => fn.countAll<number>().as("number"))
        .whereRef("other.id", "<=", "issue.id")
        .as("number"),
    ])
    .where("issue.id", "=", id)
    .executeTakeFirst();
  return issue === undefined
    ? { ok: false, reason: "not_found" }
    : { ok: true, issue: { ...issue, number: issue.number ?? 0 } };
}

/** How many older issues are compared. */
const recentIssues = 100;

/** The newest other issue with that title: most likely the same file published twice. */
export async function findSameTitle(
  db: Kysely<Database>,
  { id, title }: { id: number; title: string },
): Promise<number | null> {
  const row = await db
    .selectFrom("final_newsletters")
    .select("id")
    .where("title", "=", title)
    .where("id", "!=", id)
    .where("id", ">", id - recentIssues)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function findIssueTitles(
  db: Kysely<Database>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const titles = new Map<number, string>();
  for (const some of chunks(ids)) {
    const rows = await db
      .selectFrom("final_newsletters")
      .select(["id", "title"])
      .where("id", "in", some)
      .execute();
    for (const { id, title } of rows) titles.set(id, title);
  }
  return titles;
}
