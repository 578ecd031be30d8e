import { type Kysely, sql } from "kysely";
import { isPostgres } from "#db/is-postgres.ts";
import type { Database } from "#db/tables.ts";
import { readArchiveVersion } from "./archive-version.ts";

/** Ids in memory take some 50 bytes each. A weekly newsletter has as many in nineteen centuries. */
const idsMax = 100_000;

/** For so long, what was read of the archive is taken to be so. */
const lookEveryMs = 1_000;

type IssueIds = {
  /** Whether there is an issue with the id; null where there are too many to know. */
  has(id: number): Promise<boolean | null>;
  /** The next question is answered from what the database says then. */
  lookAgain(): void;
};

/**
 * Tells whether there is an issue with an id, without asking the database each time: strangers ask for a million that
 * there aren't. What is published or removed is known within a second.
 */
export function createIssueIds(
  db: Kysely<Database>,
  { now = () => performance.now() } = {},
): IssueIds {
  let ids: ReadonlySet<number> | null = null;
  let version: string | null = null;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | null = null;
  /** Counts what has been heard of changes: a look that was begun before one may have read what was there before. */
  let heard = 0;

  async function look() {
    const beganAt = now();
    const heardBefore = heard;
    const latest = await readArchiveVersion(db);
    const stored = latest === version ? null : await readIds(db);
    if (heard !== heardBefore) return;
    if (stored) ids = stored.length > idsMax ? null : new Set(stored);
    version = latest;
    lookedAt = beganAt;
  }

  /** One look at a time, for all who ask meanwhile. */
  function lookNow(): Promise<void> {
    const mine = look().finally(() => {
      if (looking === mine) looking = null;
    });
    looking = mine;
    return mine;
  }

  return {
    async has(id) {
      if (now() - lookedAt > lookEveryMs) await (looking ?? lookNow());
      return ids?.has(id) ?? null;
    },
    lookAgain() {
      heard += 1;
      lookedAt = Number.NEGATIVE_INFINITY;
      looking = null;
    },
  };
}

/** As one value: ten thousand rows, each an object of its own, take 3 ms of everybody's thread, and so 0.6. */
async function readIds(db: Kysely<Database>): Promise<number[]> {
  const list = isPostgres(db) ? sql`json_agg(id)::text` : sql`json_group_array(id)`;
  const { rows } = await sql<{ ids: string | null }>`
    select ${list} as ids
    from (select id from final_newsletters limit ${idsMax + 1}) as issues`.execute(db);
  return JSON.parse(rows[0]?.ids ?? "[]");
}
