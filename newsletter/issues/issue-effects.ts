import { type Kysely, sql } from "kysely";
import type { Logger } from "pino";
import { amount, number } from "#content/amounts.ts";
import { startOfTorontoDay } from "#content/toronto-time.ts";
import { createRecurringWork } from "#db/recurring-work.ts";
import type { Database, Db } from "#db/tables.ts";

/** `delivered` is null for an issue that wasn't mailed. `left`: until the next one. Visits are by its links. */
export type IssueEffects = {
  delivered: number | null;
  refused: number;
  left: number;
  visits: number;
  messages: number;
};

/** `42 delivered, 2 refused · 3 messages · 1 left since`. */
export function describeEffects(effects: IssueEffects): string {
  const { delivered, refused, messages, left } = effects;
  return [
    `${number(delivered ?? 0)} delivered${refused > 0 ? `, ${number(refused)} refused` : ""}`,
    ...(messages > 0 ? [amount(messages, "message")] : []),
    ...(left > 0 ? [`${number(left)} left since`] : []),
  ].join(" · ");
}

/** Reads what came of issues. */
export async function readIssueEffects(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, IssueEffects>> {
  const cameOut = await readWhenIssuesCameOut(db);
  const wanted = [0, ...ids];
  const mails = await db
    .selectFrom("send_rows")
    .innerJoin("sends", "sends.id", "send_id")
    .select(["sends.issue_id", "send_rows.state"])
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("sends.issue_id", "in", wanted)
    .where("send_rows.state", "in", ["accepted", "refused"])
    .groupBy(["sends.issue_id", "send_rows.state"])
    .execute();
  const oldest = cameOut.find(({ id }) => wanted.includes(id))?.at ?? "";
  const departures = await db
    .selectFrom("consent_events")
    .select("recorded_at as at")
    .where("event", "in", ["left", "bounced", "complained"])
    .where("recorded_at", ">=", oldest)
    .execute();
  const leftSince = Map.groupBy(
    departures,
    (departure) => cameOut.findLast(({ at }) => at <= departure.at)?.id,
  );
  const visits = await db
    .selectFrom("issue_visits")
    .selectAll()
    .where("issue_id", "in", wanted)
    .execute();
  const messages = await db
    .selectFrom("contact_messages")
    .select("from_issue")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("from_issue", "in", wanted)
    .where("held_at", "is", null)
    .groupBy("from_issue")
    .execute();
  const effects = cameOut
    .filter(({ id }) => wanted.includes(id))
    .map(({ id, isMailed }) => {
      const count = (state: string) =>
        mails.find((mail) => mail.issue_id === id && mail.state === state)?.count ?? 0;
      const found: IssueEffects = {
        delivered: isMailed ? count("accepted") : null,
        refused: count("refused"),
        left: leftSince.get(id)?.length ?? 0,
        visits: visits.find(({ issue_id }) => issue_id === id)?.visits ?? 0,
        messages: messages.find(({ from_issue }) => from_issue === id)?.count ?? 0,
      };
      return [id, found] as const;
    });
  return new Map(effects);
}

/** The earliest first: an issue comes out when its first send begins, or else with its day. */
async function readWhenIssuesCameOut(db: Db) {
  const issues = await db
    .selectFrom("final_newsletters as issue")
    .select(["id", "publish_date"])
    .select(({ selectFrom }) =>
      selectFrom("sends")
        .select((eb) => eb.fn.min("begun_at").as("begun"))
        .whereRef("issue_id", "=", "issue.id")
        .as("begun"),
    )
    .execute();
  return issues
    .map(({ id, publish_date, begun }) => ({
      id,
      isMailed: begun !== null,
      at: begun ?? startOfTorontoDay(publish_date),
    }))
    .sort((a, b) => a.at.localeCompare(b.at));
}

/** Counts visits by issues' links in memory, and writes them now and then: no page waits for it. */
export function createVisitCounter(db: Kysely<Database>, log: Logger) {
  const counted = new Map<number, number>();
  async function write(): Promise<number> {
    const visits = [...counted];
    counted.clear();
    try {
      for (const [id, count] of visits)
        await sql`insert into issue_visits (issue_id, visits)
          select id, cast(${count} as bigint) from final_newsletters where id = ${id}
          on conflict (issue_id) do update set visits = issue_visits.visits + excluded.visits`.execute(
          db,
        );
    } catch (err) {
      log.warn({ err }, "Visits by issues' links could not be written");
    }
    return 5_000;
  }
  const work = createRecurringWork(write);
  return {
    note(issueId: number): void {
      // Room for more issues than are read at once, and not for every number that one can invent.
      if (counted.has(issueId) || counted.size < 1_000)
        counted.set(issueId, (counted.get(issueId) ?? 0) + 1);
    },
    start: work.start,
    async stop(): Promise<void> {
      await work.stop();
      await write();
    },
  };
}
