import type { Kysely } from "kysely";
import type { Database } from "../database/tables.ts";
import { applyEvent } from "./apply-event.ts";
import { type BounceKind, statusCodeOf } from "./bounce-kind.ts";
import { loadSubscriber } from "./load-subscriber.ts";

/** So many soft bounces within the days count as a hard one. */
const softBouncesMax = 5;
const softBounceDays = 30;

const dayMs = 24 * 60 * 60 * 1000;

/** What a mail server said of an address. */
export type Refusal = { kind: BounceKind; answer: string };

/**
 * Keeps a refusal in the address's record, and ends mailing it where it's for good or the fifth in thirty days, in the
 * caller's transaction. One of an address that was erased meanwhile leaves nothing.
 */
export async function recordBounce(
  trx: Kysely<Database>,
  { mailbox, refusal, now }: { mailbox: string; refusal: Refusal; now: Date },
): Promise<void> {
  const loaded = await loadSubscriber(trx, mailbox, now);
  if (!loaded.row) return;
  const { kind, answer } = refusal;
  await trx
    .insertInto("bounces")
    .values({
      mailbox_key: mailbox,
      kind,
      status_code: statusCodeOf(answer),
      answer,
      occurred_at: now.toISOString(),
    })
    .execute();
  if (kind === "soft" && (await softBounces(trx, mailbox, now)) < softBouncesMax) return;
  await applyEvent(trx, loaded, { event: "bounce", now, newsletterWebhookUrl: null });
}

/** Within the days, and since the address was last released or confirmed. */
async function softBounces(trx: Kysely<Database>, mailbox: string, now: Date): Promise<number> {
  const since = new Date(now.getTime() - softBounceDays * dayMs).toISOString();
  const { count } = await trx
    .selectFrom("bounces")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("mailbox_key", "=", mailbox)
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
