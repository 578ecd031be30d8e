import type { Kysely } from "kysely";
import type { Database } from "../database/tables.ts";
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

  async function look() {
    const beganAt = now();
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
    lookedAt = beganAt;
  }

  return {
    async has(id) {
      if (now() - lookedAt > lookEveryMs) {
        looking ??= look().finally(() => {
          looking = null;
        });
        await looking;
      }
      return ids?.has(id) ?? null;
    },
    lookAgain() {
      lookedAt = Number.NEGATIVE_INFINITY;
      // One under way may have read what was there before.
      looking =
        looking?.then(look).finally(() => {
          looking = null;
        }) ?? null;
    },
  };
}
