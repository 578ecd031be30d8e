import { createHash } from "node:crypto";
import { sql, type Transaction } from "kysely";
import type { Archive, ArchiveIssue, IssueHead } from "#app/ports.ts";
import { isPostgres } from "#db/database-handle.ts";
import { findCardPicture } from "#db/pictures.ts";
import type { Database, Db } from "#db/tables.ts";

/** Raise it when the rules change; the next start prepares all issues again. */
const rulesVersion = 9;

function keyOf(contentMarkdown: string): string {
  return `${rulesVersion}:${createHash("sha256").update(contentMarkdown).digest("base64url")}`;
}

const isCurrent = sql<boolean>`body_key like ${sql.lit(`${rulesVersion}:%`)}`;

async function readPlainTexts(db: Db, ids: readonly number[]) {
  const rows = await db
    .selectFrom("prepared_issues")
    .select(["issue_id", "plain_text"])
    .where("issue_id", "in", ids)
    .where(isCurrent)
    .execute();
  const texts = new Map(rows.map(({ issue_id, plain_text }) => [issue_id, plain_text]));
  for (const id of ids.filter((id) => !texts.has(id)))
    texts.set(id, (await readPreparedBody(db, id))?.plainText ?? "");
  return texts;
}

async function readPreparedBody(db: Db, id: number): Promise<PreparedBody | null> {
  const stored = await db
    .selectFrom("prepared_issues")
    .select(["html", "plain_text as plainText"])
    .where("issue_id", "=", id)
    .where(isCurrent)
    .executeTakeFirst();
  if (stored) return stored;
  return await db.transaction().execute(async (trx) => {
    const issue = await trx
      .selectFrom("final_newsletters")
      .select("content_markdown")
      .where("id", "=", id)
      .$if(isPostgres(trx), (query) => query.forShare())
      .executeTakeFirst();
    if (!issue) return null;
    // A table that another program made may hold NULLs.
    const html = issue.content_markdown ?? "";
    const body = await prepareBody(html);
    await storePrepared(trx, { id, content_markdown: html }, body);
    return { html: body.html, plainText: body.plainText };
  });
}

export type PreparedBody = { html: string; plainText: string };

/** The sanitiser and its parsers take 10 MB, so they load late. */
export async function prepareBody(contentMarkdown: string): Promise<PreparedBody> {
  const { prepareIssueBody } = await import("#issue-body/prepare-issue-body.ts");
  return prepareIssueBody(contentMarkdown);
}

export async function storePrepared(
  trx: Transaction<Database>,
  { id, content_markdown }: { id: number; content_markdown: string },
  body: PreparedBody,
): Promise<void> {
  // PostgreSQL's text can't hold NUL.
  const row = {
    issue_id: id,
    body_key: keyOf(content_markdown),
    html: body.html.replaceAll("\0", ""),
    plain_text: body.plainText.replaceAll("\0", ""),
  };
  await trx
    .insertInto("prepared_issues")
    .values(row)
    .onConflict((conflict) => conflict.column("issue_id").doUpdateSet(row))
    .execute();
}

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
        card: await findCardPicture(db, body.html),
        older: heads[position + 1] ?? null,
        newer: heads[position - 1] ?? null,
      };
    },
    plainTexts: (ids) => readPlainTexts(db, ids),
    async edits() {
      const rows = await db.selectFrom("issue_edits").selectAll().execute();
      return new Map(rows.map(({ issue_id, edited_at }) => [issue_id, edited_at]));
    },
  };
}

async function readArchiveVersion(db: Db): Promise<string> {
  const row = await db.selectFrom("archive_version").select("version").executeTakeFirstOrThrow();
  return row.version;
}
