import { sql } from "kysely";
import { startOfTorontoDay } from "#content/toronto-time.ts";
import type { Db } from "#db/tables.ts";
import { listIssues } from "./issues.ts";
import { listSends } from "./sends/sends.ts";

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
