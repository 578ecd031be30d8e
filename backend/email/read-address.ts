import * as v from "valibot";
import { emailAddress } from "#contracts/text.ts";
import { isPlainAddress } from "./mail-message.ts";

const schema = emailAddress("Email");

/** The address in a visitor's text, trimmed; null where it is none that mail could be sent to as it stands. */
export function readAddress(text: string): string | null {
  const parsed = v.safeParse(schema, text);
  return parsed.success && isPlainAddress(parsed.output) ? parsed.output : null;
}
