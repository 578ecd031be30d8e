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
  /** After the labels of the others. */
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
  /** Around the sent message. `opening` is "Open now" or "Opens Monday 9 AM". */
  received: {
    heading: "Your work order",
    stamp: "Received",
    name: "Name",
    next: (opening: string) => `It’s on our desk for a person to read. ${opening}.`,
    another: "Write another message",
  },
  send: "Send Message",
  sending: "Sending...",
  privacy: {
    text: "We use what you write to reply, not to send you a newsletter.",
    link: { label: "Privacy Policy", path: "/privacy" },
  },
} as const;
