import type { PageHead } from "../site.ts";

export const projectLength = "1-2 weeks";

export const contact = {
  head: {
    title: "Contact: Talk to an Automation Firm in Toronto",
    description:
      "Send us a message and hear back within 24 hours, or book a free 30-minute call. For trade, real estate and renovation firms in the GTA.",
    path: "/contact",
  } satisfies PageHead,
  heading: "Get In Touch",
  lede: "Tell us what paperwork is eating your evenings. A\u00a0person reads and answers every message.",

  /** The specification's sentence (section 8), above a scale of 24 hours. */
  reply: {
    promise: "We'll get back to you within 24 hours.",
    from: "Work order",
    to: "Reply within 24 hours",
  },

  form: {
    heading: "Send Us a Message",
    intro: "Two or three lines are enough to start.",
  },

  card: {
    heading: "Write or call",
    headingWithoutPhone: "Write to us",
    email: "Email",
    phone: "Phone",
    hours: "Hours",
    /** Beside the specification's "EST", which is wrong in summer. */
    zone: "Toronto time, all year.",
  },

  call: {
    heading: "Book a Discovery Call",
    intro: "Talk it through before you decide.",
    points: [
      { at: "$0", text: "A free 30-minute consultation." },
      { at: "0-10 min", text: "We discuss your goals, and you walk us through your week." },
      { at: "10-25 min", text: "You get expert recommendations on the hours that cost most." },
      { at: "25-30 min", text: "No commitment: we say where to start, or that you don’t need us." },
      { at: "To keep", text: "A free automation audit: a first look at where your hours go." },
    ],
    button: "Schedule Your Call",
  },

  questions: {
    heading: "Quick Questions?",
    items: [
      { key: "How long", text: `Most projects finish in ${projectLength}.` },
      { key: "After that", text: "All plans include ongoing support and maintenance." },
      { key: "Your tools", text: "Our team integrates with popular business tools." },
    ],
  },

  otherWays: {
    heading: "Prefer a Different Approach?",
    items: [
      {
        title: "Live Chat",
        text: "Ask in your message and we’ll send you a link.",
      },
      {
        title: "WhatsApp",
        text: "Put your WhatsApp number in the phone field.",
      },
      {
        title: "Newsletter",
        text: "Our weekly automation-insights newsletter for Toronto businesses.",
        path: "/newsletter",
      },
    ],
  },
} as const;
