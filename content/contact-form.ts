export const contactForm = {
  labels: {
    firstName: "First Name",
    lastName: "Last Name",
    email: "Email",
    company: "Company",
    phone: "Phone",
    subject: "Subject",
    message: "Message",
  },
  /** Beside the labels of required fields, and after the others. */
  required: "required",
  optional: "(optional)",
  noSubject: "Choose a subject",
  faults: {
    firstName: { missing: "Enter your first name." },
    lastName: { missing: "Enter your last name." },
    email: {
      missing: "Enter the address we should reply to.",
      invalid_email: "Enter the full address, like name@company.ca.",
    },
    message: { missing: "Tell us what we can help with." },
  } as Partial<Record<string, Partial<Record<string, string>>>>,
  /** Beside the button after a failed send. */
  unsent: "Your message didn’t go out. What you wrote is still here.",
  /** Above the sent message and the blank form below it. */
  received: {
    heading: "Your work order",
    stamp: "Received",
    name: "Name",
    blank: "A blank work order, for anything else",
  },
  send: "Send Message",
  sending: "Sending...",
  privacy: {
    text: "We use what you write to reply to you, not to send you a newsletter.",
    link: { label: "Privacy Policy", path: "/privacy" },
  },
} as const;
