import * as v from "valibot";
import { emailAddress } from "#contracts/text.ts";
import { isPlainAddress } from "./mail-message.ts";
import { findMailbox } from "./mailbox-key.ts";

const schema = emailAddress("Email");

/** The address in a visitor's text, trimmed; null where it is none that mail could be sent to as it stands. */
export function readAddress(text: string): string | null {
  const parsed = v.safeParse(schema, text);
  if (!parsed.success || !isPlainAddress(parsed.output)) return null;
  return findMailbox(parsed.output) === null ? null : parsed.output;
}
