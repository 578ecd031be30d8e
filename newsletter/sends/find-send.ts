import type { Kysely } from "kysely";
import type { Database, RowState, SendAudience, SendState } from "#db/tables.ts";
import { isConfirmed } from "../subscriber-states.ts";
import { mayBeTakenOver, rowMessageId } from "./begin-sends.ts";
import { rowStates } from "./send-states.ts";

const listMaxSends = 1_000;

type RowCounts = Record<RowState, number>;

export type SendListing = {
  id: number;
  issueId: number;
  title: string;
  audience: SendAudience;
  state: SendState;
  createdAt: string;
  beginsAt: string;
  begunAt: string | null;
  endedAt: string | null;
  pauseReason: string | null;
  counts: RowCounts;
};

/** One recipient's outcome; the address is null where the subscriber was erased. */
export type SendRowListing = {
  id: number;
  messageId: string;
  email: string | null;
  state: RowState;
  attempts: number;
  dueAt: string;
  settledAt: string | null;
  answer: string | null;
};

export function openRows({ waiting, handed_over, deferred }: RowCounts): number {
  return waiting + handed_over + deferred;
}

function sends(db: Kysely<Database>) {
  return db
    .selectFrom("sends")
    .select([
      "id",
      "issue_id as issueId",
      "title",
      "audience",
      "state",
      "created_at as createdAt",
      "begins_at as beginsAt",
      "begun_at as begunAt",
      "ended_at as endedAt",
      "pause_reason as pauseReason",
    ]);
}

export async function listSends(
  db: Kysely<Database>,
  { limit = 50, issueId }: { limit?: number; issueId?: number } = {},
): Promise<SendListing[]> {
  let query = sends(db).orderBy("id", "desc").limit(Math.min(limit, listMaxSends));
  if (issueId !== undefined) query = query.where("issue_id", "=", issueId);
  const found: SendListing[] = [];
  for (const send of await query.execute()) {
    found.push({ ...send, counts: await countRows(db, send.id) });
  }
  return found;
}

type FindSendResult = { ok: true; send: SendListing } | { ok: false; reason: "not_found" };

export async function findSend(db: Kysely<Database>, id: number): Promise<FindSendResult> {
  const send = await sends(db).where("id", "=", id).executeTakeFirst();
  if (!send) return { ok: false, reason: "not_found" };
  return { ok: true, send: { ...send, counts: await countRows(db, id) } };
}

async function countRows(db: Kysely<Database>, sendId: number): Promise<RowCounts> {
  const rows = await db
    .selectFrom("send_rows")
    .select(["state", (eb) => eb.fn.countAll<number>().as("count")])
    .where("send_id", "=", sendId)
    .groupBy("state")
    .execute();
  const counts = Object.fromEntries(rowStates.map((state) => [state, 0])) as RowCounts;
  for (const { state, count } of rows) counts[state] = Number(count);
  return counts;
}

export async function listSendRows(
  db: Kysely<Database>,
  {
    sendId,
    state,
    afterId = 0,
    limit = 500,
  }: { sendId: number; state?: RowState; afterId?: number; limit?: number },
): Promise<SendRowListing[]> {
  let query = db
    .selectFrom("send_rows as row")
    .innerJoin("sends", "sends.id", "row.send_id")
    .leftJoin("subscribers as subscriber", "subscriber.id", "row.reader_id")
    .select([
      "row.id",
      "sends.send_key as sendKey",
      "subscriber.email",
      "row.state",
      "row.attempts",
      "row.due_at as dueAt",
      "row.settled_at as settledAt",
      "row.answer",
      "row.message_id as kept",
    ])
    .where("row.send_id", "=", sendId)
    .where("row.id", ">", afterId)
    .orderBy("row.id")
    .limit(limit);
  if (state) query = query.where("row.state", "=", state);
  return (await query.execute()).map(({ sendKey, kept, ...row }) => ({
    ...row,
    messageId: rowMessageId(sendKey, { id: row.id, kept }),
  }));
}

/** Counts the confirmed subscribers, and those whose mail of the issue was neither accepted nor refused for good. */
export async function countAudience(
  db: Kysely<Database>,
  issueId: number,
): Promise<{ confirmed: number; withoutIssue: number }> {
  const count = async (isNew: boolean) => {
    let query = db
      .selectFrom("subscribers")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where(isConfirmed);
    if (isNew) {
      query = query.where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("send_rows")
              .select("send_rows.id")
              .where("send_rows.issue_id", "=", issueId)
              .whereRef("send_rows.reader_id", "=", "subscribers.id")
              .where((row) => row.not(mayBeTakenOver(row))),
          ),
        ),
      );
    }
    return Number((await query.executeTakeFirstOrThrow()).count);
  };
  return { confirmed: await count(false), withoutIssue: await count(true) };
}
