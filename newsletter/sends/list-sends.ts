import type { Db, RowState } from "#db/tables.ts";
import { countAudience } from "./begin-sends.ts";
import { rowMessageId } from "./hand-over.ts";

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
      /** Before it begins, those who would get it now. */
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

type ListedRows = { sendId: number; state?: RowState; afterId?: number; limit?: number };

/** Each recipient's outcome; the address is null where the subscriber was erased. */
export async function listSendRows(
  db: Db,
  { sendId, state, afterId = 0, limit = 500 }: ListedRows,
) {
  let query = db
    .selectFrom("send_rows as row")
    .innerJoin("sends", "sends.id", "row.send_id")
    .leftJoin("subscribers as subscriber", "subscriber.id", "row.reader_id")
    .select(["row.id", "sends.send_key as sendKey", "row.message_id as kept", "subscriber.email"])
    .select(["row.state", "row.attempts", "row.due_at as dueAt", "row.settled_at as settledAt"])
    .select("row.answer")
    .where("row.send_id", "=", sendId)
    .where("row.id", ">", afterId)
    .orderBy("row.id")
    .limit(limit);
  if (state) query = query.where("row.state", "=", state);
  const rows = await query.execute();
  return rows.map(({ sendKey, kept, ...row }) => ({
    ...row,
    messageId: rowMessageId(sendKey, { id: row.id, kept }),
  }));
}
