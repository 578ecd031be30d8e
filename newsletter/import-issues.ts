import { type Insertable, type Kysely, sql, type Transaction } from "kysely";
import { chunks } from "#db/chunks.ts";
import { isPostgres } from "#db/is-postgres.ts";
import type { Database, IssuesTable } from "#db/tables.ts";
import { prepareIssues } from "./prepared-issues.ts";
import { assertPublishDate } from "./publish-date.ts";
import type { IssueWords } from "./publish-issue.ts";

/** Rows in one statement, between which progress is told of. */
const rowsAtOnce = 100;

export type ImportedIssue = IssueWords & {
  /** Kept where given; an issue without one is published after the others. A positive safe integer. */
  id?: number;
};

type ImportResult = { ok: true; imported: number } | { ok: false; reason: "id_taken"; id: number };

/**
 * Imports issues in one transaction: all of them or none. An id that the table or an earlier issue of the list already
 * has refuses the whole import. Those without an id follow, in the order given, with ids above every imported one.
 * `onProgress` hears how many are in after each batch. Throws a RangeError for an id or date of another form.
 */
export async function importIssues(
  db: Kysely<Database>,
  issues: readonly ImportedIssue[],
  onProgress: (imported: number) => void = () => {},
): Promise<ImportResult> {
  const withId: { id: number; row: Insertable<IssuesTable> }[] = [];
  const withoutId: Insertable<IssuesTable>[] = [];
  for (const { id, title, html, publishDate } of issues) {
    assertPublishDate(publishDate);
    const row = { title, content_markdown: html, publish_date: publishDate };
    if (id === undefined) {
      withoutId.push(row);
    } else {
      assertIssueId(id);
      withId.push({ id, row: { id, ...row } });
    }
  }

  const result = await db.transaction().execute(async (trx): Promise<ImportResult> => {
    if (isPostgres(trx)) {
      // Reading goes on; nobody else can take an id between the check and the insert. SQLite is locked already.
      await sql`lock table final_newsletters in share row exclusive mode`.execute(trx);
    }
    const ids = withId.map(({ id }) => id);
    const taken = findRepeated(ids) ?? (await findTaken(trx, ids));
    if (taken !== null) {
      return { ok: false, reason: "id_taken", id: taken };
    }
    let imported = 0;
    const insert = async (rows: Insertable<IssuesTable>[]) => {
      for (const batch of chunks(rows, rowsAtOnce)) {
        await trx.insertInto("final_newsletters").values(batch).execute();
        imported += batch.length;
        onProgress(imported);
      }
    };
    await insert(withId.map(({ row }) => row));
    if (withId.length > 0 && isPostgres(trx)) {
      await moveSequencePastIds(trx);
    }
    await insert(withoutId);
    return { ok: true, imported };
  });
  // They are in: what can't be prepared now is when it is read.
  if (result.ok) await prepareIssues(db).catch(() => {});
  return result;
}

function assertIssueId(id: number): void {
  if (!Number.isSafeInteger(id) || id < 1) {
    throw new RangeError(`An issue's id must be a whole number from 1 up, not ${id}.`);
  }
}

function findRepeated(ids: number[]): number | null {
  const seen = new Set<number>();
  for (const id of ids) {
    if (seen.has(id)) {
      return id;
    }
    seen.add(id);
  }
  return null;
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
    if (row !== undefined) {
      return row.id;
    }
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
