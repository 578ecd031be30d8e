import { causesOf } from "#db/describe-causes.ts";

/** Longest message of an error in the log, in characters. */
const messageMaxLength = 300;
const framesMax = 12;

/** What tells kinds of failure apart and is never a visitor's: names and numbers that Node, pg and Nodemailer give. */
const facts = [
  "code",
  "errcode",
  "errno",
  "syscall",
  "responseCode",
  "statusCode",
  "command",
  "severity",
  "schema",
  "table",
  "column",
  "constraint",
  "routine",
];
const factShape = /^[\w .:-]{1,80}$/;

type LoggedError = {
  type: string;
  /** Absent where the words are another server's. */
  message?: string;
  frames?: string[];
  cause?: LoggedError;
  [fact: string]: unknown;
};

/**
 * An error as the log keeps it. Its message keeps no quoted text, since libraries quote what they were given; the words
 * of a mail server or a webhook are left out, since they repeat addresses and subjects (`outbox list` shows them).
 * Details such as PostgreSQL's `Failing row contains (…)` are never looked at.
 */
export function loggedError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error };
  const errors = causesOf(error).filter((one) => one instanceof Error);
  const innermost = withoutCause(errors.pop() ?? error);
  return errors.reduceRight((cause, one) => ({ ...withoutCause(one), cause }), innermost);
}

function withoutCause(error: Error): LoggedError {
  const logged: LoggedError = { type: error.name };
  const message = messageOf(error);
  if (message) logged.message = message;
  const fields = error as Error & Record<string, unknown>;
  for (const fact of facts) {
    const value = fields[fact];
    if (typeof value === "number") logged[fact] = value;
    else if (typeof value === "string" && factShape.test(value)) logged[fact] = value;
  }
  const reply = typeof fields.response === "string" ? smtpReplyCode(fields.response) : null;
  if (reply) logged.reply = reply;
  const frames = framesOf(error);
  if (frames.length > 0) logged.frames = frames;
  return logged;
}

function messageOf(error: Error): string | null {
  const foreign = "response" in error || "responseCode" in error || "foreignWords" in error;
  if (foreign) return null;
  return withoutQuotes(error.message).slice(0, messageMaxLength);
}

/** From the first quotation mark to the last: what is quoted can hold quotation marks itself. */
function withoutQuotes(message: string): string {
  return message
    .replace(/["“`].*["”`]/s, '"…"')
    .replace(/(?<!\w)'.*'(?!\w)/s, "'…'")
    .replace(/\s+/g, " ");
}

/** `550 5.1.1` of a mail server's answer. */
function smtpReplyCode(response: string): string | null {
  return /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/.exec(response)?.[0] ?? null;
}

/** Where it happened, without the first lines of the stack, which repeat the message. */
function framesOf(error: Error): string[] {
  return (error.stack ?? "")
    .split("\n")
    .filter((line) => /^\s+at .*(?::\d+:\d+\)?|\(native\))$/.test(line))
    .slice(0, framesMax)
    .map((line) => line.trim());
}
