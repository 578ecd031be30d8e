import { describeCauses } from "#db/describe-causes.ts";

// Stages and reply codes are RFC 5321's, enhanced codes RFC 3463's.

/**
 * `connection`: greeting, TLS, sign-in. `sender`: MAIL FROM. `recipient`: RCPT TO. `message`: DATA
 * and after. `report`: a bounce report or event.
 */
export type Stage = "connection" | "sender" | "recipient" | "message" | "report";

/** Whose fault it is. `mail`: this mail's, such as its size. `us`: our account, address or server's. */
export type Meaning =
  | { about: "address"; kind: "hard" | "soft"; byCode: boolean }
  | { about: "us"; isLimit: boolean }
  | { about: "mail" | "later" };

/** An enhanced status code. The guards keep it from matching part of an IP address. */
const enhancedCode = /(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?!\.?\d)/;

/** About the sender's address; x.1.20 and x.1.90 are Exchange's, 4.5 is Gmail's daily limit. */
const codesOfUs = new Set(["1.7", "1.8", "1.20", "1.90", "4.5"]);
const codesOfLimit = new Set(["1.90", "4.5"]);

/** No such mailbox or domain, moved, closed, or without mail (RFC 7505). */
const codesOfGone = new Set(["1.1", "1.2", "1.3", "1.6", "1.10", "2.1"]);

/** Size, form or language of the mail (RFC 3463, RFC 6531). */
const codesOfMail = /^(?:2\.3|3\.4|6\.\d+)$/;

/** These outweigh words about the address. */
const wordsAboutUs =
  /\b(?:sender|spam|spf|dkim|dmarc|phish\w*|virus|malware|rbl|dnsbl|spamhaus|reputation|unsolicited|content|blocked|blacklist\w*|blocklist\w*|block list|banned|relay\w*|(?:un)?authenticat\w+|policy|policies|throttl\w+)\b|\b(?:client|your) (?:host|ip|server|network|account)\b|\btoo many\b|(?<!not )\blisted\b/i;

const wordsOfLimit =
  /\b(?:rate|sending|daily|hourly|submission|outgoing|message)[\w ]{0,20} ?(?:limit|quota)|quota ?exceeded ?exception|\b(?:limit|quota|maximum)\b[\w ]{0,40}\b(?:per|a|an|in 24) ?(?:day|hours?)\b/i;

/** Outlook.com answers 5.5.0, others 5.7.1. */
const wordsOfGone =
  /\b(?:mailbox|user|recipient|account|address|addressee|person)\b[^.;\n]{0,40}(?:\b(?:unknown|unavailable|not found|no longer|not (?:a )?valid|invalid|disabled|inactive|closed|suspended|deactivated|not (?:listed|here))\b|n['o]t exist\b)|\b(?:unknown|invalid|no such|no|non-?existent|inactive|disabled) (?:local )?(?:user|mailbox|recipient|account|address|person)\b|\bdoes(?:n['’]t| not) have an? [^;\n]{0,40}account|RecipientNotFound/i;

/** Gmail's code (5.2.1) would mean a disabled mailbox. */
const wordsOfPause = /\breceiving mail (?:too|at a rate)|\btemporar(?:y|ily)\b/i;

const wordsOfFull = /\b(?:full|quota|over ?quota|size limit|storage)\b/i;

/** Servers such as Exim send no enhanced codes. */
const wordsOfSize =
  /\b(?:message|mail)(?: (?:file|size|length|body))? (?:is )?(?:too (?:big|large|long)|exceeds)\b/i;

const wordsOfMissingDomain =
  /\b(?:domain|host)(?: or domain)?(?: name)? (?:is )?(?:not found|unknown|does(?:n't| not) exist)|\bno such (?:domain|host)|\bunrouteable address|nxdomain/i;

export function statusCodeOf(answer: string): string | null {
  return codeIn(answer)?.[0] ?? null;
}

/** A relay quotes the last server: `550 5.0.350 … -> 550 5.1.1`. */
function codeIn(answer: string): RegExpExecArray | null {
  const quoted = answer.split(/(?:\bsaid:|->)\s+(?=[245]\d\d[ -])/).at(-1) ?? "";
  return enhancedCode.exec(quoted) ?? enhancedCode.exec(answer);
}

/**
 * Reads an answer by stage, code and words. After DATA, only an unambiguous answer counts against
 * an address; callers also compare by `comparableWords`. `verdict` is a mail service's, for codes that
 * would blame us.
 */
export function meaningOf(
  { stage, words }: { stage: Stage; words: string },
  verdict: "hard" | "soft" | "us" = "us",
): Meaning {
  const [, permanence, subject = "", detail = ""] = codeIn(words) ?? [];
  const code = `${subject}.${detail}`;
  const replyClass = /(?:^|[:\s])([245])\d\d[ -]/.exec(words)?.[1];
  const isPermanent = permanence ? permanence === "5" : replyClass !== "4";
  if (!isPermanent) return { about: "later" };
  const isLimit = codesOfLimit.has(code) || wordsOfLimit.test(words);
  const isOurs = isLimit || wordsAboutUs.test(words);
  const us: Meaning = { about: "us", isLimit };
  const address = (kind: "hard" | "soft", byCode = false): Meaning => ({
    about: "address",
    kind,
    byCode,
  });
  const isOfSize = code === "." && wordsOfSize.test(words);
  if (codesOfMail.test(code) || isOfSize) return { about: "mail" };
  if (stage === "connection" || stage === "sender" || codesOfUs.has(code)) return us;
  if (code === "2.1" && wordsOfPause.test(words)) return address("soft", true);
  if (codesOfGone.has(code)) return address("hard", true);
  if (wordsOfMissingDomain.test(words) && !isOurs) return address("soft");
  if (wordsOfGone.test(words) && !isOurs) return address("hard");
  // After DATA a full mailbox may be our own account's quota.
  if (stage === "message") {
    return code === "2.2" && !isOurs ? address("soft", true) : us;
  }
  if (code === "1.4" || (subject === "2" && !isOurs)) return address("soft", true);
  if (wordsOfFull.test(words) && !isOurs) return address("soft");
  // Servers use 5.1.0 for anything, like 5.0.0.
  const isExact = permanence && code !== "0.0" && code !== "1.0";
  if (isExact && !["2", "5", "6", "7"].includes(subject)) return address("soft", true);
  if (isOurs) return us;
  if (!isExact) return address("soft");
  return verdict === "us" ? us : address(verdict);
}

/** Without addresses, ids and times, to compare two answers. */
export function comparableWords(words: string): string {
  return words
    .replace(address, "")
    .replace(/\S*\d\S*/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();
}

const address = /<?[^\s<>@;:,()]{1,64}@[^\s<>@;:,()]{1,255}>?/g;

const wordsMaxLength = 500;
const readMaxLength = 4_000;

/** On one line, without addresses. */
export function wordsWithoutAddresses(words: string): string {
  return words
    .slice(0, readMaxLength)
    .toWellFormed()
    .replace(address, "the address")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, wordsMaxLength)
    .toWellFormed();
}

export type MailError = Error & {
  code?: string;
  command?: string;
  responseCode?: number;
  response?: string;
  rejectedErrors?: MailError[];
  hasFewerConnections?: boolean;
};

const ownObjections = new Set(["EENVELOPE", "EMESSAGE"]);

/** Nodemailer's words: a relay may quote the same of the next server. */
const notConnected = /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|greeting/i;

const aboutCertificate = /\bcertificate\b|\bself[- ]signed\b|ERR_TLS|wrong version number/i;

/** `away`: no answer. `tried`: it may have arrived. `isBusy`: 421. `isRefused`: sign-in or certificate. */
export type Failure =
  | {
      kind: "away";
      words: string;
      tried: boolean;
      isBusy: boolean;
      hasFewerConnections: boolean;
      isRefused: boolean;
    }
  | { kind: "answer"; words: string; stage: Stage; meaning: Meaning };

/** Some servers name the local part alone. A number may be a code. */
function wordsWithoutName(words: string, to: string): string {
  const name = to.slice(0, Math.max(0, to.lastIndexOf("@")));
  if (!/\p{L}.*\p{L}/su.test(name)) return words;
  const alone = new RegExp(`(?<![\\w.+-])${RegExp.escape(name)}(?![\\w+-]|\\.\\w)`, "gi");
  return words.replace(alone, "the address");
}

/** Reads Nodemailer's error; its words leave the recipient's address out. */
export function readFailure(error: unknown, to = ""): Failure {
  const words = wordsWithoutName(wordsWithoutAddresses(describeCauses(error)), to);
  const { code = "", responseCode = 0, response = "" } = error as MailError;
  if (responseCode === 0 && ownObjections.has(code)) {
    return { kind: "answer", words, stage: "message", meaning: { about: "mail" } };
  }
  const stage = stageOf(error as MailError);
  const isCertificate = responseCode === 0 && aboutCertificate.test(words);
  const isUnreached = responseCode === 0 && notConnected.test(words);
  const early = stage === "connection" || isCertificate || isUnreached;
  if (early || responseCode < 400 || responseCode === 421) {
    const isRefused = isCertificate || (code === "EAUTH" && responseCode >= 500);
    const isBusy = responseCode === 421 || (responseCode >= 400 && responseCode < 500);
    const tried = !early && responseCode === 0;
    const hasFewerConnections = (error as MailError).hasFewerConnections ?? false;
    return { kind: "away", words, tried, isBusy, hasFewerConnections, isRefused };
  }
  // A server without SMTPUTF8 (RFC 6531) is at fault, not the address.
  const isLackOfUtf8 = stage === "recipient" && !/^[\x00-\x7f]*@/.test(to) && responseCode >= 500;
  const isBadForm = /\b(?:5\.1\.3|5\.6\.7|50[0-9])\b/.test(response);
  if (isLackOfUtf8 && isBadForm)
    return { kind: "answer", words, stage, meaning: { about: "mail" } };
  return { kind: "answer", words, stage, meaning: meaningOf({ stage, words: response || words }) };
}

/** A broken connection reports `CONN` at any stage. */
function stageOf({ code = "", command = "", responseCode = 0 }: MailError): Stage {
  const isBefore =
    /^(?:EHLO|HELO|LHLO|STARTTLS|AUTH)/.test(command) ||
    /^(?:EAUTH|ETLS|EDNS|EPROXY|ENOAUTH)$/.test(code) ||
    (command === "CONN" && responseCode !== 0);
  if (isBefore) return "connection";
  if (/^MAIL FROM/.test(command)) return "sender";
  return /^RCPT TO/.test(command) ? "recipient" : "message";
}
