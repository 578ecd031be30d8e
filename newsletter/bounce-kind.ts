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
