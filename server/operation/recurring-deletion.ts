import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { createRecurringWork, type RecurringWork } from "#db/recurring-work.ts";
import type { Database } from "#db/tables.ts";
import { forgetDeletedPages } from "#newsletter/privacy.ts";
import { deleteExpired, deleteExpiredMailFiles, isClockTrusted } from "#newsletter/retention.ts";
import type { Metrics } from "../metrics.ts";

/** More often than a day, so that a server that is restarted each night still comes to it. */
const everyMs = 6 * 60 * 60 * 1000;

/** Keeps the privacy policy's promise of deletion for as long as the server runs: at the start and every six hours. */
export function createRecurringDeletion({
  db,
  dataDirectory,
  log,
  metrics,
}: {
  db: Kysely<Database>;
  /** Where mail files lie, if any. */
  dataDirectory: string;
  log: Logger;
  metrics: Metrics;
}): RecurringWork & { lastAt(): number | null } {
  let lastAt: number | null = null;

  async function run(stopping: AbortSignal) {
    try {
      const now = new Date();
      if (!(await isClockTrusted(db, now))) {
        log.warn(
          "The clock has jumped; nothing is deleted by it before the next look, in six hours",
        );
        return;
      }
      const mailFiles = await deleteExpiredMailFiles(dataDirectory, now);
      const deleted = { ...(await deleteExpired(db, now, stopping)), mailFiles };
      lastAt = Date.now();
      if (Object.values(deleted).some((count) => count > 0)) {
        log.info(deleted, "Deleted what is no longer to be kept");
        await forgetDeletedPages(db);
      }
    } catch (err) {
      metrics.deletionFailures.inc();
      log.error(
        { err },
        "What is no longer to be kept could not be deleted; the next try is in six hours",
      );
    }
  }

  const work = createRecurringWork(async (stopping) => {
    await run(stopping);
    return everyMs;
  });
  return { ...work, lastAt: () => lastAt };
}
