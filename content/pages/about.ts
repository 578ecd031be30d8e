import { headlineFigures } from "../headline-figures.ts";
import type { PageHead } from "../site.ts";

export const about = {
  head: {
    title: "About Us: Automation for GTA Trades",
    description:
      "Who we are, why we exist and how we work with trade, real estate and home-improvement businesses in Toronto and the Greater Toronto Area.",
    path: "/about",
  } satisfies PageHead,
  heading: "We measure before we cut",
  lede: "We automate the office work of trade, real estate and home-improvement businesses in Toronto and the GTA, and we start by timing it.",

  results: {
    heading: "Results so far",
    cards: [
      {
        value: "15+ hrs/week",
        label: "saved for a plumbing firm",
        text: "On dispatch, reminders and retyped invoices.",
      },
      {
        value: "60 agents",
        label: "share one lead nurture system at a brokerage",
        text: "Every inquiry is followed up until an agent picks it up.",
      },
      {
        value: "80%",
        label: "of quoting time cut for a renovation firm",
        text: "Site notes become a priced draft for the estimator to check.",
      },
    ],
  },

  why: {
    heading: "Why we exist",
    text: [
      "The people who build, fix and sell houses in this city are good at their work. Then they go home and do a second job: quotes, callbacks, invoices, listings, chasing. That job has no apprentices and no overtime pay.",
      `Software mostly added another inbox. We watch the work first, time it, then pick what to give a machine. We’ve done it for ${headlineFigures.businesses}.`,
    ],
    links: [
      { label: "See what we automate", path: "/use-cases" },
      { label: "See what it costs", path: "/pricing" },
    ],
  },

  area: [
    { key: "Where", value: "Toronto and the GTA" },
    { key: "Also", value: "Qualified businesses across Canada" },
  ],

  process: {
    heading: "How we work together",
    steps: [
      {
        title: "Free Consultation",
        text: "Thirty minutes by phone about your week.",
      },
      {
        title: "Audit Delivery",
        text: "A month later you get four documents and set the price.",
      },
      {
        title: "Automation Partnership",
        text: "We build what you choose, around the tools you have.",
      },
      {
        title: "Scale & Support",
        text: "What works goes to the whole team. We keep measuring.",
      },
    ],
  },

  informed: {
    text: "One office job, worked out in dollars every week:",
    link: { label: "Stay Informed", path: "/newsletter" },
  },

  team: {
    heading: "The founding team",
    lede: "Who does what, and what each one answers for.",
    /** Until somebody has a name. */
    unnamed: {
      text: "The founders do the work themselves: whoever times your week writes the audit, whoever draws a workflow builds it, and one of us comes back to see what it saved.",
      ask: "Ask us who we are: the first line of our reply is signed.",
    },
  },

  questions: {
    heading: "Questions about us",
    items: [
      {
        id: "software-company",
        question: "Are you a software company?",
        answer: "No. We audit, then build with your tools. If they’re enough, the audit says so.",
      },
      {
        id: "trades",
        question: "Do you only work with trades?",
        answer: "No. Also real estate, home improvement, and commercial clients with similar work.",
      },
      {
        id: "data",
        question: "Who sees our data during an audit?",
        answer:
          "Only the people doing it, with access you give and can take back. The documents are yours.",
      },
    ],
  },

  profile: { label: "Our business profile" },
  reviews: { label: "What clients write about us" },
  /** Each shown if it is set. */
  credentials: {
    registration: "Registered as",
    clearance: "WSIB clearance",
    insurance: "Liability insurance",
  },

  closing: {
    heading: "Tell us about your worst hour of the week.",
  },
} as const;
