import { type Kysely, sql } from "kysely";
import type { Logger } from "pino";
import { amount, number } from "#content/amounts.ts";
import {
  inToronto,
  shortTorontoTime,
  timeAgo,
  torontoDate,
  torontoWeekTime,
} from "#content/toronto-time.ts";
import { readMark, setMark } from "#db/marks.ts";
import { createRecurringWork } from "#db/recurring-work.ts";
import type { Database, Db } from "#db/tables.ts";
import { findLateJobs } from "#mail/outbox.ts";
import { enqueue } from "#mail/outbox-jobs.ts";
import { listPlans } from "#newsletter/issues/plans.ts";
import { listSends } from "#newsletter/sends/sends.ts";
import type { Config } from "#settings/settings.ts";
import { checkStored } from "./health/check-database.ts";
import { readHeartbeat } from "./health/heartbeat.ts";

/** `5 joined`, `1 left`, `3 messages came`, `“Piers” reached 42`: what is worth telling since a moment. */
export async function readNews(db: Kysely<Database>, since: string): Promise<string[]> {
  const { rows } = await sql<Record<"joined" | "departed" | "messages", number>>`select
    (select count(*) from subscribers where held_at is null and (confirmed_at >= ${since}
      or confirmed_at is not null and mailbox_key in (select mailbox_key from consent_events
        where recorded_at >= ${since} and event = 'imported'))) as joined,
    (select count(*) from subscribers where unsubscribed_at >= ${since}) as departed,
    (select count(*) from contact_messages where received_at >= ${since} and held_at is null)
      as messages`.execute(db);
  const { joined = 0, departed = 0, messages = 0 } = rows[0] ?? {};
  const sends = (await listSends(db, { limit: 10 })).filter(
    ({ begunAt, counts }) => begunAt !== null && begunAt >= since && counts.accepted > 0,
  );
  return [
    joined > 0 && `${number(joined)} joined`,
    departed > 0 && `${number(departed)} left`,
    messages > 0 && `${amount(messages, "message")} came`,
    ...sends.map(({ title, counts }) => `“${title}” reached ${number(counts.accepted)}`),
  ].filter((clause) => clause !== false);
}

/** `Since Friday: 5 joined, 1 left.` */
async function describeNews(db: Kysely<Database>, since: Date, now: Date): Promise<string> {
  const isToday = torontoDate(since) === torontoDate(now);
  const when = isToday ? "earlier today" : timeAgo(since.toISOString(), now.getTime());
  return `Since ${when}: ${(await readNews(db, since.toISOString())).join(", ") || "nothing new"}.`;
}

type NewsOptions = { db: Kysely<Database>; config: Config; siteUrl: string; log: Logger };

const lookEveryMs = 60_000;
/** An update takes less. */
const outageMs = 10 * 60_000;

/** Mails the operator on Monday mornings, and at once after an outage of the site or of its mail. */
export function createNews({ db, config, siteUrl, log }: NewsOptions) {
  const host = new URL(siteUrl).host;
  let lateSince: string | null = null;

  async function mail(subject: string, paragraphs: string[], now: Date, trx: Db = db) {
    await enqueue(trx, { kind: "owner-email", payload: { subject, paragraphs }, now });
  }

  /** To be asked before the first beat. */
  async function tellOutage(now: Date): Promise<void> {
    const { answeredAt, silentMs } = await readHeartbeat(db, now);
    if (config.smtpUrl === null || answeredAt === null || silentMs < outageMs) return;
    const span = `from ${shortTorontoTime(answeredAt)} to ${shortTorontoTime(now.toISOString())}`;
    const words = `The site runs again after an outage ${span}: what waited is going out.`;
    const ending = "You get this mail after each outage of more than ten minutes.";
    await mail(`${host} was down`, [words, ending], now);
  }

  async function tellMail(now: Date): Promise<void> {
    const late = await findLateJobs(db, now);
    const wasLateMs = lateSince === null ? 0 : now.getTime() - Date.parse(lateSince);
    if (late === null && wasLateMs > outageMs) {
      const since = shortTorontoTime(lateSince ?? "");
      const words = `Mail goes out again. None could leave from ${since} until now.`;
      const ending = "You get this mail when mail leaves again after more than ten minutes.";
      await mail(`Mail from ${host} was held up`, [words, ending], now);
    }
    lateSince = late?.since ?? null;
  }

  async function tellWeek(now: Date): Promise<void> {
    const today = inToronto(now.getTime());
    const isMorning = today.dayOfWeek === 1 && today.hour >= 7 && today.hour < 19;
    const weekAgo = new Date(now.getTime() - 7 * 86_400_000).toISOString();
    const begunAt = await readMark(db, "starter-issues");
    // A site that has just been set up has nothing to tell.
    if (!isMorning || config.mondayMail === "no" || (begunAt ?? "9999") > weekAgo) return;
    const monday = new Date(today.startOfDay().epochMilliseconds);
    const mark = { name: "monday-mail", at: now, ifBefore: monday };
    if (((await readMark(db, mark.name)) ?? "") >= monday.toISOString()) return;
    const news = await readNews(db, weekAgo);
    const plans = (await listPlans(db)).filter(({ problem }) => problem === null);
    const stored = await checkStored(db, config, now);
    const told = stored.filter(({ about, state }) => about === "Backups" || state === "attention");
    const words = news.length > 0 ? news.join(", ") : "nobody joined or wrote";
    const paragraphs = [
      `Since last Monday: ${words}.`,
      ...plans.map(
        ({ title, dueAt }) => `Planned: “${title}”, ${torontoWeekTime(new Date(dueAt))}.`,
      ),
      ...told.map(({ message, advice }) => `${message} ${advice ?? ""}`.trim()),
      "You get this mail on Monday mornings. It ends at the desk, under Settings, Mail.",
    ];
    const subject = `Your week at ${host}: ${words}`;
    await db.transaction().execute(async (trx) => {
      if (await setMark(trx, mark)) await mail(subject, paragraphs, now, trx);
    });
  }

  async function look(): Promise<void> {
    const now = new Date();
    if (config.smtpUrl === null) return;
    await tellMail(now)
      .then(() => tellWeek(now))
      .catch((err) => log.warn({ err }, "The operator could not be told the news"));
  }

  const work = createRecurringWork(() => look().then(() => lookEveryMs));
  return { ...work, look, tellOutage };
}

/** Sums up the time since this browser's last visit; an hour without a look begins another visit. */
export async function readVisit(db: Db, { headers }: Request, now: Date) {
  const [, before = "", last = ""] =
    /(?:^|; )visit=(\d{0,15})\.(\d{1,15})/.exec(headers.get("Cookie") ?? "") ?? [];
  const sinceMs = now.getTime() - Number(last) > 60 * 60_000 ? last : before;
  const cookie = `visit=${sinceMs}.${now.getTime()}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000`;
  if (sinceMs === "" || Number(sinceMs) > now.getTime()) return { cookie, news: null };
  return { cookie, news: await describeNews(db, new Date(Number(sinceMs)), now) };
}
