import type { Kysely, Transaction } from "kysely";
import type { Logger } from "pino";
import { shortTorontoTime } from "#content/toronto-time.ts";
import { isPostgres } from "#db/database-handle.ts";
import { isHeld } from "#db/marks.ts";
import { createRecurringWork, type RecurringWork } from "#db/recurring-work.ts";
import type { Database, Db, SendAudience } from "#db/tables.ts";
import { enqueue } from "#mail/outbox-jobs.ts";
import type { Config } from "#settings/settings.ts";
import { latestMs } from "../sends/recipients.ts";
import { refuseHour, settingsMissingToSend } from "../sends/send-issue.ts";
import { countAudience, listSends, queueSend } from "../sends/sends.ts";
import {
  type Draft,
  lockDraft,
  type PublishDraftResult,
  publishDraft,
  readDraft,
} from "./drafts.ts";
import { findIssue } from "./issues.ts";
import { describePlanRefusal, type PlanRefusal } from "./plan-words.ts";

type Site = { db: Kysely<Database>; config: Config; now: Date };

export type Plan = {
  id: number;
  draftId: number;
  title: string;
  dueAt: string;
  /** To whom it is mailed too; null: to nobody. */
  audience: SendAudience | null;
  problem: string | null;
};

/** The earliest first; those of these drafts alone, where some are named. */
export async function listPlans(
  db: Db,
  { draftIds, limit = 500 }: { draftIds?: number[]; limit?: number } = {},
): Promise<Plan[]> {
  let query = db
    .selectFrom("plans")
    .innerJoin("drafts", "drafts.id", "draft_id")
    .select(["plans.id", "draft_id as draftId", "title", "due_at as dueAt", "audience", "problem"])
    .orderBy("due_at")
    .limit(limit);
  if (draftIds) query = query.where("draft_id", "in", [0, ...draftIds]);
  return await query.execute();
}

type PlanResult =
  /** `recipients`: who would be mailed now. */
  | { ok: true; planId: number; draftId: number; at: Date; recipients: number }
  | ({ ok: false } & PlanRefusal);

type When = { at: Date; audience: SendAudience | null };

/** Plans to publish a draft at an hour, as it is then, and perhaps to mail it. A plan that it has is replaced. */
export async function planDraft(
  site: Site,
  { draftId, ...when }: When & { draftId: number },
): Promise<PlanResult> {
  return await site.db
    .transaction()
    .execute(async (trx) => await plan(trx, site, await lockDraft(trx, draftId), when));
}

async function plan(trx: Db, site: Site, draft: Draft | null, when: When): Promise<PlanResult> {
  if (!draft || draft.binned_at !== null) {
    return { ok: false, reason: "unknown_draft" };
  }
  const issue = draft.issue_id === null ? null : await findIssue(trx, draft.issue_id);
  if (issue) return { ok: false, reason: "is_published" };
  const read = await readDraft(draft, null, when.at);
  if (!read.ok) return { ok: false, reason: "unreadable", problems: read.problems };
  const refusal = refuse(site, when);
  return refusal ? { ok: false, ...refusal } : await store(trx, site, draft.id, when);
}

async function store(trx: Db, { now }: Site, draftId: number, when: When): Promise<PlanResult> {
  const { at, audience } = when;
  const values = { due_at: at.toISOString(), audience, problem: null };
  const { id } = await trx
    .insertInto("plans")
    .values({ draft_id: draftId, created_at: now.toISOString(), ...values })
    .onConflict((conflict) => conflict.column("draft_id").doUpdateSet(values))
    .returning("id")
    .executeTakeFirstOrThrow();
  const recipients = audience === null ? 0 : (await countAudience(trx, 0)).confirmed;
  return { ok: true, planId: id, draftId, at, recipients };
}

function refuse({ config, now }: Site, when: When): PlanRefusal | null {
  return refuseHour(when.at, now) ?? refuseSettings(config, when);
}

function refuseSettings(config: Config, { audience }: Pick<When, "audience">): PlanRefusal | null {
  const missing = audience === null ? [] : settingsMissingToSend(config);
  return missing.length > 0 ? { reason: "settings_missing", missing } : null;
}

/** Calls a plan off; the draft stays. */
export async function cancelPlan(db: Db, id: number): Promise<void> {
  await db.deleteFrom("plans").where("id", "=", id).execute();
}

/**
 * Publishes a draft as it was saved as `version`, or corrects its issue with it; a plan of the draft goes. A new issue is
 * mailed to `audience`, once.
 */
export async function publishNow(
  site: Site,
  { id, version, audience = null }: { id: number; version: number; audience?: SendAudience | null },
): Promise<(PublishDraftResult & { sendId?: number }) | ({ ok: false } & PlanRefusal)> {
  const { now } = site;
  const missing = audience === null ? [] : settingsMissingToSend(site.config);
  if (missing.length > 0) return { ok: false, reason: "settings_missing", missing };
  return await site.db.transaction().execute(async (trx) => {
    const published = await publishDraft(trx, { id, version, now });
    if (!published.ok) return published;
    await trx.deleteFrom("plans").where("draft_id", "=", id).execute();
    if (audience === null) return published;
    return { ...published, sendId: await mail(trx, { ...published, audience, now, at: now }) };
  });
}

type CarriedOut = { plan: number } & ({ issue: number; send: number | null } | { problem: string });

/**
 * Carries out each plan whose hour has come, once, and each as a whole or not at all. Throws what the first failed of, after
 * the others.
 */
export async function carryOutDuePlans(site: Site): Promise<CarriedOut[]> {
  const due = await duePlans(site.db, site.now).execute();
  const done: CarriedOut[] = [];
  const failures: unknown[] = [];
  for (const { id, draft_id } of due) {
    try {
      const one = await site.db
        .transaction()
        .execute((trx) => carryOut(trx, site, { id, draftId: draft_id }));
      if (one) done.push(one);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return done;
}

function duePlans(db: Db, now: Date) {
  return db
    .selectFrom("plans")
    .select(["id", "draft_id", "due_at", "audience"])
    .where("problem", "is", null)
    .where("due_at", "<=", now.toISOString())
    .where(({ not }) => not(isHeld))
    .orderBy("due_at");
}

async function carryOut(
  trx: Transaction<Database>,
  site: Site,
  { id, draftId }: { id: number; draftId: number },
): Promise<CarriedOut | null> {
  const { now } = site;
  // Before the plan, in the order of a publication by hand, so that the two can't deadlock.
  const draft = await lockDraft(trx, draftId);
  const due = await duePlans(trx, now)
    .where("id", "=", id)
    .$if(isPostgres(trx), (select) => select.forUpdate())
    .executeTakeFirst();
  if (!draft || !due) return null;
  const { audience, due_at } = due;
  async function stop(problem: string): Promise<CarriedOut> {
    await trx.updateTable("plans").set({ problem }).where("id", "=", id).execute();
    const payload = { draftId, title: draft?.title ?? "", dueAt: due_at, reason: problem };
    await enqueue(trx, { kind: "unpublished-email", payload, now });
    return { plan: id, problem };
  }
  if (now.getTime() - Date.parse(due_at) > latestMs) {
    return await stop(
      `It was to be published on ${shortTorontoTime(due_at)}, more than six hours ago; the site wasn't running then.`,
    );
  }
  const refusal = refuseSettings(site.config, { audience });
  if (refusal) return await stop(describePlanRefusal(refusal));
  const published = await publishDraft(trx, { id: draftId, version: draft.version, now });
  if (!published.ok) {
    if (published.reason === "changed_elsewhere" || published.reason === "issue_changed")
      throw new Error(`Draft ${draftId} was not published: ${published.reason}`);
    return await stop(describePlanRefusal(published));
  }
  await trx.deleteFrom("plans").where("id", "=", id).execute();
  const { issueId } = published;
  if (audience === null) return { plan: id, issue: issueId, send: null };
  const send = await mail(trx, { issueId, audience, now, at: new Date(due_at) });
  return { plan: id, issue: issueId, send };
}

/** Queues the send of an issue that was published a moment ago. Published twice, it is sent once. */
async function mail(
  trx: Transaction<Database>,
  { issueId, audience, now, at }: { issueId: number; audience: SendAudience; now: Date; at: Date },
): Promise<number> {
  const issue = await findIssue(trx, issueId);
  if (!issue) throw new Error(`Issue ${issueId} was published, and isn't there.`);
  const [earlier] = await listSends(trx, { issueId });
  if (earlier) return earlier.id;
  const queued = await queueSend(trx, { issue, audience, preheader: null, now, beginsAt: at });
  return queued.ok ? queued.id : queued.openId;
}

const lookEveryMs = 1_000;

/** Carries out plans at their hours for as long as the server runs. */
export function watchPlans({
  db,
  config,
  log,
}: Omit<Site, "now"> & { log: Logger }): RecurringWork {
  return createRecurringWork(async () => {
    try {
      for (const done of await carryOutDuePlans({ db, config, now: new Date() })) {
        if ("problem" in done) log.warn(done, "A planned issue could not be published");
        else log.info(done, "A planned issue is published");
      }
      return lookEveryMs;
    } catch (err) {
      const retryInMs = 10 * lookEveryMs;
      log.error({ err, retryInMs }, "Plans can't be carried out");
      return retryInMs;
    }
  });
}
