import { sql } from "kysely";
import type { Db, ReportKind } from "#db/tables.ts";
import { isProbablyGone, meaningOf, statusCodeOf } from "#mail/mail-answer.ts";
import { applyEvent } from "../subscribers/apply-event.ts";
import { loadSubscriber } from "../subscribers/load-subscriber.ts";

/** `sender`: our fault or this mail's. */
export function bounceKindOf(
  words: string,
  verdict: "hard" | "soft" | "us" = "us",
): "hard" | "soft" | "sender" {
  const meaning = meaningOf({ stage: "report", words }, verdict);
  if (meaning.about === "later") return "soft";
  return meaning.about === "address" ? meaning.kind : "sender";
}

const dayMs = 24 * 60 * 60 * 1000;

export type Refusal = { kind: ReportKind; answer: string };

/** `nobody`: the address is no subscriber's. */
type RecordedBounce = "recorded" | "known" | "nobody";

/**
 * Records a bounce once by its report key, and stops mailing after a hard one, a complaint or too
 * many soft ones.
 */
export async function recordBounce(
  trx: Db,
  {
    mailbox,
    refusal,
    now,
    reportKey = null,
  }: { mailbox: string; refusal: Refusal; now: Date; reportKey?: string | null },
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

async function isEnough(trx: Db, mailbox: string, now: Date): Promise<boolean> {
  const ago = (days: number) => new Date(now.getTime() - days * dayMs).toISOString();
  const bounces = await trx
    .selectFrom("bounces")
    .select(["answer", "occurred_at"])
    .where("mailbox_key", "=", mailbox)
    .where("kind", "=", "soft")
    .where("occurred_at", ">", ago(365))
    .where(
      sql<boolean>`occurred_at > coalesce((select max(recorded_at) from consent_events
        where mailbox_key = ${mailbox} and event in ('released', 'confirmed')), '')`,
    )
    .execute();
  const inLastDays = (days: number) =>
    bounces.filter(({ occurred_at }) => occurred_at > ago(days)).length;
  // The second is for monthly newsletters.
  const isTooMany = inLastDays(30) >= 5 || inLastDays(365) >= 7;
  return isTooMany || bounces.filter(({ answer }) => isProbablyGone(answer)).length >= 2;
}
