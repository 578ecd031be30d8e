/** The words of the contact form; its notices are in `notices.ts`, its subjects in the contract. */
export const contactForm = {
  labels: {
    firstName: "First Name",
    lastName: "Last Name",
    email: "Email",
    company: "Company (optional)",
    phone: "Phone (optional)",
    subject: "Subject (optional)",
    message: "Message",
  },
  /** Stands beside the labels of the fields that must be filled in. */
  required: "required",
  noSubject: "Choose a subject",
  /** Under a field, what to do about it. */
  faults: {
    firstName: { missing: "Enter your first name." },
    lastName: { missing: "Enter your last name." },
    email: {
      missing: "Enter the address we should reply to.",
      invalid_email: "Enter the full address, like name@company.ca.",
    },
    message: { missing: "Tell us what we can help with." },
  } as Partial<Record<string, Partial<Record<string, string>>>>,
  /** Beside the button, where it is for us to mend. */
  unsent: "Your message didn’t go out. What you wrote is still here.",
  /** Over the message that has been sent, and over the blank form below it. */
  received: {
    heading: "Your work order",
    stamp: "Received",
    labels: {
      name: "Name",
      email: "Email",
      company: "Company",
      phone: "Phone",
      subject: "Subject",
      message: "Message",
    },
    blank: "A blank work order, for anything else",
  },
  send: "Send Message",
  sending: "Sending...",
  privacy: {
    text: "We use what you write to reply to you, not to send you a newsletter.",
    link: { label: "Privacy Policy", path: "/privacy" },
  },
} as const;
