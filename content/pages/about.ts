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
  lede: "We automate the office work of trade, real estate and home-improvement businesses in Toronto and the GTA, and we start with a tape measure.",

  why: {
    heading: "Why we exist",
    text: [
      "The people who build, fix and sell houses in this city are good at their work. Then they go home and do a second job: quotes, callbacks, invoices, listings, chasing. That job has no apprentices and no overtime pay, and it’s where good weeks leak away.",
      "Software was supposed to help. Mostly it added another inbox. We think the order was wrong. Watch the work first, then count it, then decide which parts to give a machine and which to keep it away from. That’s the audit, and we trust it enough to let you set the price after you’ve read\u00a0it.",
      `We have done this with ${headlineFigures.businesses} so far, from a plumbing firm to a brokerage with sixty agents.`,
    ],
    links: [
      { label: "See what we automate", path: "/use-cases" },
      { label: "See what it costs", path: "/pricing" },
    ],
  },

  process: {
    heading: "How we work together",
    steps: [
      {
        title: "Free Consultation",
        text: "Thirty minutes on the phone. You talk about your week; we tell you where we’d look first.",
      },
      {
        title: "Audit Delivery",
        text: "A month later you have four documents, the 90-day automation roadmap among them, and you set the price.",
      },
      {
        title: "Automation Partnership",
        text: "We build what you choose from the roadmap, by custom quote, around the tools you already use.",
      },
      {
        title: "Scale & Support",
        text: "What works for one crew or one agent goes out to the rest. We keep it running and keep measuring.",
      },
    ],
  },

  informed: {
    heading: "See how we think before you call",
    text: "{newsletter} is our weekly newsletter: one kind of tool and how to test it, one office job worked out in dollars, one thing to set up before Monday.",
    link: { label: "Stay Informed", path: "/newsletter" },
  },

  team: {
    heading: "The founding team",
    /** Until somebody has a name. */
    unnamed: "The founding team: who answers for what",
    lede: "Who does what, and what each one answers for.",
  },

  results: {
    heading: "Results so far",
    cards: [
      {
        value: "15+ hrs/week",
        label: "saved for a plumbing firm",
        text: "Dispatch, reminders and invoices typed twice.",
      },
      {
        value: "60 agents",
        label: "share one lead nurture system at a brokerage",
        text: "Every inquiry answered, and followed up until an agent picks it\u00a0up.",
      },
      {
        value: "80%",
        label: "of quoting time cut for a renovation firm",
        text: "Site notes and photos become a priced draft for the estimator to check.",
      },
    ],
  },

  questions: {
    heading: "Questions about us",
    items: [
      {
        id: "software-company",
        question: "Are you a software company?",
        answer:
          "No. We consult, audit and build, with the tools you already use. If what you have does the job, that is what the audit says.",
      },
      {
        id: "trades",
        question: "Do you only work with trades?",
        answer:
          "Trades, real estate and home improvement, and commercial clients whose work is like theirs. If your business runs on quotes, visits and callbacks, we’ll understand each other.",
      },
      {
        id: "data",
        question: "Who sees our data during an audit?",
        answer:
          "The people doing the audit. They work with access that you grant and can take back, and the documents belong to you. Our privacy policy says what we keep and for how long.",
      },
    ],
  },

  profile: { label: "Our business profile" },

  closing: {
    heading: "Tell us about your worst hour of the week.",
    text: "We’ll tell you whether it can be measured, and whether automating it would pay off.",
  },
} as const;
