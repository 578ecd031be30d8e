import { randomUUID } from "node:crypto";
import type { FetchMessageObject, ImapFlow } from "imapflow";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { endLease, takeLease } from "#db/lease.ts";
import { createRecurringWork, type RecurringWork } from "#db/recurring-work.ts";
import type { Database } from "#db/tables.ts";
import { connectToMailbox, folderOf } from "./connect-to-mailbox.ts";
import { type ReportOutcome, recordReport } from "./record-report.ts";
import type { ReturnPaths } from "./return-path.ts";

type BounceMailboxLimits = {
  /** How often it's looked; of all copies of the server one does. */
  pollMs: number;
  /** The longest time between two looks while it can't be reached. */
  outageBackoffMaxMs: number;
  /** Who looks for longer counts as dead, and ends the look itself before. */
  leaseMs: number;
};

const minuteMs = 60_000;

const defaultLimits: BounceMailboxLimits = {
  pollMs: minuteMs,
  outageBackoffMaxMs: 15 * minuteMs,
  leaseMs: 10 * minuteMs,
};

/** Messages of one look; the others wait for the next. */
const messagesMax = 500;
/** Of each so much is read: a report says what it has to say before it repeats the mail. Bytes. */
const messageMaxBytes = 256 * 1024;

type BounceMailboxOptions = {
  db: Kysely<Database>;
  log: Logger;
  /** `imaps://user:password@host:port/folder`. */
  url: string;
  returnPaths: ReturnPaths;
  onReport?: (outcome: ReportOutcome) => void;
  clock?: () => Date;
  limits?: Partial<BounceMailboxLimits>;
};

/**
 * Reads the mailbox that mail comes back to, for as long as it runs. What it has understood is marked as read, what it
 * hasn't as flagged, for a person to look at; neither is looked at again, and nothing is deleted or moved.
 */
export function createBounceMailbox(options: BounceMailboxOptions): RecurringWork {
  const { db, log, url, returnPaths, onReport = () => {} } = options;
  const clock = options.clock ?? (() => new Date());
  const limits = { ...defaultLimits, ...options.limits };
  let client: ImapFlow | null = null;
  let retryMs = limits.pollMs;

  const looking = createRecurringWork(async (stopping) => {
    try {
      const lease = { name: "bounce mailbox", holder: randomUUID(), leaseMs: limits.leaseMs };
      const now = clock();
      if (await takeLease(db, { ...lease, now })) {
        try {
          await readMailbox(new Date(now.getTime() + limits.leaseMs / 2), stopping);
        } finally {
          await endLease(db, {
            ...lease,
            until: new Date(clock().getTime() + limits.pollMs * 0.9),
          });
        }
      }
      retryMs = limits.pollMs;
    } catch (err) {
      if (stopping.aborted) return retryMs;
      retryMs = Math.min(limits.outageBackoffMaxMs, retryMs * 2);
      log.warn({ err, retryInMs: retryMs }, "The bounce mailbox can't be read");
    } finally {
      client?.close();
      client = null;
    }
    return retryMs;
  });

  async function readMailbox(until: Date, stopping: AbortSignal) {
    client = await connectToMailbox(url);
    await client.mailboxOpen(folderOf(url));
    const found = await client.search(
      { seen: false, flagged: false, deleted: false },
      { uid: true },
    );
    for (const uid of (found || []).slice(0, messagesMax)) {
      if (stopping.aborted || clock() > until) return;
      const message = await client.fetchOne(
        String(uid),
        { source: { start: 0, maxLength: messageMaxBytes } },
        { uid: true },
      );
      if (message) await handle(client, uid, message);
    }
    await client.logout();
  }

  async function handle(imap: ImapFlow, uid: number, { source }: FetchMessageObject) {
    const message = source ?? Buffer.alloc(0);
    const outcome = await recordReport(db, returnPaths, { message, now: clock() });
    const isUnderstood = outcome !== "unproven" && outcome !== "unreadable";
    // After the record: a message that is marked was kept, one that was kept and not marked is known the next time.
    await imap.messageFlagsAdd(String(uid), [isUnderstood ? "\\Seen" : "\\Flagged"], { uid: true });
    onReport(outcome);
    log.info({ outcome }, "A message in the bounce mailbox was read");
  }

  return {
    start: looking.start,
    async stop() {
      const stopped = looking.stop();
      client?.close();
      await stopped;
    },
  };
}
