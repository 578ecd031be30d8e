/** An enhanced status code (RFC 3463) and what it speaks of; a part of a network address is none. */
const enhancedCode = /(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?!\.?\d)/;

/**
 * Of the addressing class, what is said of the sender: bad syntax, not valid, and what Exchange says of more than one From
 * and of a sender's daily limit.
 */
const aboutSender = new Set(["1.7", "1.8", "1.20", "1.90"]);

/**
 * What stays so: no such mailbox or domain, no address at all, moved with no address, a domain that takes no mail
 * (RFC 7505), a mailbox that is closed. Full, too large and list trouble pass; servers say 5.1.0 of whatever it is.
 */
const isGone = new Set(["1.1", "1.2", "1.3", "1.6", "1.10", "2.1"]);

/** The enhanced status code in a mail server's words; null where there is none. */
export function statusCodeOf(answer: string): string | null {
  return enhancedCode.exec(answer)?.[0] ?? null;
}

/**
 * Whose fault a refusal for good is, by the classes of RFC 3463, section 3: the address's (`hard`, `soft`), or ours
 * (`sender`: our address, protocol, content or name, x.5 to x.7), of which no reader bears the consequences. Without an
 * enhanced code, or where it contradicts the refusal, it's taken for soft.
 */
export function bounceKindOf(answer: string): "hard" | "soft" | "sender" {
  const [, permanence, subject = "", detail = ""] = enhancedCode.exec(answer) ?? [];
  if (permanence !== "5") return "soft";
  const code = `${subject}.${detail}`;
  if (["5", "6", "7"].includes(subject) || aboutSender.has(code)) return "sender";
  return isGone.has(code) ? "hard" : "soft";
}
