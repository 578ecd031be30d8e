import * as v from "valibot";
import { emailAddress } from "#contracts/text.ts";
import { CommandError } from "../command-error.ts";

/** The address as the operator meant it; ends the command where it is none. */
export function readAddress(text: string): string {
  const parsed = v.safeParse(emailAddress("email"), text);
  if (parsed.success) return parsed.output;
  throw new CommandError(`${text} is not an email address.`);
}

export function notASubscriber(email: string): CommandError {
  return new CommandError(`${email} is not among the subscribers.`, { exitCode: 1 });
}
