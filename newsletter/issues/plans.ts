import type { Transaction } from "kysely";
import { amount } from "#content/amounts.ts";
import { longTorontoTime, shortTorontoTime } from "#content/toronto-time.ts";
import { isPostgres } from "#db/database-handle.ts";
import { isFrozen } from "#db/marks.ts";
import type { Database, Db } from "#db/tables.ts";
import { enqueue } from "#mail/outbox-jobs.ts";
import { latestMs } from "../sends/recipients.ts";
import {
  countAudience,
  listSends,
  queueSend,
  type Refusal,
  refuseHour,
  refuseSettings,
  type Site,
} from "../sends/sends.ts";
import { draftIsGone, lockDraft, publishDraft, readDraft } from "./drafts.ts";
import { findIssue } from "./issues.ts";

type Audience = Database["plans"]["audience"];

/** Lists plans, the earliest first. An `audience` of null: it is mailed to nobody. */
export async function listPlans(
  db: Db,
  { draftId, limit = 500 }: { draftId?: number; limit?: number } = {},
) {
  let query = db
    .selectFrom("plans")
    .innerJoin("drafts", "drafts.id", "draft_id")
    .select(["plans.id", "draft_id as draftId", "title", "due_at as dueAt", "audience", "problem"])
    .orderBy("due_at")
    .limit(limit);
  if (draftId !== undefined) query = query.where("draft_id", "=", draftId);
  return (await query.execute()).map((plan) => ({ ...plan, words: describePlan(plan) }));
}

/** When a draft comes out: at its plan's hour, or now. */
export async function hourOfDraft(db: Db, draftId: number, now: Date): Promise<Date> {
  const [plan] = await listPlans(db, { draftId });
  return plan && plan.problem === null ? new Date(plan.dueAt) : now;
}

type Planned = { dueAt: string; audience: Audience };

/** `to be published and sent on Mon, Nov 30, 2026, 7:30 a.m.`, or why it was not. */
function describePlan({ dueAt, audience, problem }: Planned & { problem: string | null }): string {
  if (problem !== null) return `not published: ${problem}`;
  const deed = audience === null ? "published" : "published and sent";
  return `to be ${deed} on ${shortTorontoTime(dueAt)}`;
}

/** `recipients`: who would be mailed now. */
export function announcePlan(
  plan: Planned & { problem?: string | null },
  recipients: number,
): string {
  if (plan.problem)
    return `It was to go out on ${shortTorontoTime(plan.dueAt)}, and nothing was published or sent. ${plan.problem} See to that in the draft, then choose another hour here.`;
  const whom = `and sent to ${amount(recipients, "subscriber")} as the list is now`;
  const sent = plan.audience === null ? "; nobody is mailed" : `, ${whom}`;
  return `It will be published on ${shortTorontoTime(plan.dueAt)}${sent}.`;
}

type When = { at: Date; audience: Audience };

/** Plans to publish a draft, as it is at the hour, and perhaps to mail it. Replaces the draft's plan. */
export async function planDraft(
  { db, config, now }: Site,
  { draftId, at, audience }: When & { draftId: number },
): Promise<{ ok: true; planId: number; said: string } | Refusal> {
  return await db.transaction().execute(async (trx) => {
    const draft = await lockDraft(trx, draftId);
    if (!draft || draft.binned_at !== null) return { ok: false, problem: draftIsGone };
    const issue = draft.issue_id === null ? null : await findIssue(trx, draft.issue_id);
    if (issue) return { ok: false, problem: "It is published already." };
    const read = await readDraft(draft, null, at);
    if (!read.ok) return { ok: false, problem: read.problems.join(" ") };
    const refusal = refuseHour(at, now) ?? (audience && refuseSettings(config));
    if (refusal) return refusal;
    const values = { due_at: at.toISOString(), audience, problem: null };
    const { id } = await trx
      .insertInto("plans")
      .values({ draft_id: draftId, created_at: now.toISOString(), ...values })
      .onConflict((conflict) => conflict.column("draft_id").doUpdateSet(values))
      .returning("id")
      .executeTakeFirstOrThrow();
    const plan = { dueAt: values.due_at, audience };
    return { ok: true, planId: id, said: announcePlan(plan, await countAudience(trx, null)) };
  });
}

/** Calls a plan off; the draft stays. */
export async function cancelPlan(db: Db, id: number): Promise<void> {
  await db.deleteFrom("plans").where("id", "=", id).execute();
}

type Published = { ok: true; issueId: number; sendId: number | null };

/** Publishes a draft as saved in `version`, or corrects its issue. A new issue is mailed to `audience`, once. */
export async function publishNow(
  { db, config, now }: Site,
  { id, version, audience = null }: { id: number; version: number; audience?: Audience },
): Promise<Published | Refusal> {
  const missing = audience && refuseSettings(config);
  if (missing) return missing;
  return await db.transaction().execute(async (trx) => {
    const when = { at: now, audience };
    return await publish(trx, { id, version }, { when, now });
  });
}

async function publish(
  trx: Transaction<Database>,
  draft: { id: number; version: number },
  { when: { at, audience }, now }: { when: When; now: Date },
): Promise<Published | Refusal> {
  const published = await publishDraft(trx, { ...draft, now });
  if (!published.ok) return published;
  await trx.deleteFrom("plans").where("draft_id", "=", draft.id).execute();
  const { issueId } = published;
  if (audience === null) return { ok: true, issueId, sendId: null };
  const issue = await findIssue(trx, issueId);
  if (!issue) throw new Error(`Issue ${issueId} was published, and isn't there.`);
  // Published twice, it is sent once.
  const [earlier] = await listSends(trx, { issueId });
  const queued = { issue, now, beginsAt: at };
  return { ok: true, issueId, sendId: earlier?.id ?? (await queueSend(trx, queued)) };
}

type CarriedOut = { plan: number } & ({ issue: number; send: number | null } | { problem: string });

/** Carries out each due plan as a whole or not at all. Throws the first failure after the others. */
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
    .where(({ not }) => not(isFrozen))
    .orderBy("due_at");
}

async function carryOut(
  trx: Transaction<Database>,
  { config, now }: Site,
  { id, draftId }: { id: number; draftId: number },
): Promise<CarriedOut | null> {
  // Before the plan, in the order of a publication by hand, so that the two can't deadlock.
  const draft = await lockDraft(trx, draftId);
  const due = await duePlans(trx, now)
    .where("id", "=", id)
    .$if(isPostgres(trx), (select) => select.forUpdate())
    .executeTakeFirst();
  if (!draft || !due) return null;
  const { audience, due_at: dueAt } = due;
  const done =
    refuseLate(dueAt, now) ??
    (audience && refuseSettings(config)) ??
    (await publish(trx, draft, { when: { at: new Date(dueAt), audience }, now }));
  if (done.ok) return { plan: id, issue: done.issueId, send: done.sendId };
  const { problem } = done;
  await trx.updateTable("plans").set({ problem }).where("id", "=", id).execute();
  const payload = {
    subject: `Not published: “${draft.title || "Untitled"}”`,
    paragraphs: [
      `It was planned for ${longTorontoTime(dueAt)}. Nothing was published, and nobody was mailed. The reason:`,
      problem,
      "Open the draft under Issues at the desk, mend that, and choose another hour.",
      "You get this email each time a planned issue can't be published.",
    ],
  };
  await enqueue(trx, { kind: "owner-email", payload, now });
  return { plan: id, problem };
}

function refuseLate(dueAt: string, now: Date): Refusal | null {
  if (now.getTime() - Date.parse(dueAt) <= latestMs) return null;
  const problem = `It was to be published on ${shortTorontoTime(dueAt)}, more than six hours ago; the site wasn’t running then.`;
  return { ok: false, problem };
}
