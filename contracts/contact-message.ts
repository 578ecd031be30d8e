import * as v from "valibot";
import { contactLimits } from "./contact-form.ts";
import { emailAddress, multiLineText, singleLineText } from "./text.ts";

/**
 * A contact message as it crosses the wire to `send-contact-email`. Every field is trimmed text; company, phone and
 * subject may be missing or empty. Unknown fields are dropped. The subject is not checked against the menu.
 */
export const contactMessageSchema = v.object({
  firstName: singleLineText("First name", { max: contactLimits.firstName, required: true }),
  lastName: singleLineText("Last name", { max: contactLimits.lastName, required: true }),
  email: emailAddress("Email"),
  company: v.optional(singleLineText("Company", { max: contactLimits.company }), ""),
  phone: v.optional(singleLineText("Phone", { max: contactLimits.phone }), ""),
  subject: v.optional(singleLineText("Subject", { max: contactLimits.subject }), ""),
  message: multiLineText("Message", { max: contactLimits.message, required: true }),
});

export type ContactMessage = v.InferOutput<typeof contactMessageSchema>;
