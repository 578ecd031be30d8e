/** `hard`: the address takes no mail, now or later. `soft`: it didn't take this one. */
export type BounceKind = "hard" | "soft";

/** What ends being mailed, or counts towards it. `complaint`: the reader has called the mail spam (RFC 5965). */
export type ReportKind = BounceKind | "complaint";

/** What an enhanced status code (RFC 3463) speaks of. */
const enhancedCode = /\b([245])\.(\d{1,3})\.(\d{1,3})\b/;

/** Of the addressing class, what is said of the sender's address: bad syntax, and not valid. */
const aboutSender = new Set(["1.7", "1.8"]);

/** Of the mailbox class, what stays so: disabled. Full, too large and list trouble pass. */
const mailboxIsGone = new Set(["2.1"]);

/** The enhanced status code in a mail server's words; null where there is none. */
export function statusCodeOf(answer: string): string | null {
  return enhancedCode.exec(answer)?.[0] ?? null;
}

/**
 * Whose fault a refusal for good is, by the classes of RFC 3463, section 3: the address's (`hard`, `soft`), or ours
 * (`sender`: our address, protocol, content or name, x.5 to x.7), of which no reader bears the consequences. Without an
 * enhanced code, or where it contradicts the refusal, it's taken for soft.
 */
export function bounceKindOf(answer: string): BounceKind | "sender" {
  const [, permanence, subject = "", detail = ""] = enhancedCode.exec(answer) ?? [];
  if (permanence !== "5") return "soft";
  const code = `${subject}.${detail}`;
  if (["5", "6", "7"].includes(subject) || aboutSender.has(code)) return "sender";
  // Addressing: no such mailbox or domain, ambiguous, moved with no address, a domain that takes no mail (RFC 7505).
  if (subject === "1" || mailboxIsGone.has(code)) return "hard";
  return "soft";
}
