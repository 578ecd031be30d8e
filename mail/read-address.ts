import * as v from "valibot";
import { emailAddress, emailMaxLength } from "#contracts/text.ts";
import { isPlainAddress } from "./mail-message.ts";
import { deliverableSpelling, findMailbox } from "./mailbox-key.ts";

const schema = emailAddress("Email");

/** The address in a visitor's text, as mail can be sent to it; null where it is none. */
export function readAddress(text: string): string | null {
  const typed = v.safeParse(schema, text);
  if (!typed.success || findMailbox(typed.output) === null) return null;
  const address = deliverableSpelling(typed.output);
  return address.length <= emailMaxLength && isPlainAddress(address) ? address : null;
}
