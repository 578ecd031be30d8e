import { sql } from "kysely";
import type { Db, ReportKind } from "#db/tables.ts";
import { applyEvent } from "./apply-event.ts";
import { loadSubscriber } from "./load-subscriber.ts";

/** An enhanced status code (RFC 3463). The guards keep it from matching part of an IP address. */
const enhancedCode = /(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?!\.?\d)/;

/** Address codes that are about the sender; x.1.20 and x.1.90 are Exchange's. */
const aboutSender = new Set(["1.7", "1.8", "1.20", "1.90"]);

/** Codes that are final: no such mailbox or domain, moved, closed, or a domain without mail (RFC 7505). */
const isGone = new Set(["1.1", "1.2", "1.3", "1.6", "1.10", "2.1"]);

/** Codes of a missing domain (5.4.310 is Exchange's), and Exchange's answer for an unknown recipient (5.4.1). */
const isProbablyGone = new Set(["4.1", "4.4", "4.310"]);

/** Words about the sender, the sending server or the content. They outweigh words about the address. */
const wordsAboutUs =
  /\b(?:sender|spam|spf|dkim|dmarc|phish\w*|virus|malware|rbl|dnsbl|spamhaus|reputation|unsolicited|content|blocked|blacklist\w*|blocklist\w*|block list|banned|relay\w*|(?:un)?authenticat\w+|policy|policies|throttl\w+)\b|\b(?:client|your) (?:host|ip|server|network)\b|\b(?:rate|sending|daily) limit|\btoo many\b|(?<!not )\blisted\b/i;

/** Words for an address that isn't there, whatever class the code has: Outlook.com answers 5.5.0, others 5.7.1. */
const wordsOfGone =
  /\b(?:mailbox|user|recipient|account|address|addressee|person)\b[^.;\n]{0,40}(?:\b(?:unknown|unavailable|not found|no longer|not (?:a )?valid|invalid|disabled|inactive|closed|suspended|deactivated|not (?:listed|here))\b|n['o]t exist\b)|\b(?:unknown|invalid|no such|no|non-?existent|inactive|disabled) (?:local )?(?:user|mailbox|recipient|account|address|person)\b|\bdoes(?:n['’]t| not) have an? [^;\n]{0,40}account|RecipientNotFound/i;

/** A mailbox that takes no more mail just now, whose code (5.2.1) says that it is disabled: Gmail and RFC 3463. */
const wordsOfPause = /\breceiving mail (?:too|at a rate)|\btemporar(?:y|ily)\b/i;

const wordsOfFull = /\b(?:full|quota|over ?quota|size limit|storage)\b/i;

const wordsOfMissingDomain =
  /\b(?:domain|host)(?: or domain)?(?: name)? (?:is )?(?:not found|unknown|does(?:n't| not) exist)|\bno such (?:domain|host)|\bunrouteable address|nxdomain/i;

export function statusCodeOf(answer: string): string | null {
  return codeIn(answer)?.[0] ?? null;
}

/** The code of the last server that a relay quotes: `550 5.0.350 … -> 550 5.1.1`, `550 5.1.1 … said: 552 5.2.2`. */
function codeIn(answer: string): RegExpExecArray | null {
  const quoted = answer.split(/(?:\bsaid:|->)\s+(?=[245]\d\d[ -])/).at(-1) ?? "";
  return enhancedCode.exec(quoted) ?? enhancedCode.exec(answer);
}

/** Whether the code alone says that the address is gone. */
export function isGoneByCode(answer: string): boolean {
  const code = statusCodeOf(answer) ?? "";
  return code.startsWith("5") && isGone.has(code.slice(2));
}

function isAboutUs(answer: string): boolean {
  return wordsAboutUs.test(answer);
}

/**
 * Judges a permanent refusal by its words, then by its code (RFC 3463, section 3): `hard` or `soft` is the address's
 * fault, `sender` is ours and counts against no subscriber. `verdict` is what the mail service calls it, and holds where
 * the code alone (x.5 to x.7) would blame us.
 */
export function bounceKindOf(
  answer: string,
  verdict: "hard" | "soft" | "sender" = "sender",
): "hard" | "soft" | "sender" {
  const [, permanence, subject = "", detail = ""] = codeIn(answer) ?? [];
  const isPermanent = permanence ? permanence === "5" : replyCodeOf(answer) !== "4";
  if (!isPermanent) return "soft";
  const code = `${subject}.${detail}`;
  if (aboutSender.has(code)) return "sender";
  if (code === "2.1" && wordsOfPause.test(answer)) return "soft";
  if (isGone.has(code)) return "hard";
  if (code === "1.4" || subject === "2" || wordsOfFull.test(answer)) return "soft";
  const isOurs = isAboutUs(answer);
  if (wordsOfGone.test(answer) && !isOurs) return "hard";
  // Servers use 5.1.0 for anything, like 5.0.0.
  const isExact = permanence && code !== "0.0" && code !== "1.0";
  if (isExact && !["5", "6", "7"].includes(subject)) return "soft";
  if (isOurs) return "sender";
  return isExact ? verdict : "soft";
}

/** The first digit of an SMTP reply code. */
function replyCodeOf(answer: string): string | null {
  return /(?:^|[:\s])([245])\d\d[ -]/.exec(answer)?.[1] ?? null;
}

/** Whether the address has probably gone: no such domain, or a bare 550 (5.0.0, 5.1.0) with no word about us. */
function isProbablyGoneBy(answer: string): boolean {
  if (wordsOfMissingDomain.test(answer)) return true;
  const code = statusCodeOf(answer) ?? "5.0.0";
  if (isProbablyGone.has(code.slice(2))) return code.startsWith("5");
  return /^5\.[01]\.0$/.test(code) && /(?:^|[:\s])55[013][ -]/.test(answer) && !isAboutUs(answer);
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

const dayMs = 24 * 60 * 60 * 1000;

export type Refusal = { kind: ReportKind; answer: string };

/** `nobody`: the address is no subscriber's. */
type RecordedBounce = "recorded" | "known" | "nobody";

/**
 * Records a bounce or complaint in the caller's transaction, and stops mailing the address after a hard bounce, a
 * complaint or too many soft bounces. A report key is recorded once.
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

/** Whether the soft bounces since the address was last released or confirmed count as a hard one. */
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
  // The second is for a newsletter that goes out once a month.
  const isTooMany = inLastDays(30) >= 5 || inLastDays(365) >= 7;
  return isTooMany || bounces.filter(({ answer }) => isProbablyGoneBy(answer)).length >= 2;
}
