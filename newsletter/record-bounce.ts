import type { Kysely } from "kysely";
import type { Database, ReportKind } from "#db/tables.ts";
import { applyEvent } from "./apply-event.ts";
import { loadSubscriber } from "./load-subscriber.ts";

/** An enhanced status code (RFC 3463). The guards keep it from matching part of an IP address. */
const enhancedCode = /(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?!\.?\d)/;

/** Address codes that are about the sender; x.1.20 and x.1.90 are Exchange's. */
const aboutSender = new Set(["1.7", "1.8", "1.20", "1.90"]);

/**
 * Codes that are final: no such mailbox or domain, moved, closed, or a domain without mail (RFC 7505). Servers use
 * 5.1.0 for anything.
 */
const isGone = new Set(["1.1", "1.2", "1.3", "1.6", "1.10", "2.1"]);

export function statusCodeOf(answer: string): string | null {
  return enhancedCode.exec(answer)?.[0] ?? null;
}

/**
 * Classifies a permanent refusal (RFC 3463, section 3): `hard` or `soft` is the address's fault, `sender` is ours (x.5
 * to x.7) and counts against no subscriber. Without a code, or with a contradictory one, it is soft.
 */
export function bounceKindOf(answer: string): "hard" | "soft" | "sender" {
  const [, permanence, subject = "", detail = ""] = enhancedCode.exec(answer) ?? [];
  if (permanence !== "5") return "soft";
  const code = `${subject}.${detail}`;
  if (["5", "6", "7"].includes(subject) || aboutSender.has(code)) return "sender";
  return isGone.has(code) ? "hard" : "soft";
}

const wordsMaxLength = 500;
const readMaxLength = 4_000;

const address = /<?[^\s<>@;:,()]{1,64}@[^\s<>@;:,()]{1,255}>?/g;

/** A mail server's words on one line, without the addresses that servers repeat. */
export function reportWords(words: string): string {
  return words
    .slice(0, readMaxLength)
    .toWellFormed()
    .replace(address, "the address")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, wordsMaxLength)
    .toWellFormed();
}

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
