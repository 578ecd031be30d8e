import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type ExpressionBuilder, type Kysely, sql } from "kysely";
import { lockForReplacement, replaceRows } from "#db/copy.ts";
import type { OpenDatabase } from "#db/database-handle.ts";
import { describeCauses, errorCode } from "#db/describe-causes.ts";
import type { DatabaseSettings } from "#db/open-database.ts";
import { isSqliteBusy } from "#db/open-sqlite.ts";
import { endLease, takeLease } from "#db/recurring-work.ts";
import type { Database, Db, LeavingWay } from "#db/tables.ts";
import { applyEvent } from "#newsletter/apply-event.ts";
import { addressHash, loadSubscriber, recordDeparture } from "#newsletter/load-subscriber.ts";
import { forgetDeletedPages, repeatErasures } from "#newsletter/privacy.ts";
import { deleteExpired } from "#newsletter/retention.ts";
import { sendsHeld } from "#newsletter/sends/recipients.ts";
import { backUpInto } from "./nightly-backup.ts";
import { type UnfitBackup, withBackup } from "./read-backup.ts";

// A restore beside the running site replaces rows and not files: every process has the database open, and PostgreSQL has
// no file. All of it is one transaction, so that a process that is killed leaves what was there.

/** What belongs to this installation and not to a day: who opens the desk, who did what, and how backups went. */
const kept = new Set([
  ...["desk_people", "desk_links", "desk_passkeys", "desk_sessions"],
  ...["backups", "marks", "leases"],
]);
/** Some of that day's sessions and links have been ended since. */
const keptWhereNew = new Set(["desk_links", "desk_sessions", "backups", "marks", "leases"]);

const whileRestoring = "A backup was restored. Look who has the issue already, then resume it.";
const since =
  "A backup was restored, and this may have gone out since. It goes out again only if you say so.";

/** Mail servers answer within that. */
const settleMs = 20_000;
/** For writes of the site's to end. */
const lockWaitMs = 20_000;

type Restore = {
  file: string;
  folder: string;
  settings: DatabaseSettings;
  now: Date;
  /** Nobody has used the database yet: it isn't backed up first, and whoever opens the desk comes with the backup. */
  isNew?: boolean;
  /** What the new one takes the place of, to be read as far as that goes. */
  former?: Db | null;
};

export type RestoredBackup = {
  ok: true;
  /** The backup of what was there, in the same folder; null where there was nothing. */
  before: string | null;
  /** What brought a backup of an older version up to date. */
  migrated: string[];
  /** Whether what has happened since the backup could be read. */
  isPastKnown: boolean;
  /** Of those in the backup: who was erased, and who left or bounced, since. */
  erasedAgain: number;
  endedAgain: number;
  /** What waits until the owner says that it goes out. */
  heldMails: number;
  pausedSends: number;
  stoppedPlans: number;
};

export type NotRestored =
  | UnfitBackup
  /** Somebody else was writing all the time. */
  | { ok: false; reason: "busy" }
  /** Another restore is, or was killed less than a minute ago. */
  | { ok: false; reason: "under_way" };

/**
 * Puts what a backup holds in the place of what is stored, beside the running site, and a backup of that into the same
 * folder first. Nobody who was erased or has left since comes back, and nothing that may have gone out since goes out
 * again by itself.
 */
export async function restoreBackup(
  open: OpenDatabase,
  restore: Restore,
): Promise<RestoredBackup | NotRestored> {
  const { file, folder, settings, now, isNew = false, former = null } = restore;
  const holder = randomUUID();
  // Ends by itself where this process is killed. Then sends go on from what was there.
  const holdSends = () => takeLease(open.db, { ...sendsHeld, holder, now: new Date() });
  return await withBackup(file, folder, async (copy): Promise<RestoredBackup | NotRestored> => {
    const before = isNew ? null : await backUpFirst(settings, folder, now);
    if (before && !before.ok) return before;
    try {
      if (!(await holdSends())) return { ok: false, reason: "under_way" };
      await untilMailsSettle(open.db);
      const past = former && (await carryOver(former, copy.db, now).catch(() => null));
      let first = past;
      const carried = await untilLocked(async () => {
        await holdSends();
        return await open.withoutTimeouts(
          (db) =>
            db.transaction().execute(async (trx) => {
              const stays = isNew ? keptWhereNew : kept;
              await lockForReplacement(copy.db, trx, stays);
              const done = past ?? (await carryOver(trx, copy.db, now));
              // Another try finds in the copy what the first has done already.
              first ??= done;
              await replaceRows(copy.db, trx, stays);
              return first;
            }),
          { lockWaitMs },
        );
      });
      // It is restored, whatever fails from here on.
      await forgetDeletedPages(open.db).catch(() => {});
      const isPastKnown = !isNew || past !== null;
      const { migrated } = copy;
      return { ok: true, before: before?.file ?? null, migrated, isPastKnown, ...carried };
    } catch (error) {
      if (isLocked(error)) return { ok: false, reason: "busy" };
      return { ok: false, reason: "failed", why: describeCauses(error) };
    } finally {
      const lease = { name: sendsHeld.name, holder, until: new Date() };
      await endLease(open.db, lease).catch(() => {});
    }
  });
}

async function backUpFirst(settings: DatabaseSettings, folder: string, now: Date) {
  // The older ones stay: only a night's backup knows for how long they are kept.
  const how = { folder, now, keepDays: 0, reason: "before-restore" } as const;
  const before = await backUpInto(settings, how);
  if (before.ok) return before;
  const why = `what is there now could not be backed up first: ${before.why}`;
  return { ok: false, reason: "failed", why } as const;
}

/** A visitor's transaction may have one of the tables and wait for another; of the two, PostgreSQL ends one. */
async function untilLocked<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isLocked(error) || attempt === 5) throw error;
    }
  }
}

function isLocked(error: unknown): boolean {
  return isSqliteBusy(error) || ["40P01", "55P03"].includes(errorCode(error) ?? "");
}

/** Waits until no mail is with a mail server. */
async function untilMailsSettle(db: Db): Promise<void> {
  for (const end = Date.now() + settleMs; Date.now() < end; await delay(100)) {
    const at = new Date().toISOString();
    const { rows } = await sql<{ count: number }>`select
      (select count(*) from send_rows where state = 'handed_over' and due_at > ${at})
      + (select count(*) from outbox where claimed_until > ${at} and delivered_at is null
          and failed_at is null) as count`.execute(db);
    if (Number(rows[0]?.count) === 0) return;
  }
}

/** Brings into the copy what has happened since and must not be undone. */
async function carryOver(present: Db, copy: Kysely<Database>, now: Date) {
  const erasures = await present.selectFrom("erasures").selectAll().execute();
  const erasedAgain = await repeatErasures(copy, erasures, now);
  const endedAgain = await repeatEnds(present, copy, now);
  const pausedSends = await carrySendsOver(present, copy);
  const heldMails = await holdMails(present, copy, now);
  const stoppedPlans = await stopPlans(present, copy, now);
  await renumberDrafts(present, copy);
  await deleteExpired(copy, now);
  return { erasedAgain, endedAgain, heldMails, pausedSends, stoppedPlans };
}

const chunkSize = 500;

type End = { mailbox: string; event: "leave" | "bounce"; at: string; way: LeavingWay | undefined };

/** Whoever left, or whose address bounced, stays so; whoever isn't in the copy is remembered by a hash. */
async function repeatEnds(present: Db, copy: Kysely<Database>, now: Date): Promise<number> {
  let repeated = 0;
  for (let afterId = 0; ; ) {
    const rows = await present
      .selectFrom("subscribers")
      .select(["id", "mailbox_key", "unsubscribed_at", "bounced_at"])
      .where((on) =>
        on.or([on("unsubscribed_at", "is not", null), on("bounced_at", "is not", null)]),
      )
      .where("id", ">", afterId)
      .orderBy("id")
      .limit(chunkSize)
      .execute();
    const last = rows.at(-1);
    if (!last) break;
    afterId = last.id;
    const ways = await present
      .selectFrom("consent_events")
      .select(["mailbox_key", "way"])
      .where("event", "=", "left")
      .where(
        "mailbox_key",
        "in",
        rows.map(({ mailbox_key }) => mailbox_key),
      )
      .orderBy("id")
      .execute();
    const wayOf = new Map(ways.map(({ mailbox_key, way }) => [mailbox_key, way ?? undefined]));
    const ends = rows.map(({ mailbox_key: mailbox, unsubscribed_at, bounced_at }): End => {
      const event = unsubscribed_at ? "leave" : "bounce";
      return { mailbox, event, at: unsubscribed_at ?? bounced_at ?? "", way: wayOf.get(mailbox) };
    });
    repeated += await endIn(copy, ends, now);
  }
  const departures = await present.selectFrom("departures").selectAll().execute();
  if (departures.length === 0) return repeated;
  const leftAt = new Map(departures.map(({ address_hash, left_at }) => [address_hash, left_at]));
  const known = await copy
    .selectFrom("subscribers")
    .select("mailbox_key as mailbox")
    .where("unsubscribed_at", "is", null)
    .execute();
  const gone = known.flatMap(({ mailbox }): End[] => {
    const at = leftAt.get(addressHash(mailbox));
    return at === undefined ? [] : [{ mailbox, event: "leave", at, way: undefined }];
  });
  for (let from = 0; from < departures.length; from += chunkSize) {
    await copy
      .insertInto("departures")
      .values(departures.slice(from, from + chunkSize))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  return repeated + (await endIn(copy, gone, now));
}

async function endIn(copy: Kysely<Database>, ends: End[], now: Date): Promise<number> {
  if (ends.length === 0) return 0;
  return await copy.transaction().execute(async (trx) => {
    let changed = 0;
    for (const { mailbox, event, at, way } of ends) {
      const loaded = await loadSubscriber(trx, mailbox, now);
      if (!loaded.row) {
        if (event === "leave") await recordDeparture(trx, { mailbox, leftAt: at });
        continue;
      }
      const { unsubscribed_at, confirmed_at, released_at } = loaded.row;
      // The copy may be the newer one, in which they came back.
      const backAt = event === "bounce" ? (released_at ?? "") : "";
      if (unsubscribed_at !== null || at < (confirmed_at ?? "") || at < backAt) continue;
      const happening = { event, way, now, occurredAt: new Date(at), newsletterWebhookUrl: null };
      const { state } = loaded;
      await applyEvent(trx, loaded, happening);
      const after = await loadSubscriber(trx, mailbox, now);
      if (after.state !== state) changed += 1;
    }
    return changed;
  });
}

/**
 * What has been mailed of an issue that the copy has stays known, so that a send that goes on, or a new one, mails nobody
 * twice. Every send that is open is paused.
 */
async function carrySendsOver(present: Db, copy: Kysely<Database>): Promise<number> {
  const [ours, theirs] = [await listSends(present), await listSends(copy)];
  const there = new Map(theirs.map((send) => [send.id, send]));
  const shared = ours.filter(({ id }) => there.has(id));
  // The ids of another installation's mean other sends. Of the same one, either may have sends that the other has not.
  const isSameSite =
    shared.every(({ id, send_key }) => there.get(id)?.send_key === send_key) &&
    (shared.length > 0 || theirs.length === 0);
  await copy.transaction().execute(async (trx) => {
    const issues = await trx.selectFrom("final_newsletters").select("id").execute();
    const issueIds = new Set(issues.map(({ id }) => id));
    for (const { id, issue_id } of isSameSite ? ours : []) {
      const isEnded = (there.get(id)?.ended_at ?? null) !== null;
      if (!issueIds.has(issue_id) || isEnded) continue;
      const whole = present.selectFrom("sends").selectAll().where("id", "=", id);
      const send = await whole.executeTakeFirstOrThrow();
      await trx
        .insertInto("sends")
        .values(send)
        .onConflict((known) => known.column("id").doUpdateSet(send))
        .execute();
      await carryRowsOver(present, trx, send);
    }
  });
  const { numUpdatedRows } = await copy
    .updateTable("sends")
    .set({ state: "paused", pause_reason: whileRestoring })
    .where("ended_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

async function listSends(db: Db) {
  const sends = db.selectFrom("sends").select(["id", "send_key", "issue_id", "ended_at"]);
  return await sends.orderBy("id").execute();
}

/** Whoever has the issue by either of the two has it. A row that another send withdrew may have come to this one. */
async function carryRowsOver(
  present: Db,
  trx: Db,
  { id, issue_id }: { id: number; issue_id: number },
): Promise<void> {
  for (let afterId = 0; ; ) {
    const rows = await present
      .selectFrom("send_rows")
      .selectAll()
      .where("send_id", "=", id)
      .where("id", ">", afterId)
      .orderBy("id")
      .limit(chunkSize)
      .execute();
    const last = rows.at(-1);
    if (!last) return;
    afterId = last.id;
    const ofIssue = (readers: number[]) => (on: ExpressionBuilder<Database, "send_rows">) =>
      on.and([on("issue_id", "=", issue_id), on("reader_id", "in", readers)]);
    const readers = rows.map(({ reader_id }) => reader_id);
    const settled = await trx
      .selectFrom("send_rows")
      .select("reader_id")
      .where(ofIssue(readers))
      .where("state", "in", ["accepted", "refused"])
      .execute();
    const have = new Set(settled.map(({ reader_id }) => reader_id));
    const carried = rows.filter(({ reader_id }) => !have.has(reader_id));
    if (carried.length === 0) continue;
    await trx
      .deleteFrom("send_rows")
      .where(ofIssue(carried.map(({ reader_id }) => reader_id)))
      .execute();
    await trx.insertInto("send_rows").values(carried).execute();
  }
}

/** A mail or call waits on only if it still waits here, too, and nobody is at it. */
async function holdMails(present: Db, copy: Kysely<Database>, now: Date): Promise<number> {
  let held = 0;
  for (let afterId = 0; ; ) {
    const jobs = await copy
      .selectFrom("outbox")
      .select(["id", "delivery_id"])
      .where("delivered_at", "is", null)
      .where("failed_at", "is", null)
      .where("id", ">", afterId)
      .orderBy("id")
      .limit(chunkSize)
      .execute();
    const last = jobs.at(-1);
    if (!last) return held;
    afterId = last.id;
    const known = await present
      .selectFrom("outbox")
      .select(["delivery_id", "delivered_at", "failed_at", "last_error", "claimed_until"])
      .where(
        "delivery_id",
        "in",
        jobs.map(({ delivery_id }) => delivery_id),
      )
      .execute();
    for (const { id, delivery_id } of jobs) {
      const here = known.find((job) => job.delivery_id === delivery_id);
      const job = copy.updateTable("outbox").where("id", "=", id);
      if (here && (here.delivered_at ?? here.failed_at) !== null) {
        const { delivered_at, failed_at, last_error } = here;
        await job.set({ delivered_at, failed_at, last_error }).execute();
      } else if (!here || (here.claimed_until ?? "") > now.toISOString()) {
        await job.set({ failed_at: now.toISOString(), last_error: since }).execute();
        held += 1;
      }
    }
  }
}

/** A plan stays only if it is the same here, too, and its hour is still to come. */
async function stopPlans(present: Db, copy: Kysely<Database>, now: Date): Promise<number> {
  const plans = await copy.selectFrom("plans").selectAll().where("problem", "is", null).execute();
  const here = await present.selectFrom("plans").selectAll().execute();
  let stopped = 0;
  for (const { id, draft_id, due_at, created_at } of plans) {
    const isSame = here.some(
      (plan) =>
        plan.id === id &&
        plan.draft_id === draft_id &&
        plan.due_at === due_at &&
        plan.created_at === created_at,
    );
    if (isSame && due_at > now.toISOString()) continue;
    await copy.updateTable("plans").set({ problem: since }).where("id", "=", id).execute();
    stopped += 1;
  }
  return stopped;
}

/** So that a version never means two texts: a window that was opened before is asked, and saves over nobody's words. */
async function renumberDrafts(present: Db, copy: Kysely<Database>): Promise<void> {
  const drafts = present.selectFrom("drafts").select(["id", "version", "saved_at"]);
  for (const { id, version, saved_at } of await drafts.execute()) {
    const next = version + 1;
    const base_version = sql<number>`case when base_version = version then ${next} else base_version end`;
    await copy
      .updateTable("drafts")
      .set({ version: next, base_version })
      .where("id", "=", id)
      .where("version", "<=", version)
      .where((on) => on.or([on("version", "<", version), on("saved_at", "<>", saved_at)]))
      .execute();
  }
}
