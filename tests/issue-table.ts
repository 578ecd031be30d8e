import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sqliteFileName } from "#backend/database/open-sqlite.ts";
import type { SiteServer } from "./site-server.ts";

export type Issue = { id: number; title: string; html: string; date: string };

/** An issue whose words say which one it is. */
export function issueOf(id: number, title: string, date: string): Issue {
  return { id, title, date, html: `<p>Words of the issue about: ${title}.</p>` };
}

export const quotes = issueOf(3, "Time one quote", "2026-11-02");
export const leads = issueOf(7, "Answer the lead", "2026-11-09");
export const changes = issueOf(12, "Price the change order", "2026-11-16");
export const threeIssues = [quotes, leads, changes];

/** What the error card says (specification, section 8). */
export const failureText = "Failed to load newsletters. Table may not exist yet.";

/** Works on the database file beside the running server, as the operator's commands do. */
function inDatabase<T>(site: { dataDir: string }, work: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(path.join(site.dataDir, sqliteFileName), { timeout: 5_000 });
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** A page that shows issues is given for no longer than this after it was made. */
const pageCachedAtMostMs = 2_000;

/** Where issues are changed beside the running server. */
export type ChangedSite = Pick<SiteServer, "dataDir" | "passTime">;

/** Makes these the only issues there are, and lets time pass until no cached page shows others. */
export async function setIssues(site: ChangedSite, issues: Issue[]) {
  const changed = inDatabase(site, (db) => {
    const rows = issues.map(({ id, title, html, date }) => [id, title, html, date] as const);
    const read = db.prepare(
      "select id, title, content_markdown, publish_date from final_newsletters order by id",
    );
    const before = JSON.stringify(read.all().map((row) => Object.values(row)));
    if (before === JSON.stringify(rows.toSorted(([a], [b]) => a - b))) return false;
    db.exec("delete from final_newsletters");
    const insert = db.prepare(
      "insert into final_newsletters (id, title, content_markdown, publish_date) values (?, ?, ?, ?)",
    );
    for (const row of rows) insert.run(...row);
    return true;
  });
  if (changed) await site.passTime(pageCachedAtMostMs);
}

/**
 * Takes the table of issues away, and what says that nothing has changed in it, lets time pass until no cached page
 * hides it, does the work, and puts it back.
 */
export async function withoutIssueTable(site: ChangedSite, work: () => Promise<void>) {
  renameTable(site, "final_newsletters", "set_aside");
  renameTable(site, "archive_version", "version_set_aside");
  try {
    await site.passTime(pageCachedAtMostMs);
    await work();
  } finally {
    renameTable(site, "version_set_aside", "archive_version");
    renameTable(site, "set_aside", "final_newsletters");
  }
}

function renameTable(site: { dataDir: string }, from: string, to: string) {
  inDatabase(site, (db) => db.exec(`alter table ${from} rename to ${to}`));
}
