import type { Kysely } from "kysely";
import type { Database, ReportKind } from "#db/tables.ts";
import { applyEvent } from "./apply-event.ts";
import { statusCodeOf } from "./bounce-kind.ts";
import { loadSubscriber } from "./load-subscriber.ts";

/** This many soft bounces within the days count as a hard one. */
const softBouncesMax = 5;
const softBounceDays = 30;

const dayMs = 24 * 60 * 60 * 1000;

export type Refusal = { kind: ReportKind; answer: string };

/** `nobody`: the address is no subscriber's. */
type RecordedBounce = "recorded" | "known" | "nobody";

/**
 * Records a bounce or complaint in the caller's transaction, and stops mailing the address after a hard bounce, a
 * complaint or the fifth soft bounce. A report key is recorded once.
 */
export async function recordBounce(
  trx: Kysely<Database>,
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
  if (kind === "soft" && (await softBounces(trx, mailbox, now)) < softBouncesMax) return "recorded";
  const event = kind === "complaint" ? "complain" : "bounce";
  await applyEvent(trx, loaded, { event, now, newsletterWebhookUrl: null });
  return "recorded";
}

/** Since the address was last released or confirmed, too. */
async function softBounces(trx: Kysely<Database>, mailbox: string, now: Date): Promise<number> {
  const since = new Date(now.getTime() - softBounceDays * dayMs).toISOString();
  const { count } = await trx
    .selectFrom("bounces")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("mailbox_key", "=", mailbox)
    .where("kind", "=", "soft")
    .where("occurred_at", ">", since)
    .where("occurred_at", ">", (eb) =>
      eb.fn.coalesce(
        eb
          .selectFrom("consent_events")
          .select((max) => max.fn.max("recorded_at").as("at"))
          .where("consent_events.mailbox_key", "=", mailbox)
          .where("event", "in", ["released", "confirmed"]),
        eb.val(""),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(count);
}
