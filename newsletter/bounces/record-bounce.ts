import { sql } from "kysely";
import type { Db, ReportKind } from "#db/tables.ts";
import { meaningOf, statusCodeOf } from "#mail/mail-answer.ts";
import { applyEvent, loadSubscriber } from "../subscribers/apply-event.ts";

/** `sender`: our fault or this mail's. */
export function bounceKindOf(
  words: string,
  verdict: "hard" | "soft" | "us" = "us",
): "hard" | "soft" | "sender" {
  const meaning = meaningOf({ stage: "report", words }, verdict);
  if (meaning.about === "later") return "soft";
  return meaning.about === "address" ? meaning.kind : "sender";
}

export type ServerRefusal = { kind: ReportKind; answer: string };

/** `nobody`: the address is no subscriber's. */
type RecordedBounce = "recorded" | "known" | "nobody";

/** Records a bounce once by its report key. A hard one, a complaint or many soft ones stop mailing. */
export async function recordBounce(
  trx: Db,
  {
    mailbox,
    refusal,
    now,
    reportKey = null,
  }: { mailbox: string; refusal: ServerRefusal; now: Date; reportKey?: string | null },
): Promise<RecordedBounce> {
  const loaded = await loadSubscriber(trx, mailbox, now);
  if (!loaded.row) return "nobody";
  const { kind, answer } = refusal;
  const inserted = await trx
    .insertInto("bounces")
    .values({
      mailbox_key: mailbox,
      kind,
      status_code: statusCodeOf(answer),
      answer,
      occurred_at: now.toISOString(),
      report_key: reportKey,
    })
    .onConflict((conflict) => conflict.columns(["mailbox_key", "report_key"]).doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows === 0n) return "known";
  if (kind === "soft" && !(await isEnough(trx, mailbox, now))) return "recorded";
  const event = kind === "complaint" ? "complain" : "bounce";
  await applyEvent(trx, loaded, { event, now, newsletterWebhookUrl: null });
  return "recorded";
}

/** Five in a month, or, of a monthly newsletter, seven in a year. */
async function isEnough(trx: Db, mailbox: string, now: Date): Promise<boolean> {
  const ago = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString();
  const { rows } = await sql<{ inMonth: number; inYear: number }>`
    select count(*) as "inYear", count(*) filter (where occurred_at > ${ago(30)}) as "inMonth"
    from bounces where mailbox_key = ${mailbox} and kind = 'soft' and occurred_at > ${ago(365)}
      and occurred_at > coalesce((select max(recorded_at) from consent_events
        where mailbox_key = ${mailbox} and event in ('released', 'confirmed')), '')`.execute(trx);
  const { inMonth = 0, inYear = 0 } = rows[0] ?? {};
  return inMonth >= 5 || inYear >= 7;
}
