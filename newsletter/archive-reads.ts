import type { Kysely } from "kysely";
import { isRefusedValue } from "#db/error-code.ts";
import type { Database } from "#db/tables.ts";
import { readArchiveVersion } from "./archive-version.ts";

/** For so long, what was read of the primary's archive is taken to be so, unless something else is heard. */
const lookEveryMs = 1_000;
/** A primary that doesn't answer is left alone for so long more, since each try may take seconds. */
const primaryAwayMs = 4_000;
/** While a replica is behind, it is asked this often whether it has caught up. */
const askBehindEveryMs = 100;
/** A replica that fails is left alone for so long, and twice as long after each further time. */
const firstAwayMs = 1_000;
const longestAwayMs = 30_000;

/** Asks the archive, where that is best done. */
export type ReadArchive = <Result>(
  work: (db: Kysely<Database>) => Promise<Result>,
) => Promise<Result>;

export type ArchiveReads = {
  read: ReadArchive;
  hasReplica: boolean;
  /** The primary's version: what is read afterwards is of that version at least. */
  version(): Promise<string>;
  /** Something has changed: nothing is read from a replica before it is known to have it too. */
  lookAgain(): void;
};

/**
 * Reads of the archive, from a replica where it has the primary's version of the archive, and else from the primary: what
 * was published or removed is read by everybody at once, however far the replica is behind with the rest. While the
 * primary is away, the replica is read as it is.
 */
export function createArchiveReads(
  primary: Kysely<Database>,
  replica: Kysely<Database> | null,
  {
    now = () => performance.now(),
    onReplicaAway = () => {},
  }: { now?: () => number; onReplicaAway?: (error: unknown) => void } = {},
): ArchiveReads {
  /** The latest version that is known of; null where the primary did not say. */
  let wanted: string | null = null;
  let seen: string | null = null;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let askedAt = Number.NEGATIVE_INFINITY;
  let awayUntil = Number.NEGATIVE_INFINITY;
  let awayMs = firstAwayMs;
  let looking: Promise<void> | null = null;

  function want(version: string, asked: number) {
    if (version !== wanted) askedAt = Number.NEGATIVE_INFINITY;
    wanted = version;
    lookedAt = Math.max(lookedAt, asked);
  }

  async function look(db: Kysely<Database>) {
    const asked = now();
    if (asked - lookedAt > lookEveryMs) {
      await readArchiveVersion(primary).then(
        (version) => want(version, asked),
        () => {
          wanted = null;
          lookedAt = now() + primaryAwayMs;
        },
      );
    }
    if (wanted === null || seen === wanted || asked - askedAt < askBehindEveryMs) return;
    askedAt = asked;
    seen = await readArchiveVersion(db);
  }

  function isAsGood(): boolean {
    return wanted === null || seen === wanted;
  }

  function leaveAlone(error: unknown) {
    // It would be refused anywhere.
    if (isRefusedValue(error)) return;
    seen = null;
    awayUntil = now() + awayMs;
    awayMs = Math.min(longestAwayMs, awayMs * 2);
    onReplicaAway(error);
  }

  return {
    hasReplica: replica !== null,
    async read(work) {
      if (!replica || now() < awayUntil) return await work(primary);
      try {
        // One look at a time, for all who ask meanwhile.
        looking ??= look(replica).finally(() => {
          looking = null;
        });
        await looking;
        if (isAsGood()) {
          const result = await work(replica);
          awayMs = firstAwayMs;
          return result;
        }
      } catch (error) {
        leaveAlone(error);
      }
      return await work(primary);
    },
    async version() {
      const asked = now();
      const version = await readArchiveVersion(primary);
      want(version, asked);
      return version;
    },
    lookAgain() {
      lookedAt = Number.NEGATIVE_INFINITY;
    },
  };
}
