import type { Archive, ArchiveIssue, IssueHead } from "#contracts/ports.ts";
import type { Db } from "#db/tables.ts";
import { readBodyKeys, readPlainTexts, readPreparedBody } from "./prepared-issues.ts";

type Known = { version: string; heads: readonly IssueHead[]; byId: ReadonlyMap<number, IssueHead> };

/** Caches the heads of all issues in memory and reads a body when it is asked for. */
export function createArchive(db: Db): Archive {
  let known: Known = { version: "", heads: [], byId: new Map() };
  let look: { version: Promise<string>; at: number } | null = null;

  // Reads the version before the heads, so that a change in between is noticed by the next call. A reading isn't shared
  // with an earlier caller, who may have asked before a change.
  async function current(): Promise<Known> {
    const version = await readArchiveVersion(db);
    if (version === known.version) return known;
    const stored = await db
      .selectFrom("final_newsletters")
      .select(["id", "title", "publish_date as publishDate"])
      .orderBy("id", "desc")
      .execute();
    const heads = stored.map(({ id, title, publishDate }, position) => {
      const number = stored.length - position;
      // A table that another program made may hold NULLs.
      return { id, number, title: title?.trim() || `Issue #${number}`, publishDate };
    });
    known = { version, heads, byId: new Map(heads.map((head) => [head.id, head])) };
    return known;
  }

  function version(): Promise<string> {
    if (look === null || performance.now() - look.at >= 1_000) {
      look = { version: readArchiveVersion(db), at: performance.now() };
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
      const body = head && (await readPreparedBody(db, id));
      if (!body) return null;
      const position = heads.length - head.number;
      return {
        ...head,
        ...body,
        older: heads[position + 1] ?? null,
        newer: heads[position - 1] ?? null,
      };
    },
    plainTexts: (ids) => readPlainTexts(db, ids),
    bodyKeys: () => readBodyKeys(db),
    async edits() {
      const rows = await db.selectFrom("issue_edits").selectAll().execute();
      return new Map(rows.map(({ issue_id, edited_at }) => [issue_id, edited_at]));
    },
  };
}

export async function readArchiveVersion(db: Db): Promise<string> {
  const row = await db.selectFrom("archive_version").select("version").executeTakeFirstOrThrow();
  return row.version;
}
