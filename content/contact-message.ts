import * as v from "valibot";
import { emailAddress, multiLineText, singleLineText } from "./text.ts";

/** In the menu's order (specification, section 3). */
export const contactSubjects = [
  { value: "automation-inquiry", label: "Automation Inquiry" },
  { value: "consultation-request", label: "Consultation Request" },
  { value: "pricing-information", label: "Pricing Information" },
  { value: "technical-support", label: "Technical Support" },
  { value: "partnership-opportunities", label: "Partnership Opportunities" },
  { value: "general-inquiry", label: "General Inquiry" },
] as const;

/** Or the value itself. */
export function contactSubjectLabel(value: string): string {
  return contactSubjects.find((subject) => subject.value === value)?.label ?? value;
}

/** In UTF-16 code units, as `maxlength` counts. */
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
 * `send-contact-email`. Trims every field and drops unknown ones; the subject need not be in the
 * menu.
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
