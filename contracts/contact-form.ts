/** The subjects a visitor can choose, as value and label, in the order of the menu (specification, section 3). */
export const contactSubjects = [
  { value: "automation-inquiry", label: "Automation Inquiry" },
  { value: "consultation-request", label: "Consultation Request" },
  { value: "pricing-information", label: "Pricing Information" },
  { value: "technical-support", label: "Technical Support" },
  { value: "partnership-opportunities", label: "Partnership Opportunities" },
  { value: "general-inquiry", label: "General Inquiry" },
] as const;

/** Longest accepted value of each field, in UTF-16 code units, the unit of an input's `maxlength`. */
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

/** Fields that the contact form asks for; the others may be empty (specification, section 5). */
export const requiredContactFields = [
  "firstName",
  "lastName",
  "email",
  "message",
] as const satisfies ContactField[];

/** The label of a subject's value; the value itself where it is none of the menu's. */
export function contactSubjectLabel(value: string): string {
  return contactSubjects.find((subject) => subject.value === value)?.label ?? value;
}
