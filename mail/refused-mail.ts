import { RefusedDeliveryError } from "./outbox-jobs.ts";

/** What Nodemailer says of a mail that didn't go: the answer's code and words, and at which command it came. */
export type MailError = Error & {
  code?: string;
  command?: string;
  responseCode?: number;
  response?: string;
  rejectedErrors?: MailError[];
};

/**
 * What a failed sending means for the next attempt: a `RefusedDeliveryError` where the server has answered that it won't
 * take this message, and the error itself where it may take it later. Not the message's are a connection that isn't
 * accepted and a log-in that fails, whatever their codes: they stop all mail, until somebody mends them.
 */
export function readMailError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const mailError = error as MailError;
  const answers = mailError.rejectedErrors?.length ? mailError.rejectedErrors : [mailError];
  if (!answers.every(isRefusal)) return error;
  const { code, command, responseCode, response } = mailError;
  const refusal = new RefusedDeliveryError(`The mail server refuses it: ${error.message}`);
  return Object.assign(refusal, { code, command, responseCode, response });
}

const beforeTheMessage = new Set(["EAUTH", "ECONNECTION", "ETLS", "EDNS", "ESOCKET", "ETIMEDOUT"]);
const beforeTheMessageCommand = /^(CONN|EHLO|HELO|LHLO|STARTTLS|AUTH)/;

function isRefusal({ code, command = "", responseCode = 0, response = "" }: MailError): boolean {
  if (responseCode < 500 || responseCode > 599) return false;
  if (beforeTheMessage.has(code ?? "") || beforeTheMessageCommand.test(command)) return false;
  // The enhanced status code (RFC 3463) says it more exactly where the two disagree.
  return !/^5\d\d[ -]4\.\d+\.\d+/.test(response);
}
