import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { createRecurringWork, type RecurringWork } from "#db/recurring-work.ts";
import type { Database } from "#db/tables.ts";
import type { PrepareNow } from "#issue-body/prepared-bodies.ts";
import { readArchiveVersion } from "#newsletter/archive-version.ts";
import { noteUnpreparedIssues } from "#newsletter/note-unprepared-issues.ts";
import { prepareWaitingIssues } from "#newsletter/prepare-waiting-issues.ts";

/** How soon an issue that came from elsewhere than `issues publish` can be searched. */
const everyMs = 1_000;

/**
 * Prepares issues that were imported, written or changed by another program, or prepared by an older release, for as long
 * as the server runs.
 */
export function createIssuePreparing({
  db,
  prepareNow,
  log,
}: {
  db: Kysely<Database>;
  prepareNow: PrepareNow;
  log: Logger;
}): RecurringWork {
  let isFailing = false;
  let hasLookedAtAll = false;
  let lastSeen = "";

  return createRecurringWork(async (stopping) => {
    const isStopped = () => stopping.aborted;
    try {
      if (!hasLookedAtAll) await noteUnpreparedIssues(db, { isStopped });
      hasLookedAtAll = true;
      const seen = await readArchiveVersion(db);
      if (seen !== lastSeen) {
        const prepared = await prepareWaitingIssues(db, prepareNow, { isStopped });
        if (prepared > 0) log.info({ prepared }, "Prepared issues for their pages and for search");
        lastSeen = seen;
      }
      isFailing = false;
    } catch (err) {
      // Said once: a database that is away is missed by others too.
      if (!isFailing) log.warn({ err }, "Issues could not be prepared; it is tried again");
      isFailing = true;
    }
    return everyMs;
  });
}
