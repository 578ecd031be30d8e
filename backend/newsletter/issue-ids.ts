import type { Kysely } from "kysely";
import type { Database } from "../database/tables.ts";
import { readArchiveVersion } from "./archive-version.ts";

/** Ids in memory take some 50 bytes each. A weekly newsletter has as many in nineteen centuries. */
const idsMax = 100_000;

/** For so long, what was read of the archive is taken to be so. */
const lookEveryMs = 1_000;

/**
 * Tells whether there is an issue with an id, without asking the database each time: strangers ask for a million that
 * there aren't. What is published or removed is known within a second. Null where there are too many to know.
 */
export function createIssueIds(
  db: Kysely<Database>,
  { now = () => performance.now() } = {},
): (id: number) => Promise<boolean | null> {
  let ids: ReadonlySet<number> | null = null;
  let version: string | null = null;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | null = null;

  async function look() {
    const latest = await readArchiveVersion(db);
    if (latest !== version) {
      const rows = await db
        .selectFrom("final_newsletters")
        .select("id")
        .limit(idsMax + 1)
        .execute();
      ids = rows.length > idsMax ? null : new Set(rows.map(({ id }) => id));
      version = latest;
    }
    lookedAt = now();
  }

  return async (id) => {
    if (now() - lookedAt > lookEveryMs) {
      looking ??= look().finally(() => {
        looking = null;
      });
      await looking;
    }
    return ids?.has(id) ?? null;
  };
}
