import { isDeepStrictEqual } from "node:util";
import { type Kysely, sql } from "kysely";
import { isPostgres } from "#db/database-handle.ts";
import { openDatabase } from "#db/open-database.ts";
import type { Database } from "#db/tables.ts";
import type { SiteServer } from "./site-server.ts";

export type Issue = { id: number; title: string; html: string; date: string };

export function issueOf(id: number, title: string, date: string): Issue {
  return { id, title, date, html: `<p>Words of the issue about: ${title}.</p>` };
}

export const quotes = issueOf(3, "Time one quote", "2026-11-02");
export const leads = issueOf(7, "Answer the lead", "2026-11-09");
export const changes = issueOf(12, "Price the change order", "2026-11-16");
export const threeIssues = [quotes, leads, changes];

export const failureText = "Failed to load newsletters. Table may not exist yet.";

/** Works on the database beside the running server, as the operator's commands do. */
export async function inDatabase<Result>(
  { database }: Pick<SiteServer, "database">,
  work: (db: Kysely<Database>) => Promise<Result>,
): Promise<Result> {
  const open = await openDatabase(database);
  try {
    return await work(open.db);
  } finally {
    await open.close();
  }
}

/** The last good page is shown for no longer than this while its successor takes over a second (server/page-cache.ts). */
const pageShownAtMostMs = 24 * 60 * 60_000;

/** Both databases take some ten thousand parameters in a statement. */
const insertedAtOnce = 1_000;

type ChangedSite = Pick<SiteServer, "database" | "passTime">;

/** Makes these the only issues there are, and lets time pass until no cached page shows others. */
export async function setIssues(site: ChangedSite, issues: Issue[]) {
  const changed = await inDatabase(site, async (db) => {
    const wanted = issues.map(isPostgres(db) ? postgresRow : row);
    const before = await db
      .selectFrom("final_newsletters")
      .select(["id", "title", "content_markdown", "publish_date"])
      .orderBy("id")
      .execute();
    // The driver's rows are objects without a prototype.
    const found = before.map((issue) => ({ ...issue }));
    const sorted = wanted.toSorted((a, b) => a.id - b.id);
    if (isDeepStrictEqual(found, sorted)) return false;
    await db.deleteFrom("final_newsletters").execute();
    for (let start = 0; start < wanted.length; start += insertedAtOnce) {
      const some = wanted.slice(start, start + insertedAtOnce);
      await db.insertInto("final_newsletters").values(some).execute();
    }
    // SQLite goes on after the largest id by itself.
    if (isPostgres(db)) {
      await sql`select setval(pg_get_serial_sequence('final_newsletters', 'id'),
        greatest(nextval(pg_get_serial_sequence('final_newsletters', 'id')), max(id)))
        from final_newsletters`.execute(db);
    }
    return true;
  });
  if (changed) await site.passTime(pageShownAtMostMs);
}

function row({ id, title, html, date }: Issue) {
  return { id, title, content_markdown: html, publish_date: date };
}

/** PostgreSQL has no NUL in a text. */
function postgresRow({ title, html, ...rest }: Issue) {
  return row({ ...rest, title: title.replaceAll("\0", ""), html: html.replaceAll("\0", "") });
}

/**
 * Takes the table of issues away, and what says that nothing has changed in it, lets time pass until no cached page
 * hides it, does the work, and puts it back.
 */
export async function withoutIssueTable(site: ChangedSite, work: () => Promise<void>) {
  await renameTable(site, "final_newsletters", "set_aside");
  await renameTable(site, "archive_version", "version_set_aside");
  try {
    await site.passTime(pageShownAtMostMs);
    await work();
  } finally {
    await renameTable(site, "version_set_aside", "archive_version");
    await renameTable(site, "set_aside", "final_newsletters");
  }
}

export async function renameTable(site: ChangedSite, from: string, to: string) {
  await inDatabase(site, (db) =>
    sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(db),
  );
}
