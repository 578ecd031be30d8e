import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Database } from "#backend/database/tables.ts";
import { readArchiveVersion } from "#backend/newsletter/archive-version.ts";
import { noteUnpreparedIssues } from "#backend/newsletter/note-unprepared-issues.ts";
import { prepareWaitingIssues } from "#backend/newsletter/prepare-waiting-issues.ts";
import type { PreparedBodyOf } from "#issue-body/prepared-bodies.ts";

/** How soon an issue that came from elsewhere than `issues publish` can be searched. */
const everyMs = 1_000;

type IssuePreparing = {
  start(): void;
  /** Resolves when it no longer touches the database. */
  stop(): Promise<void>;
};

/**
 * Prepares issues that were imported, written or changed by another program, or prepared by an older release, for as long
 * as the server runs.
 */
export function createIssuePreparing({
  db,
  preparedBodyOf,
  log,
}: {
  db: Kysely<Database>;
  preparedBodyOf: PreparedBodyOf;
  log: Logger;
}): IssuePreparing {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let isStopped = false;
  let isFailing = false;
  let hasLookedAtAll = false;
  let lastSeen = "";

  async function look() {
    try {
      if (!hasLookedAtAll) await noteUnpreparedIssues(db, { isStopped: () => isStopped });
      hasLookedAtAll = true;
      const seen = await readArchiveVersion(db);
      if (seen !== lastSeen) {
        const prepared = await prepareWaitingIssues(db, preparedBodyOf, {
          isStopped: () => isStopped,
        });
        if (prepared > 0) log.info({ prepared }, "Prepared issues for their pages and for search");
        lastSeen = seen;
      }
      isFailing = false;
    } catch (err) {
      // Said once: a database that is away is missed by others too.
      if (!isFailing) log.warn({ err }, "Issues could not be prepared; it is tried again");
      isFailing = true;
    }
  }

  function lookAndWait() {
    running = look().finally(() => {
      if (!isStopped) timer = setTimeout(lookAndWait, everyMs).unref();
    });
  }

  return {
    start: lookAndWait,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
