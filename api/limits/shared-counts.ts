import { type Kysely, sql } from "kysely";
import { againWithoutNames, byName } from "#db/named-statements.ts";
import type { Database } from "#db/tables.ts";

/** How many are asked to be counted under a key. */
export type Asked = {
  count: number;
  windowMs: number;
  /** The keys under which all but the first within the window are counted too. */
  further: readonly { key: string; windowMs: number }[];
};

/** Of a key: the total within its window with what was asked, how much of it that was, and when the window ends. */
export type SharedCount = { total: number; added: number; leftMs: number };

/** The database's own, so that the clocks of the servers need not agree. */
const nowMs = sql<number>`(extract(epoch from statement_timestamp()) * 1000)::bigint`;

/**
 * Its transaction is answered before it's on the disk: counts that a crash loses are a few sends more for somebody, and on
 * SQLite they are in memory alone. So nobody waits for the disk twice, and no copy for another one's wait.
 */
const withoutDisk = sql`set_config('synchronous_commit', 'off', true)`;

/**
 * Counts under many keys in one statement, in one order everywhere, so that copies of the server wait for one another and
 * never in a circle: keys of senders in theirs, and those of further ones after them.
 */
export async function countShared(
  db: Kysely<Database>,
  asked: ReadonlyMap<string, Asked>,
): Promise<Map<string, SharedCount>> {
  const rows = [...asked].map(([key, { count, windowMs, further }]) => ({
    key,
    added: count,
    window_ms: windowMs,
    further: further.map((one) => ({ key: one.key, window_ms: one.windowMs })),
  }));
  const counting = sql<{ key: string; total: number; added: number; left_ms: number }>`${byName}
    with asked as (
      select asked.* from json_to_recordset(${JSON.stringify(rows)}::json) as asked
        (key text, added int, window_ms bigint, further json), ${withoutDisk}
    ), of_senders as (
      insert into rate_limits as kept (key, points, expire)
      select key, added, ${nowMs} + window_ms from asked order by key collate "C"
      on conflict (key) do update set ${addedUp}
      returning key, points, expire
    ), further_ones as (
      select further.key, max(further.window_ms) as window_ms,
        sum(case when points > added then added else added - 1 end)::int as added
      from asked join of_senders using (key),
        json_to_recordset(asked.further) as further (key text, window_ms bigint)
      group by further.key
    ), of_all as (
      insert into rate_limits as kept (key, points, expire)
      select key, added, ${nowMs} + window_ms from further_ones where added > 0 order by key collate "C"
      on conflict (key) do update set ${addedUp}
      returning key, points, expire
    )
    select key, points as total, added, expire - ${nowMs} as left_ms from of_senders join asked using (key)
    union all
    select key, points, added, expire - ${nowMs} from of_all join further_ones using (key)`;
  const counted = await againWithoutNames(() => counting.execute(db));
  return new Map(
    counted.rows.map(({ key, total, added, left_ms }) => [key, { total, added, leftMs: left_ms }]),
  );
}

/** A window that is over begins anew. */
const addedUp = sql`
  points = case when kept.expire > ${nowMs} then kept.points else 0 end + excluded.points,
  expire = case when kept.expire > ${nowMs} then kept.expire else excluded.expire end`;

/** Takes back what was counted under keys, in the same order. */
export async function uncountShared(
  db: Kysely<Database>,
  counts: ReadonlyMap<string, number>,
): Promise<void> {
  const rows = [...counts].map(([key, count]) => ({ key, count }));
  await sql`
    with given_back as (
      select given_back.* from json_to_recordset(${JSON.stringify(rows)}::json) as given_back (key text, count int),
        ${withoutDisk}
    ), locked as materialized (
      select key, count from rate_limits join given_back using (key)
      where rate_limits.key = any(${[...counts.keys()]}::text[]) and expire > ${nowMs} order by rate_limits.key collate "C" for update of rate_limits
    )
    update rate_limits set points = greatest(0, points - count) from locked
    where rate_limits.key = locked.key`.execute(db);
}

/** Forgets windows that are over. */
export async function forgetPastCounts(db: Kysely<Database>): Promise<void> {
  await sql`delete from rate_limits where expire <= ${nowMs}`.execute(db);
}
