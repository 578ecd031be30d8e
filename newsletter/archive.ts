import type { Archive, ArchiveIssue, IssueHead, IssueQuery } from "#contracts/ports.ts";
import type { Db } from "#db/tables.ts";
import type { PreparedBodyOf, StoredIssue } from "#issue-body/prepare-issue-body.ts";
import { findIssues, prepareIssues, readPlainTexts } from "./prepared-issues.ts";

export type StoredHead = { id: number; title: string | null; publishDate: string | null };

export type ArchiveSource = {
  version(): Promise<string>;
  /** Newest first. */
  heads(): Promise<StoredHead[]>;
  body(id: number): Promise<StoredIssue | null>;
  /** Ids, the best matches first. */
  search(query: IssueQuery, known: Known): Promise<number[]>;
} & Pick<Archive, "plainTexts" | "edits">;

type Known = { version: string; heads: readonly IssueHead[]; byId: ReadonlyMap<number, IssueHead> };

/** Caches the heads of all issues in memory and reads a body when it is asked for. */
export function createArchive(
  source: ArchiveSource,
  prepareBody: PreparedBodyOf,
): Archive & { has(id: number): Promise<boolean> } {
  let known: Known = { version: "", heads: [], byId: new Map() };
  let look: { version: Promise<string>; at: number } | null = null;

  // Reads the version before the heads, so that a change in between is noticed by the next call. A reading isn't shared
  // with an earlier caller, who may have asked before a change.
  async function current(): Promise<Known> {
    const version = await source.version();
    if (version === known.version) return known;
    const stored = await source.heads();
    const heads = stored.map(({ id, title, publishDate }, position) => {
      const number = stored.length - position;
      return { id, number, title: title?.trim() || `Issue #${number}`, publishDate };
    });
    known = { version, heads, byId: new Map(heads.map((head) => [head.id, head])) };
    return known;
  }

  // For the page cache, which asks with every page.
  function version(): Promise<string> {
    if (look === null || performance.now() - look.at >= 1_000) {
      look = { version: source.version(), at: performance.now() };
      look.version.catch(() => {});
    }
    return look.version;
  }

  return {
    version,
    heads: async () => (await current()).heads,
    async issue(id): Promise<ArchiveIssue | null> {
      const { heads, byId } = await current();
      const head = byId.get(id);
      const stored = head && (await source.body(id));
      if (!stored) return null;
      const position = heads.length - head.number;
      const { html, plainText } = await prepareBody(stored);
      return {
        ...head,
        html,
        plainText,
        older: heads[position + 1] ?? null,
        newer: heads[position - 1] ?? null,
      };
    },
    async search(query): Promise<IssueHead[]> {
      const now = await current();
      const ids = await source.search(query, now);
      return ids.flatMap((id) => now.byId.get(id) ?? []);
    },
    plainTexts: source.plainTexts,
    edits: source.edits,
    // Answered from memory, so that requests for unknown ids never reach the database.
    async has(id) {
      const { byId } = (await version()) === known.version ? known : await current();
      return byId.has(id);
    },
  };
}

export async function readArchiveVersion(db: Db): Promise<string> {
  const row = await db.selectFrom("archive_version").select("version").executeTakeFirstOrThrow();
  return row.version;
}

/** After an issue couldn't be prepared, until the next try. */
const nextTryMs = 60_000;

export function archiveOfDatabase(
  db: Db,
  reportError: (error: unknown) => void = () => {},
): ArchiveSource {
  let prepared = { version: "", until: 0, done: Promise.resolve() };

  /** Another program may have written issues since the start. Rejects never: search goes on with the others. */
  function prepareOnce(version: string): Promise<void> {
    if (prepared.version === version && performance.now() < prepared.until) return prepared.done;
    const own = { version, until: Number.POSITIVE_INFINITY, done: Promise.resolve() };
    own.done = prepareIssues(db)
      .catch((error) => [error])
      .then((failures) => {
        failures.forEach(reportError);
        if (failures.length > 0) own.until = performance.now() + nextTryMs;
      });
    prepared = own;
    return own.done;
  }

  return {
    version: () => readArchiveVersion(db),
    heads: () =>
      db
        .selectFrom("final_newsletters")
        .select(["id", "title", "publish_date as publishDate"])
        .orderBy("id", "desc")
        .execute(),
    async body(id) {
      const row = await db
        .selectFrom("final_newsletters")
        .select(["id", "title", "content_markdown"])
        .where("id", "=", id)
        .executeTakeFirst();
      // A table that another program made may hold NULLs.
      return row
        ? { id, title: row.title ?? "", content_markdown: row.content_markdown ?? "" }
        : null;
    },
    async search(query, { version }) {
      await prepareOnce(version);
      return await findIssues(db, query);
    },
    plainTexts: (ids) => readPlainTexts(db, ids),
    async edits() {
      const rows = await db.selectFrom("issue_edits").selectAll().execute();
      return new Map(rows.map(({ issue_id, edited_at }) => [issue_id, edited_at]));
    },
  };
}
