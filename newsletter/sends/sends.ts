import { randomUUID } from "node:crypto";
import { type Kysely, type Selectable, sql, type UpdateObject } from "kysely";
import { number } from "#content/amounts.ts";
import { shortTorontoTime } from "#content/toronto-time.ts";
import type { Database, Db, RowState, SendState } from "#db/tables.ts";
import { enqueue } from "#mail/outbox-jobs.ts";
import { declarations } from "#settings/setting-declarations.ts";
import type { Config } from "#settings/settings.ts";
import { type FoundIssue, findIssue } from "../issues/issues.ts";
import { isConfirmed } from "../subscribers/subscriber-states.ts";

export type Site = { db: Kysely<Database>; config: Config; now: Date };

/** `problem` is a sentence for the owner. */
export type Refusal = { ok: false; problem: string };

/** The settings without which an issue can't lawfully or usefully go out. */
export function missingToSend(config: Config): { name: string; problem: string }[] {
  return [
    config.smtpUrl === null && {
      name: "mail server",
      problem: "No mail server is set, under Settings, so nobody would be reached.",
    },
    config.siteUrl === null && {
      name: "address of the site",
      problem:
        "The site has no address of its own yet, so the links to leave would lead to this machine. Going live gives it one.",
    },
    config.siteStreet === declarations.SITE_STREET.default && {
      name: "street and number",
      problem:
        "The street and number are not set, under Settings: an issue has to name the sender’s mailing address (Canada’s anti-spam law, s. 6(2)).",
    },
    config.sitePostalCode === declarations.SITE_POSTAL_CODE.default && {
      name: "postal code",
      problem:
        "The postal code is not set, under Settings: the mailing address is not whole without it.",
    },
  ].filter((missing) => missing !== false);
}

/** The missing settings as one refusal. */
export function refuseSettings(config: Config): Refusal | null {
  const missing = missingToSend(config);
  if (missing.length === 0) return null;
  return { ok: false, problem: missing.map(({ problem }) => problem).join(" ") };
}

/** Why nothing can be planned for a moment. What is more than a year ahead is a slip of the year. */
export function refuseHour(at: Date, now: Date): Refusal | null {
  const hour = shortTorontoTime(at.toISOString());
  if (at < now) return { ok: false, problem: `${hour} is over in Toronto. Choose a later hour.` };
  if (at.getTime() - now.getTime() <= 366 * 86_400_000) return null;
  return { ok: false, problem: `${hour} is more than a year ahead. Look at the year.` };
}

type SendRequest = {
  issueId: number;
  /** When to begin; null: now. */
  at: Date | null;
};

/** `openId` is the issue's send that has not ended. */
type SendRefusal = Refusal & { openId?: number };

/** Schedules a send to all who haven't been sent the issue. The running site composes and begins it. */
export async function sendIssue(
  { db, config, now }: Site,
  request: SendRequest,
): Promise<{ ok: true; sendId: number; recipients: number } | SendRefusal> {
  const missing = refuseSettings(config);
  if (missing) return missing;
  return await db.transaction().execute(async (trx) => {
    const judged = await judgeSend(trx, request, now);
    if (!judged.ok) return judged;
    const { issue, recipients } = judged;
    const sendId = await queueSend(trx, { issue, beginsAt: request.at ?? now, now });
    return { ok: true, sendId, recipients } as const;
  });
}

/** Counts who would get it; refuses where nobody would. `isAgain`: others got it before. */
export async function judgeSend(
  db: Db,
  { issueId, at }: SendRequest,
  now: Date,
): Promise<{ ok: true; issue: FoundIssue; recipients: number; isAgain: boolean } | SendRefusal> {
  const issue = await findIssue(db, issueId);
  if (!issue) return { ok: false, problem: "There is no such issue any more." };
  const earlier = await listSends(db, { issueId });
  const open = earlier.find(({ endedAt }) => endedAt === null);
  if (open) {
    const problem = `Send ${open.id} of it has not ended yet.`;
    return { ok: false, problem, openId: open.id };
  }
  const isAgain = earlier.some(({ begunAt }) => begunAt !== null);
  const recipients = await countAudience(db, issueId);
  if (recipients === 0) {
    const problem = isAgain
      ? "Nobody is left to send it to: nobody is sent an issue twice."
      : "There is no confirmed subscriber to send it to.";
    return { ok: false, problem };
  }
  return (at && refuseHour(at, now)) ?? { ok: true, issue, recipients, isAgain };
}

type QueuedSend = { issue: { id: number; title: string }; beginsAt: Date; now: Date };

/** Schedules a send and returns its id, or that of the issue's open one. */
export async function queueSend(trx: Db, { issue, beginsAt, now }: QueuedSend): Promise<number> {
  const inserted = await trx
    .insertInto("sends")
    .values({
      ...{ send_key: randomUUID(), issue_id: issue.id, title: issue.title },
      ...{ state: "waiting", subject: "", html: "", plain_text: "" },
      created_at: now.toISOString(),
      begins_at: beginsAt.toISOString(),
    })
    .onConflict((conflict) => conflict.column("issue_id").where("ended_at", "is", null).doNothing())
    .returning("id")
    .executeTakeFirst();
  return (inserted ?? (await openSendOf(trx, issue.id).executeTakeFirstOrThrow())).id;
}

function openSendOf(db: Db, issueId: number) {
  const open = db.selectFrom("sends").select("id").where("ended_at", "is", null);
  return open.where("issue_id", "=", issueId);
}

/** `goOn`: a paused send is resumed too. */
type Steering =
  | { deed: "pause" | "resume" | "cancel" }
  | { deed: "move"; at: Date; goOn?: boolean };

type Steered = { ok: true; said: string } | Refusal;

export async function steerSend(
  { db, now }: Pick<Site, "db" | "now">,
  id: number,
  steering: Steering,
): Promise<Steered> {
  return await db.transaction().execute(async (trx) => {
    if (steering.deed === "move") return await moveSend(trx, id, steering, now);
    if (steering.deed === "resume") return await resumeSend(trx, id, now);
    if (steering.deed === "cancel") return await cancelSend(trx, { id, now });
    return await steer(trx, id, "pause", { state: "paused", pause_reason: null });
  });
}

/** Pauses a send by itself, and mails the owner why. */
export async function pauseForOperator(
  trx: Db,
  { id, reason, now }: { id: number; reason: string; now: Date },
): Promise<void> {
  const change = { state: "paused", pause_reason: reason } as const;
  const paused = await steer(trx, id, "pause", change);
  if (!paused.ok) return;
  const payload = {
    subject: `Paused: the send of “${paused.title}”`,
    paragraphs: [
      "The send has paused itself: nobody else gets the issue until you resume it. The reason:",
      reason,
      `Go on or end it at the desk, under Issues. In a terminal: npm run site -- sends resume ${id}`,
      "You get this email each time a send pauses itself.",
    ],
  };
  await enqueue(trx, { kind: "owner-email", payload, now });
}

async function resumeSend(trx: Db, id: number, now: Date): Promise<Steered> {
  const at = now.toISOString();
  return await steer(trx, id, "resume", {
    state: sql`case when begun_at is null then 'waiting' else 'sending' end`,
    begins_at: sql`case when begun_at is null and begins_at < ${at} then ${at} else begins_at end`,
    pause_reason: null,
  });
}

async function moveSend(
  trx: Db,
  id: number,
  { at, goOn = false }: { at: Date; goOn?: boolean },
  now: Date,
): Promise<Steered> {
  const refusal = refuseHour(at, now);
  if (refusal) return refusal;
  const moved = await steer(trx, id, "move", { begins_at: at.toISOString() });
  if (!moved.ok) return moved;
  const isPaused = (await findSend(trx, id))?.state === "paused";
  if (isPaused && goOn) await resumeSend(trx, id, now);
  const said =
    isPaused && !goOn
      ? "It has its new hour, but it is paused: nothing goes out until you resume it."
      : `It begins on ${shortTorontoTime(at.toISOString())}.`;
  return { ok: true, said };
}

export async function cancelSend(
  trx: Db,
  { id, now, reason }: { id: number; now: Date; reason?: string },
): Promise<Steered> {
  const change = { state: "cancelled", ended_at: now.toISOString(), pause_reason: reason } as const;
  const cancelled = await steer(trx, id, "cancel", change);
  if (cancelled.ok) await withdrawLeftOvers(trx, now, id);
  return cancelled;
}

/** Cancels an issue's planned send and returns its id. Refuses where one is under way. */
export async function cancelPlannedSends(
  trx: Db,
  { issueId, now }: { issueId: number; now: Date },
): Promise<{ ok: true; sendId: number | null } | Refusal> {
  const cancelled = await trx
    .updateTable("sends")
    .set({ state: "cancelled", ended_at: now.toISOString() })
    .where("issue_id", "=", issueId)
    .where("ended_at", "is", null)
    .where("begun_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  if (cancelled) return { ok: true, sendId: cancelled.id };
  const open = await openSendOf(trx, issueId).executeTakeFirst();
  if (!open) return { ok: true, sendId: null };
  const problem = `Send ${open.id} of it has begun and has not ended. Cancel that at the desk first; then the issue can be removed.`;
  return { ok: false, problem };
}

/** From which states each deed is possible. */
const deeds = {
  pause: {
    from: ["waiting", "sending"],
    done: "paused",
    said: "Paused. Mails under way still arrive.",
  },
  resume: { from: ["paused"], done: "resumed", said: "It goes on." },
  /** Only before it has begun. */
  move: { from: ["waiting", "paused"], done: "moved", said: "" },
  cancel: {
    from: ["waiting", "sending", "paused"],
    done: "cancelled",
    said: "Cancelled. Whoever has not been mailed gets nothing.",
  },
} as const;

async function steer(
  trx: Db,
  id: number,
  deed: keyof typeof deeds,
  change: UpdateObject<Database, "sends">,
): Promise<{ ok: true; said: string; title: string } | Refusal> {
  const { from, done, said } = deeds[deed];
  const steered = await trx
    .updateTable("sends")
    .set(change)
    .where("id", "=", id)
    .where("state", "in", from)
    .$if(deed === "move", (update) => update.where("begun_at", "is", null))
    .returning("title")
    .executeTakeFirst();
  if (steered) return { ok: true, said, title: steered.title };
  const send = await findSend(trx, id);
  if (!send) return { ok: false, problem: `There is no send ${id}.` };
  return { ok: false, problem: `It can’t be ${done} as it stands now: ${send.words}.` };
}

export const sendWords: Record<SendState, string> = {
  waiting: "Waiting",
  sending: "Sending",
  paused: "Paused",
  finished: "Sent",
  cancelled: "Cancelled",
};

type SendMoment = {
  state: SendState;
  beginsAt: string;
  begunAt: string | null;
  pauseReason: string | null;
  trouble: string | null;
  refused?: number;
};

/** `Waiting for Nov 30, 2026, 7:30 a.m.`, `Paused before it began, by itself: …`. */
function describeSend(send: SendMoment): string {
  const { state, beginsAt, begunAt, pauseReason, trouble, refused = 0 } = send;
  if (state === "waiting") return `Waiting for ${shortTorontoTime(beginsAt)}`;
  if (state === "sending" && trouble) return `Nothing goes out: ${trouble}`;
  if (state === "finished" && refused > 0)
    return `${sendWords.finished}, ${number(refused)} refused`;
  const early = state === "paused" && begunAt === null ? " before it began" : "";
  const why = pauseReason === null ? "" : `, by itself: ${pauseReason}`;
  return `${sendWords[state]}${early}${why}`;
}

type SendSpan = { beginsAt: string; begunAt: string | null; endedAt: string | null };

/** `Began Mon, Nov 30, 2026, 7:00 a.m., ended Mon, Nov 30, 2026, 7:04 a.m.` */
function describeTimes({ beginsAt, begunAt, endedAt }: SendSpan): string {
  const begins = begunAt ? "Began" : endedAt ? "Was to begin" : "Begins";
  const ended = endedAt ? `, ended ${shortTorontoTime(endedAt)}` : "";
  return `${begins} ${shortTorontoTime(begunAt ?? beginsAt)}${ended}`;
}

/** A recipient's state in words. */
export const recipientWords: Record<RowState, string> = {
  accepted: "delivered",
  refused: "refused for good",
  deferred: "to be tried again",
  handed_over: "under way",
  waiting: "still to go",
  withdrawn: "not mailed",
};

type SentRow = Pick<
  Selectable<Database["send_rows"]>,
  "issue_id" | "state" | "answer" | "settled_at"
> & { title: string };

/** The last hundred issues of one subscriber, the newest first. A send withdraws whoever isn't mailed at their turn. */
export function describeSent(rows: readonly SentRow[], isMailed: boolean) {
  const newest = rows.toSorted((a, b) => b.issue_id - a.issue_id).slice(0, 100);
  return newest.map(({ issue_id: id, title, state, answer, settled_at }) => {
    const isOff = !isMailed && (state === "waiting" || state === "deferred");
    const words = recipientWords[state] + (state !== "accepted" && answer ? `: ${answer}` : "");
    const said = isOff ? { words: "will not be sent", mark: "off" } : { words, mark: state };
    return { id, title, at: settled_at ?? "", ...said };
  });
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

/** Counts the plans that are due and the sends under way, at most one of each. */
export async function countDue(db: Db, now: Date): Promise<{ plans: number; sends: number }> {
  const at = now.toISOString();
  const { rows } = await sql<{ plans: number; sends: number }>`
    select (select count(*) from (select 1 from plans where problem is null and due_at <= ${at}
        limit 1) as due) as plans,
      (select count(*) from (select 1 from sends where ended_at is null
        and (state = 'sending' or state = 'waiting' and begins_at <= ${at}) limit 1) as open)
        as sends`.execute(db);
  return rows[0] ?? { plans: 0, sends: 0 };
}

/** Who haven't been sent it. SQLite keeps a cross join's order, so it reads only the issue's rows. */
export async function countAudience(db: Db, issueId: number | null): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) - (
      select count(*) from sends cross join send_rows cross join subscribers
      where sends.issue_id = ${issueId ?? 0} and send_id = sends.id and subscribers.id = reader_id
        and send_rows.state <> 'withdrawn' and ${isConfirmed}) as count
    from subscribers where ${isConfirmed}`.execute(db);
  return rows[0]?.count ?? 0;
}

export const rowStates = Object.keys(recipientWords) as RowState[];

type RowCounts = Record<RowState, number>;

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
    .select(["id", "issue_id as issueId", "title", "state", "created_at as createdAt"])
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
      const open = counts.waiting + counts.handed_over + counts.deferred;
      const toGo = isToBegin ? await countAudience(db, send.issueId) : open;
      const words = describeSend({ ...send, refused: counts.refused });
      return { ...send, words, times: describeTimes(send), counts, toGo };
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
  return new Map(
    rows.map(({ issueId, ...send }) => [issueId, { ...send, words: describeSend(send) }]),
  );
}

export async function findSend(db: Db, id: number): Promise<SendListing | undefined> {
  return (await listSends(db, { id }))[0];
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
