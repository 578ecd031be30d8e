import { describeError } from "#mail/outbox.ts";
import type { MailError } from "#mail/refused-mail.ts";
import { bounceKindOf } from "../bounce-kind.ts";
import type { Refusal } from "../record-bounce.ts";

/** What the end of a hand-over that didn't succeed means. */
export type Answer =
  /** The server is away, full or closes down (421): nothing is said of the mail. `tried`: it may have arrived. */
  | { kind: "away"; words: string; tried: boolean; isTooFast: boolean }
  /** 4xx: the receiver may take it later. */
  | { kind: "put off"; words: string }
  /** 5xx of the address. */
  | { kind: "refused"; words: string; refusal: Refusal }
  /** 5xx of ours: sender, content, name. */
  | { kind: "refuses us"; words: string };

/** Commands and codes before any mail is spoken of. A connection that broke says `CONN` at whatever moment it did. */
const beforeTheMail = /^(?:EHLO|HELO|LHLO|STARTTLS|AUTH)/;
const beforeTheMailCodes = new Set(["EAUTH", "ETLS", "EDNS", "EPROXY", "ENOAUTH"]);
/** In our own words, not the server's: a relay may say as much of where it would send the mail on to. */
const notConnected = /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|greeting/i;

/** What Nodemailer finds wrong with a mail or its envelope before it asks the server. */
const ownObjections = new Set(["EENVELOPE", "EMESSAGE"]);

/** Reads what Nodemailer says of a mail that didn't go. The reader's address is left out of the words that are kept. */
export function readAnswer(error: unknown, email: string): Answer {
  const words = withoutAddress(describeError(error), email);
  const { code, command = "", responseCode = 0, response = "" } = error as MailError;
  const isGreeting = command === "CONN" && responseCode !== 0;
  const early =
    beforeTheMail.test(command) ||
    beforeTheMailCodes.has(code ?? "") ||
    isGreeting ||
    (responseCode === 0 && notConnected.test(words));
  if (responseCode === 0 && ownObjections.has(code ?? "")) return { kind: "refuses us", words };
  if (early || responseCode < 400 || responseCode === 421) {
    const isTooFast = responseCode === 421 || (responseCode >= 400 && responseCode < 500);
    // With an answer of its own the server has said that it has not taken the mail.
    return { kind: "away", words, tried: !early && responseCode === 0, isTooFast };
  }
  if (responseCode < 500 || /^5\d\d[ -]4\.\d+\.\d+/.test(response)) {
    return { kind: "put off", words };
  }
  const kind = /^MAIL FROM/.test(command) ? "sender" : bounceKindOf(response);
  if (kind === "sender") return { kind: "refuses us", words };
  return { kind: "refused", words, refusal: { kind, answer: words } };
}

function withoutAddress(words: string, email: string): string {
  const literal = email.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return words.replace(new RegExp(literal, "gi"), "the address");
}
