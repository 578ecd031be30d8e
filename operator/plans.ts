import type { Kysely, Transaction } from "kysely";
import type { Logger } from "pino";
import { shortTorontoTime, startOfTorontoDay, torontoDate } from "#content/toronto-time.ts";
import { isPostgres } from "#db/database-handle.ts";
import { createRecurringWork, type RecurringWork } from "#db/recurring-work.ts";
import type { Database, Db, SendAudience } from "#db/tables.ts";
import { enqueue } from "#mail/outbox-jobs.ts";
import {
  createDraft,
  type Draft,
  lockDraft,
  type PublishDraftResult,
  publishDraft,
  readDraft,
} from "#newsletter/drafts.ts";
import { findIssue, type IssueWords } from "#newsletter/issues.ts";
import { type Picture, storePicture } from "#newsletter/pictures.ts";
import { countAudience, latestMs } from "#newsletter/sends/begin-sends.ts";
import { queueSend } from "#newsletter/sends/steer-send.ts";
import type { Config } from "#settings/settings.ts";
import { describePlanRefusal, type PlanRefusal } from "./plan-words.ts";
import { refuseHour, settingsMissingToSend } from "./send-issue.ts";

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

/** The earliest first. */
export async function listPlans(db: Db, { draftId }: { draftId?: number } = {}): Promise<Plan[]> {
  let query = db
    .selectFrom("plans")
    .innerJoin("drafts", "drafts.id", "draft_id")
    .select(["plans.id", "draft_id as draftId", "title", "due_at as dueAt", "audience", "problem"])
    .orderBy("due_at");
  if (draftId !== undefined) query = query.where("draft_id", "=", draftId);
  return await query.execute();
}

type PlanResult =
  /** `recipients`: who would be mailed now. */
  | { ok: true; planId: number; draftId: number; at: Date; recipients: number }
  | ({ ok: false } & PlanRefusal);

type PlanRequest = { draftId: number; at: Date; audience: SendAudience | null };

/** Plans to publish a draft at an hour, as it is then, and perhaps to mail it. A plan that it has is replaced. */
export async function planDraft(site: Site, request: PlanRequest): Promise<PlanResult> {
  return await site.db.transaction().execute((trx) => plan(trx, site, request));
}

/** The same for a text that is no draft yet. Without a date, it has the day of the publication. */
export async function planText(
  site: Site,
  request: Omit<PlanRequest, "draftId"> & {
    words: Omit<IssueWords, "publishDate"> & { publishDate: string | null };
    pictures: readonly Picture[];
  },
): Promise<PlanResult> {
  const { title, html, preheader, publishDate: date } = request.words;
  const refusal = refuse(site, { ...request, date });
  if (refusal) return { ok: false, ...refusal };
  return await site.db.transaction().execute(async (trx) => {
    for (const picture of request.pictures) await storePicture(trx, picture, site.now);
    const draftId = await createDraft(trx, {
      ...{ title, preheader: preheader ?? "", publish_date: date ?? "", now: site.now },
      ...{ format: "html", body: html },
    });
    return await store(trx, site, { ...request, draftId });
  });
}

async function plan(
  trx: Transaction<Database>,
  site: Site,
  request: PlanRequest,
): Promise<PlanResult> {
  const refusal = await refuseDraft(await lockDraft(trx, request.draftId), site, request);
  return refusal ? { ok: false, ...refusal } : await store(trx, site, request);
}

async function store(trx: Db, { now }: Site, request: PlanRequest): Promise<PlanResult> {
  const { draftId, at, audience } = request;
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

async function refuseDraft(
  draft: Draft | null,
  site: Site,
  when: Omit<PlanRequest, "draftId">,
): Promise<PlanRefusal | null> {
  if (!draft) return { reason: "unknown_draft" };
  if (draft.issue_id !== null) return { reason: "is_published" };
  const read = await readDraft(draft, null, when.at);
  if (!read.ok) return { reason: "unreadable", problems: read.problems };
  return refuse(site, { ...when, date: read.issue.words.publishDate });
}

function refuse(
  { config, now }: Site,
  { at, audience, date }: Omit<PlanRequest, "draftId"> & { date: string | null },
): PlanRefusal | null {
  const hour = refuseHour(at, now);
  if (hour) return hour;
  if (date !== null && date > torontoDate(at)) return { reason: "date_after_hour", date };
  const missing = audience === null ? [] : settingsMissingToSend(config);
  return missing.length > 0 ? { reason: "settings_missing", missing } : null;
}

/** Gives a plan another hour, and another try where it could not be carried out. */
export async function movePlan(
  site: Site,
  { id, at }: { id: number; at: Date },
): Promise<PlanResult | { ok: false; reason: "unknown_plan" }> {
  return await site.db.transaction().execute(async (trx) => {
    const found = await trx
      .selectFrom("plans")
      .select(["draft_id as draftId", "audience"])
      .where("id", "=", id)
      .executeTakeFirst();
    if (!found) return { ok: false, reason: "unknown_plan" };
    return await plan(trx, site, { ...found, at });
  });
}

/** Calls a plan off; the draft stays. */
export async function cancelPlan(
  db: Db,
  id: number,
): Promise<{ ok: true; draftId: number } | { ok: false; reason: "unknown_plan" }> {
  const cancelled = await db
    .deleteFrom("plans")
    .where("id", "=", id)
    .returning("draft_id")
    .executeTakeFirst();
  return cancelled
    ? { ok: true, draftId: cancelled.draft_id }
    : { ok: false, reason: "unknown_plan" };
}

/**
 * Publishes a draft as it was saved as `version`, or corrects its issue with it; a plan of the draft goes. A draft whose date
 * lies ahead is planned for the beginning of that day, unless it has a plan for that day or later.
 */
export async function publishOrPlanDraft(
  site: Site,
  { id, version }: { id: number; version: number },
): Promise<
  PublishDraftResult | ({ ok: true; planId: number; at: Date } | ({ ok: false } & PlanRefusal))
> {
  const { now } = site;
  return await site.db.transaction().execute(async (trx) => {
    const draft = await lockDraft(trx, id);
    if (draft?.issue_id === null && draft.version === version) {
      const read = await readDraft(draft, null, now);
      const day = read.ok ? read.issue.words.publishDate : "";
      if (day > torontoDate(now)) {
        const [planned] = await listPlans(trx, { draftId: id });
        if (planned?.problem === null && day <= torontoDate(new Date(planned.dueAt))) {
          return { ok: true, planId: planned.id, at: new Date(planned.dueAt) };
        }
        const at = new Date(startOfTorontoDay(day));
        return await plan(trx, site, { draftId: id, at, audience: null });
      }
    }
    const published = await publishDraft(trx, { id, version, now });
    if (published.ok) await trx.deleteFrom("plans").where("draft_id", "=", id).execute();
    return published;
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
  const refusal = await refuseDraft(draft, site, { at: now, audience });
  if (refusal) return await stop(describePlanRefusal(refusal));
  const published = await publishDraft(trx, { id: draftId, version: draft.version, now });
  if (!published.ok) throw new Error(`Draft ${draftId} was not published: ${published.reason}`);
  await trx.deleteFrom("plans").where("id", "=", id).execute();
  const { issueId } = published;
  if (audience === null) return { plan: id, issue: issueId, send: null };
  const title = (await findIssue(trx, issueId))?.title ?? draft.title;
  const queued = await queueSend(trx, {
    ...{ issue: { id: issueId, title }, audience, preheader: null, now },
    beginsAt: new Date(due_at),
  });
  return { plan: id, issue: issueId, send: queued.ok ? queued.id : queued.openId };
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
