import type { PoolClient } from "pg";
import { deliverWebhook } from "#mail/deliverers.ts";
import { contactEmail } from "#mail/operator-letters.ts";
import type { OutboxPayloads } from "#mail/outbox-jobs.ts";
import { confirmationEmail } from "#mail/subscriber-letters.ts";
import type { Deps } from "./call.ts";
import { createSendMail, type SendMail } from "./send-mail.ts";

type Kind = "contact-email" | "confirmation-email" | "newsletter-webhook";

/** Per answer; the next answer or the timer's call sends the rest. */
const atOnce = 5;
/** With pauses that double from a minute to six hours, this spans two and a half days. */
const maxAttempts = 16;
const firstPauseSeconds = 60;
const longestPauseSeconds = 6 * 60 * 60;

/** Runs in the caller's transaction. */
export async function enqueue<K extends Kind>(
  client: PoolClient,
  kind: K,
  payload: OutboxPayloads[K],
): Promise<void> {
  await client.query("insert into chalkline.outbox (kind, payload) values ($1, $2)", [
    kind,
    JSON.stringify(payload),
  ]);
}

type Row = { delivery_id: string; kind: Kind; payload: unknown; created_at: Date };

/**
 * Sends due jobs. Claiming a job postpones its next attempt, so that no two instances send it and a crashed one leaves
 * it to the next. A repeat has the same Message-ID or webhook id.
 */
export async function deliverWaiting({ pool, settings }: Deps): Promise<void> {
  const { rows } = await pool.query<Row>(
    `update chalkline.outbox as mine
     set attempts = mine.attempts + 1,
         due_at = now() + make_interval(secs => least($2 * power(2, mine.attempts), $3))
     where mine.delivery_id in (
       select delivery_id from chalkline.outbox
       where delivered_at is null and due_at <= now() and attempts < $4
       order by due_at limit $1 for update skip locked
     )
     returning mine.delivery_id, mine.kind, mine.payload, mine.created_at`,
    [atOnce, firstPauseSeconds, longestPauseSeconds, maxAttempts],
  );
  if (rows.length === 0) return;
  const mailer = createSendMail(settings);
  try {
    for (const row of rows) {
      const fault = await deliver(row, mailer, settings).then(
        () => null,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
      await pool.query(
        fault === null
          ? "update chalkline.outbox set delivered_at = now(), last_error = null where delivery_id = $1"
          : "update chalkline.outbox set last_error = $2 where delivery_id = $1",
        fault === null ? [row.delivery_id] : [row.delivery_id, fault.slice(0, 500)],
      );
    }
  } finally {
    mailer.close();
  }
}

async function deliver(
  { delivery_id: deliveryId, kind, payload, created_at }: Row,
  mailer: SendMail,
  { site, contactTo, webhook }: Deps["settings"],
): Promise<void> {
  const about = { deliveryId, createdAt: created_at.toISOString(), site };
  if (kind === "contact-email") {
    const words = payload as OutboxPayloads["contact-email"];
    await mailer.send(contactEmail({ ...about, payload: words, contactTo }));
  } else if (kind === "confirmation-email") {
    const words = payload as OutboxPayloads["confirmation-email"];
    await mailer.send(confirmationEmail({ ...about, payload: words }));
  } else if (webhook) {
    const event = payload as OutboxPayloads["newsletter-webhook"];
    await deliverWebhook({ ...webhook, deliveryId, event });
  }
}
