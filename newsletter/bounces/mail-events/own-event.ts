import * as v from "valibot";
import type { ReadPayload } from "./mail-event.ts";

const emailMaxLength = 320;
const reasonMaxLength = 2_000;

const email = v.pipe(v.string(), v.maxLength(emailMaxLength));

/** Our own shape, laid out as our webhooks are (Standard Webhooks specification, "Payload structure"). */
const schema = v.variant("type", [
  v.object({
    type: v.literal("mail.bounced"),
    data: v.object({
      email,
      kind: v.picklist(["hard", "soft"]),
      reason: v.optional(v.pipe(v.string(), v.maxLength(reasonMaxLength)), ""),
    }),
  }),
  v.object({ type: v.literal("mail.complained"), data: v.object({ email }) }),
]);

export const readOwnEvent: ReadPayload = (body) => {
  const read = v.safeParse(schema, body);
  if (!read.success) return null;
  const { type, data } = read.output;
  return type === "mail.complained"
    ? [{ email: data.email, kind: "complaint", words: "Reported as spam", id: null }]
    : [{ email: data.email, kind: data.kind, words: data.reason, id: null }];
};
