import { randomUUID } from "node:crypto";
import { sql, type UpdateObject } from "kysely";
import { startOfTorontoDay } from "#content/toronto-time.ts";
import type { Database, Db, RowState, SendAudience, SendState } from "#db/tables.ts";
import { enqueue } from "#mail/outbox-jobs.ts";
import { listIssues } from "../issues/issues.ts";
import { isConfirmed } from "../subscribers/subscriber-states.ts";

type QueuedSend = {
  issue: { id: number; title: string };
  audience: SendAudience;
  preheader: string | null;
  beginsAt: Date;
  now: Date;
};

/** Schedules a send. `send_open`: the issue already has an open one. */
export async function queueSend(
  trx: Db,
  { issue, audience, preheader, beginsAt, now }: QueuedSend,
) {
  const inserted = await trx
    .insertInto("sends")
    .values({
      send_key: randomUUID(),
      issue_id: issue.id,
      title: issue.title,
      preheader,
      audience,
      state: "waiting",
      subject: "",
      html: "",
      plain_text: "",
      created_at: now.toISOString(),
      begins_at: beginsAt.toISOString(),
    })
    .onConflict((conflict) => conflict.column("issue_id").where("ended_at", "is", null).doNothing())
    .returning("id")
    .executeTakeFirst();
  if (inserted) return { ok: true, id: inserted.id } as const;
  const open = await trx
    .selectFrom("sends")
    .select("id")
    .where("issue_id", "=", issue.id)
    .where("ended_at", "is", null)
    .executeTakeFirstOrThrow();
  return { ok: false, reason: "send_open", openId: open.id } as const;
}

/** Mails under way still get their outcome. */
export async function pauseSend(
  db: Db,
  { id, reason = null }: { id: number; reason?: string | null },
) {
  return await steer(db, id, ["waiting", "sending"], { state: "paused", pause_reason: reason });
}

export async function pauseForOperator(
  trx: Db,
  { id, reason, now }: { id: number; reason: string; now: Date },
): Promise<void> {
  const result = await pauseSend(trx, { id, reason });
  if (!result.ok) return;
  const { title } = await trx
    .selectFrom("sends")
    .select("title")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  await enqueue(trx, { kind: "paused-email", payload: { sendId: id, title, reason }, now });
}

export async function resumeSend(db: Db, id: number, now = new Date()) {
  const at = now.toISOString();
  return await steer(db, id, ["paused"], {
    state: sql`case when begun_at is null then 'waiting' else 'sending' end`,
    begins_at: sql`case when begun_at is null and begins_at < ${at} then ${at} else begins_at end`,
    pause_reason: null,
  });
}

export async function moveSend(db: Db, { id, beginsAt }: { id: number; beginsAt: Date }) {
  const change = { begins_at: beginsAt.toISOString() };
  return await steer(db, id, ["waiting", "paused"], change, { onlyBeforeBegin: true });
}

export async function cancelSend(
  db: Db,
  { id, now, reason }: { id: number; now: Date; reason?: string },
) {
  const cancelled = { state: "cancelled", ended_at: now.toISOString() } as const;
  const change = reason === undefined ? cancelled : { ...cancelled, pause_reason: reason };
  const result = await steer(db, id, ["waiting", "sending", "paused"], change);
  return result.ok ? { ...result, withdrawn: await withdrawLeftOvers(db, now, id) } : result;
}

/** Cancels an issue's planned send and returns its id. Changes nothing where one is under way. */
export async function cancelPlannedSends(
  trx: Db,
  { issueId, now }: { issueId: number; now: Date },
) {
  const cancelled = await trx
    .updateTable("sends")
    .set({ state: "cancelled", ended_at: now.toISOString() })
    .where("issue_id", "=", issueId)
    .where("ended_at", "is", null)
    .where("begun_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  if (cancelled) return { ok: true, sendId: cancelled.id } as const;
  const open = await trx
    .selectFrom("sends")
    .select("id")
    .where("issue_id", "=", issueId)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  if (!open) return { ok: true, sendId: null } as const;
  return { ok: false, reason: "send_under_way", sendId: open.id } as const;
}

export type SteerResult = Awaited<ReturnType<typeof steer>>;

async function steer(
  db: Db,
  id: number,
  from: readonly SendState[],
  change: UpdateObject<Database, "sends">,
  { onlyBeforeBegin = false } = {},
) {
  const steered = await db
    .updateTable("sends")
    .set(change)
    .where("id", "=", id)
    .where("state", "in", from)
    .$if(onlyBeforeBegin, (update) => update.where("begun_at", "is", null))
    .returning("state")
    .executeTakeFirst();
  const withdrawn: number = 0;
  if (steered) return { ok: true, state: steered.state, withdrawn } as const;
  const send = await db.selectFrom("sends").select("state").where("id", "=", id).executeTakeFirst();
  if (!send) return { ok: false, reason: "unknown_send" } as const;
  return { ok: false, reason: "not_possible", state: send.state } as const;
}

export async function finishSend(db: Db, id: number, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("sends")
    .set({ state: "finished", ended_at: now.toISOString() })
    .where("id", "=", id)
    .where("state", "=", "sending")
    .where(
      sql<boolean>`not exists (select 1 from send_rows where send_id = ${id} and settled_at is null)`,
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Withdraws the open mails of cancelled sends. Returns how many. */
export async function withdrawLeftOvers(db: Db, now: Date, sendId?: number): Promise<number> {
  const at = now.toISOString();
  const { numAffectedRows } = await sql`
    update send_rows set state = 'withdrawn', settled_at = ${at}, answer = 'cancelled'
    where settled_at is null and (state <> 'handed_over' or due_at <= ${at})
      and send_id in (select id from sends where state = 'cancelled'
        ${sendId === undefined ? sql`` : sql`and id = ${sendId}`})`.execute(db);
  return Number(numAffectedRows);
}

export async function noteTrouble(db: Db, trouble: string | null): Promise<void> {
  const update = db.updateTable("sends").set({ trouble });
  if (trouble === null) await update.where("trouble", "is not", null).execute();
  else await update.where("ended_at", "is", null).where("begun_at", "is not", null).execute();
}

export async function isAnySendOpen(db: Db, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select 1 from sends where ended_at is null
      and (state = 'sending' or state = 'waiting' and begins_at <= ${now.toISOString()})
    limit 1`.execute(db);
  return rows.length > 0;
}

/** Counts both audiences. SQLite keeps a cross join's order, so it reads only the issue's rows. */
export async function countAudience(
  db: Db,
  issueId: number,
): Promise<{ confirmed: number; withoutIssue: number }> {
  const { rows } = await sql<{ confirmed: number; withoutIssue: number }>`
    select count(*) as confirmed, count(*) - (
      select count(*) from sends cross join send_rows cross join subscribers
      where sends.issue_id = ${issueId} and send_id = sends.id and subscribers.id = reader_id
        and send_rows.state <> 'withdrawn' and ${isConfirmed}) as "withoutIssue"
    from subscribers where ${isConfirmed}`.execute(db);
  return rows[0] ?? { confirmed: 0, withoutIssue: 0 };
}

export const rowStates: readonly RowState[] = [
  "waiting",
  "handed_over",
  "deferred",
  "accepted",
  "refused",
  "withdrawn",
];

type RowCounts = Record<RowState, number>;

function openRows({ waiting, handed_over, deferred }: RowCounts): number {
  return waiting + handed_over + deferred;
}

export type SendListing = Awaited<ReturnType<typeof listSends>>[number];

export async function listSends(
  db: Db,
  {
    limit = 50,
    issueId,
    id,
    open = false,
  }: { limit?: number; issueId?: number; id?: number; open?: boolean } = {},
) {
  let query = db
    .selectFrom("sends")
    .select(["id", "issue_id as issueId", "title", "audience", "state", "created_at as createdAt"])
    .select(["begins_at as beginsAt", "begun_at as begunAt", "ended_at as endedAt"])
    .select(["pause_reason as pauseReason", "trouble"])
    .orderBy("id", "desc")
    .limit(limit);
  if (issueId !== undefined) query = query.where("issue_id", "=", issueId);
  if (id !== undefined) query = query.where("id", "=", id);
  if (open) query = query.where("ended_at", "is", null);
  return await Promise.all(
    (await query.execute()).map(async (send) => {
      const counts = await countRows(db, send.id);
      const isToBegin = send.begunAt === null && send.endedAt === null;
      const toGo = isToBegin
        ? (await countAudience(db, send.issueId)).withoutIssue
        : openRows(counts);
      return { ...send, counts, toGo };
    }),
  );
}

export async function listLatestSends(db: Db, issueIds: readonly number[]) {
  const rows = await db
    .selectFrom("sends")
    .select(["issue_id as issueId", "state", "begins_at as beginsAt", "begun_at as begunAt"])
    .select(["pause_reason as pauseReason", "trouble"])
    .where("issue_id", "in", [0, ...issueIds])
    .orderBy("id")
    .execute();
  return new Map(rows.map(({ issueId, ...send }) => [issueId, send]));
}

export async function findSend(db: Db, id: number): Promise<SendListing | null> {
  const [send] = await listSends(db, { id });
  return send ?? null;
}

async function countRows(db: Db, sendId: number): Promise<RowCounts> {
  const rows = await db
    .selectFrom("send_rows")
    .select(["state", (eb) => eb.fn.countAll<number>().as("count")])
    .where("send_id", "=", sendId)
    .groupBy("state")
    .execute();
  const counts = Object.fromEntries(rowStates.map((state) => [state, 0])) as RowCounts;
  for (const { state, count } of rows) counts[state] = count;
  return counts;
}

/** Effects of the latest issues, newest first. `delivered` is null for one that wasn't mailed. */
export async function readIssueEffects(db: Db, { now, limit }: { now: Date; limit: number }) {
  const effects: { id: number; joined: number; left: number; delivered: number | null }[] = [];
  let until = now.toISOString();
  for (const { id, publishDate } of await listIssues(db, { limit })) {
    const sends = await listSends(db, { issueId: id });
    const [begun] = sends.flatMap(({ begunAt }) => begunAt ?? []).toSorted();
    const from = begun ?? startOfTorontoDay(publishDate);
    const delivered = sends.reduce((sum, { counts }) => sum + counts.accepted, 0);
    effects.push({
      id,
      ...(await countChanges(db, { from, until })),
      delivered: begun === undefined ? null : delivered,
    });
    if (from < until) until = from;
  }
  return effects;
}

/** Imported subscribers join on the day of the import, unless the list said that they had left or bounced. */
async function countChanges(db: Db, { from, until }: { from: string; until: string }) {
  const { rows } = await sql<{ joined: number; left: number }>`
    select count(*) filter (where event in ('signed_up', 'added') or event = 'imported' and exists (
        select 1 from subscribers where mailbox_key = entry.mailbox_key
          and (unsubscribed_at is null and bounced_at is null or exists (
            select 1 from consent_events as ending where ending.mailbox_key = entry.mailbox_key
              and ending.event in ('left', 'bounced', 'complained'))))) as joined,
      count(*) filter (where event in ('left', 'bounced', 'complained')) as left
    from consent_events as entry where recorded_at >= ${from} and recorded_at < ${until}`.execute(
    db,
  );
  return { joined: Number(rows[0]?.joined), left: Number(rows[0]?.left) };
}
