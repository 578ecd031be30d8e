import * as v from "valibot";
import { emailAddress, multiLineText, singleLineText } from "./text.ts";

/** The subjects a visitor can choose, in the order of the menu (specification, section 3). */
export const contactSubjects = [
  { value: "automation-inquiry", label: "Automation Inquiry" },
  { value: "consultation-request", label: "Consultation Request" },
  { value: "pricing-information", label: "Pricing Information" },
  { value: "technical-support", label: "Technical Support" },
  { value: "partnership-opportunities", label: "Partnership Opportunities" },
  { value: "general-inquiry", label: "General Inquiry" },
] as const;

/** A subject's label; the value itself if the menu doesn't have it. */
export function contactSubjectLabel(value: string): string {
  return contactSubjects.find((subject) => subject.value === value)?.label ?? value;
}

/** The longest accepted value of each field, in UTF-16 code units, the unit of an input's `maxlength`. */
export const contactLimits = {
  firstName: 100,
  lastName: 100,
  email: 254,
  company: 200,
  phone: 50,
  subject: 100,
  message: 10_000,
} as const;

export type ContactField = keyof typeof contactLimits;

export const contactFields = Object.keys(contactLimits) as ContactField[];

export const requiredContactFields = [
  "firstName",
  "lastName",
  "email",
  "message",
] as const satisfies ContactField[];

/**
 * A contact message as it crosses the wire to `send-contact-email`. Every field is trimmed text; company, phone and
 * subject may be missing or empty. Unknown fields are dropped. The subject need not be one of the menu's.
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
