import { headlineFigures } from "../headline-figures.ts";
import type { PageHead } from "../site.ts";

export const pricing = {
  head: {
    title: "Pricing: You Set the Price of the Audit",
    description:
      "A free 30-minute consultation, a one-month audit that you price after delivery, and a custom quote for the build. How automation pricing works in the GTA.",
    path: "/pricing",
  } satisfies PageHead,
  name: "Pricing",
  heading: "You decide what the audit was worth",
  lede: "A free call, an audit you price after you’ve read it, and a quote for what you choose to build.",

  service: {
    name: "Business automation consulting",
    description:
      "Free consultation, Trade Automation Audit and Automation Partnership for trade, real estate and home-improvement businesses.",
  },

  prices: {
    /** Read out alone. */
    label: "Three prices, one of them yours to set",
    cards: [
      {
        id: "consultation",
        title: "Free Consultation",
        price: "$0",
        terms: "30 minutes, no commitment",
        includes: ["A look at where time goes", "A straight answer if it isn’t worth it yet"],
        action: "Book Your Free Consultation",
      },
      {
        id: "audit",
        title: "Trade Automation Audit",
        price: "You Decide",
        terms: "One month, pay what you think it’s worth",
        includes: [
          "Four documents and a 90-day automation roadmap",
          `${headlineFigures.auditReturn} potential found in a first audit`,
          "You set the price after delivery",
        ],
        action: "Request Your Audit",
      },
      {
        id: "partnership",
        title: "Automation Partnership",
        price: "Custom Quote",
        terms: "Implementation & Scale, based on the assessment",
        includes: ["Building, testing and handover", "Ongoing support and maintenance"],
        action: "Book Your Free Consultation",
      },
    ],
  },

  process: {
    heading: "Five steps, from first call to support",
    steps: [
      {
        step: "01",
        title: "Free Consultation",
        description: "A 30-minute discovery call about your week.",
      },
      {
        step: "02",
        title: "Trade Automation Audit",
        description: "We time the work, from first call to final payment.",
      },
      {
        step: "03",
        title: "Assessment",
        description: "We read all four documents together. You name the price.",
      },
      {
        step: "04",
        title: "Implementation",
        description: "We build what you choose. Most projects finish in 1-2 weeks.",
      },
      {
        step: "05",
        title: "Scale",
        description: "What works for one crew or agent goes to the rest.",
      },
    ],
  },

  segments: {
    items: [
      { name: "Trade Services", text: "Contractors, plumbers, electricians, HVAC, construction" },
      { name: "Real Estate", text: "Agents, brokers, property managers" },
      { name: "Home Improvement", text: "Renovation, landscaping, design" },
      { name: "Commercial", text: "Facilities, fit-outs, multi-site owners" },
    ],
  },

  questions: {
    heading: "Questions about the bill",
    items: [
      {
        id: "free",
        question: "Is the audit free?",
        answer:
          "The call is. The audit is pay what you think it’s worth, and if that’s nothing, tell us why: that’s all we ask.",
      },
      {
        id: "pay",
        question: "How does “pay what you think it’s worth” work?",
        answer: "We deliver, you read, you set the price, and that’s the number we invoice.",
      },
      {
        id: "partnership",
        question: "How is the Automation Partnership priced?",
        answer:
          "By custom quote, based on the assessment, before any work begins. Payment is typically due 30 days from the invoice.",
      },
      {
        id: "toronto",
        question: "Do I have to be in Toronto?",
        answer: `No. We’ve served ${headlineFigures.localBusinesses} in the GTA and take on qualified businesses elsewhere in Canada.`,
      },
    ],
  },

  closing: {
    heading: "Start with the step that costs nothing.",
    book: "Book Your Free Consultation",
    request: "Request Your Audit",
  },
} as const;
