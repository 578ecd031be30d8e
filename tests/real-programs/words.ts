import { type Failure, readFailure } from "#mail/mail-answer.ts";
import type { MailPrograms } from "./mail-programs.ts";

// Answers of mail servers to a mail, and their meaning for us.

type PortName = keyof MailPrograms["ports"];

export type Provocation = {
  at: PortName;
  to: string;
  from?: string;
  subject?: string;
  body?: string;
  headers?: Record<string, string>;
  password?: string;
  /** A connection that is open already, or a mail that went before. */
  after?: "connection" | "mail";
  means: string;
};

/** The standard text that every spam filter has to refuse. */
const gtube = "XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X";

const wrongSignature =
  "v=1; a=rsa-sha256; c=relaxed/relaxed; d=firm.test; s=mail; h=From:Subject; b=AAAA;" +
  " bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";

const long = "x".repeat(200_000);

const given: Record<string, Omit<Provocation, "to"> & { to?: string }> = {
  "Postfix: unknown mailbox": { at: "mx", to: "nobody@readers.test", means: "address, hard" },
  "Postfix: closed mailbox": { at: "mx", to: "closed@readers.test", means: "address, hard" },
  "Postfix, Dovecot: full mailbox": { at: "mx", to: "full@readers.test", means: "address, soft" },
  "Postfix: no such domain": { at: "mx", to: "nowhere@readers.test", means: "address, soft" },
  "Postfix: access denied": { at: "mx", to: "denied@readers.test", means: "us" },
  "Postfix: listed by Spamhaus": { at: "mx", to: "listed@readers.test", means: "us" },
  "Postfix: put off by a rule": { at: "mx", to: "defer@readers.test", means: "later" },
  "Postfix: another domain": { at: "mx", to: "reader-1@other.test", means: "us" },
  "Postfix: sender refused": { at: "mx", from: "nobody@firm.test", means: "us" },
  "Postfix: content refused": { at: "mx", subject: "unwanted", means: "us" },
  "postgrey: greylisted": { at: "greylisting", to: "reader-1@grey.test", means: "later" },
  "OpenDKIM: bad signature": {
    at: "mx",
    means: "us",
    headers: { "DKIM-Signature": wrongSignature },
  },
  "rspamd: spam": { at: "filtered", to: "reader-1@filtered.test", body: gtube, means: "us" },
  "Postfix relay: nobody signed in": { at: "unsigned", means: "us" },
  "Postfix relay: wrong password": {
    at: "submission",
    password: "wrong",
    means: "sign-in refused",
  },
  "Postfix relay: mail too large": { at: "small", means: "mail" },
  "Postfix relay: disk full": { at: "full", means: "later" },
  "Postfix relay: too many connections": { at: "one", after: "connection", means: "busy" },
  "Postfix relay: too many mails": { at: "once", after: "mail", means: "later" },
  "Postfix relay: no SMTPUTF8": { at: "ascii", to: "josé@bücher.test", means: "mail" },
  "Postfix relay: no such domain": {
    at: "open",
    to: "reader-1@nowhere.test",
    means: "address, soft",
  },
  "Exim relay: wrong password": { at: "eximRelay", password: "wrong", means: "sign-in refused" },
  "Exim relay: nobody signed in": { at: "eximRelay", means: "us" },
  "Exim relay: too many connections": { at: "eximOne", after: "connection", means: "busy" },
  "Exim relay: too many mails": { at: "eximOnce", means: "later" },
  "Exim: unknown mailbox": { at: "exim", to: "nobody@exim.test", means: "address, hard" },
  "Exim: denied": { at: "exim", to: "denied@exim.test", means: "address, soft" },
  "Exim: put off": { at: "exim", to: "defer@exim.test", means: "later" },
  "Exim: another domain": { at: "exim", to: "reader-1@other.test", means: "us" },
  "Exim: content refused": { at: "exim", subject: "unwanted", means: "us" },
  "Exim: mail too large": { at: "exim", body: long, means: "mail" },
};

/** Without another recipient named, the mail goes to one that the program knows. */
export const provocations: Record<string, Provocation> = Object.fromEntries(
  Object.entries(given).map(([name, one]) => {
    const to = `reader-1@${one.at.startsWith("exim") ? "exim" : "readers"}.test`;
    return [name, { to, ...one }];
  }),
);

/** The meaning of a mailer's error, in the words of `provocations`. */
export function meaningOfError(error: unknown, to: string): string {
  const failure: Failure = readFailure(error, to);
  if (failure.kind === "away") {
    if (failure.isRefused) return "sign-in refused";
    return failure.isBusy ? "busy" : "away";
  }
  const { meaning } = failure;
  return meaning.about === "address" ? `address, ${meaning.kind}` : meaning.about;
}

/** A reader whose mail comes back, and what becomes of the report. */
export const returned: Record<string, { to: string; body?: string; outcome: string }> = {
  "Postfix, unknown mailbox": { to: "nobody@readers.test", outcome: "recorded, hard" },
  "Postfix, closed mailbox": { to: "closed@readers.test", outcome: "recorded, hard" },
  "Postfix, full mailbox": { to: "full@readers.test", outcome: "recorded, soft" },
  "Postfix, access denied": { to: "denied@readers.test", outcome: "recorded, soft" },
  "Postfix, listed by Spamhaus": { to: "listed@readers.test", outcome: "ours" },
  "Postfix, spam": { to: "reader-1@filtered.test", body: gtube, outcome: "ours" },
  "Postfix, delayed": { to: "reader-1@slow.test", outcome: "nothing" },
  "Postfix, given up": { to: "reader-1@slow.test", outcome: "recorded, soft" },
  "Postfix, too large for Exim": { to: "reader-1@exim.test", body: long, outcome: "ours" },
  "Exim, unknown mailbox": { to: "late@exim.test", outcome: "recorded, hard" },
  "Exim, full mailbox": { to: "full@exim.test", outcome: "recorded, soft" },
};
