/** An enhanced status code (RFC 3463), which no part of a network address is. */
const enhancedCode = /(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?!\.?\d)/;

/** Addressing codes about the sender: bad syntax, not valid, and Exchange's for two Froms and a daily limit. */
const aboutSender = new Set(["1.7", "1.8", "1.20", "1.90"]);

/**
 * What stays so: no such mailbox or domain, no address at all, moved with no address, a domain that takes no mail
 * (RFC 7505), a closed mailbox. Servers say 5.1.0 of anything.
 */
const isGone = new Set(["1.1", "1.2", "1.3", "1.6", "1.10", "2.1"]);

/** The enhanced status code in a mail server's words; null where there is none. */
export function statusCodeOf(answer: string): string | null {
  return enhancedCode.exec(answer)?.[0] ?? null;
}

/**
 * Whose fault a permanent refusal is, by the classes of RFC 3463, section 3: the address's (`hard`, `soft`), or ours
 * (`sender`: our address, protocol, content or name, x.5 to x.7), which counts against no subscriber. Without an enhanced
 * code, or where it contradicts the refusal, it counts as soft.
 */
export function bounceKindOf(answer: string): "hard" | "soft" | "sender" {
  const [, permanence, subject = "", detail = ""] = enhancedCode.exec(answer) ?? [];
  if (permanence !== "5") return "soft";
  const code = `${subject}.${detail}`;
  if (["5", "6", "7"].includes(subject) || aboutSender.has(code)) return "sender";
  return isGone.has(code) ? "hard" : "soft";
}

const wordsMaxLength = 500;
/** More of a report's words isn't read. */
const readMaxLength = 4_000;

const address = /<?[^\s<>@;:,()]{1,64}@[^\s<>@;:,()]{1,255}>?/g;

/** A mail server's words as they are stored: on one line, without the addresses that servers like to repeat. */
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
