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
  lede: "A free call, an audit you price after you’ve read it, and a custom quote for whatever you choose to build. You can stop after any step and keep what you have.",

  service: {
    name: "Business automation consulting",
    description:
      "Free consultation, Trade Automation Audit and Automation Partnership for trade, real estate and home-improvement businesses.",
  },

  process: {
    heading: "Five steps, from first call to support",
    steps: [
      {
        step: "01",
        title: "Free Consultation",
        description:
          "A 30-minute discovery call. You walk us through your week; we tell you which hours are worth going after and whether we’re the right firm for\u00a0it.",
      },
      {
        step: "02",
        title: "Trade Automation Audit",
        description:
          "One month with the people who do the work. We time the steps, count the errors and follow a job from first call to final payment.",
      },
      {
        step: "03",
        title: "Assessment",
        description:
          "We go through all four documents together, 90-day automation roadmap included, and you decide what they were worth.",
      },
      {
        step: "04",
        title: "Implementation",
        description:
          "We build what you choose from the roadmap, at a quoted price. Most projects finish in 1-2 weeks.",
      },
      {
        step: "05",
        title: "Scale",
        description:
          "What works for one crew or one agent is rolled out to the rest, with ongoing support and maintenance.",
      },
    ],
  },

  prices: {
    heading: "Three prices, one of them yours to write",
    cards: [
      {
        id: "consultation",
        title: "Free Consultation",
        price: "$0",
        terms: "30 minutes, no commitment",
        includes: [
          "A discovery call about your week, not about our software",
          "Two or three places where hours leak away",
          "A straight answer if automation isn’t worth it yet",
        ],
        action: "Book Your Free Consultation",
      },
      {
        id: "audit",
        title: "Trade Automation Audit",
        price: "You Decide",
        terms: "One month, pay what you think it’s worth",
        includes: [
          "ROI Analysis, Benchmarking, Roadmap and Workflow Design",
          "A 90-day automation roadmap, quickest payback first",
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
        includes: [
          "Building, testing and handing over what you choose from the roadmap",
          "Connection to the tools you already use",
          "Scaling it to the rest of your crews, agents or sites",
          "Ongoing support and maintenance",
        ],
        action: "Discuss a Partnership",
      },
    ],
  },

  segments: {
    heading: "Who these prices are for",
    items: [
      { name: "Trade Services", text: "Contractors, plumbers, electricians, HVAC, construction" },
      { name: "Real Estate", text: "Agents, brokers, property managers" },
      { name: "Home Improvement", text: "Renovation, landscaping, design" },
      { name: "Commercial", text: "Facilities, fit-outs and multi-site owners" },
    ],
  },

  questions: {
    heading: "Questions about the bill",
    items: [
      {
        id: "free",
        question: "Is the audit free?",
        answer:
          "The call is, and on it you get a first look at where hours go. The one-month audit is pay what you think it’s worth, and if that’s nothing, tell us why: that’s all we ask.",
      },
      {
        id: "pay",
        question: "What does “pay what you think it’s worth” mean in practice?",
        answer:
          "We deliver the audit first. You read it and set the price, and that’s the number we invoice. Nobody knows what an audit is worth before reading it; once you have, you’re the best judge.",
      },
      {
        id: "partnership",
        question: "How is the Automation Partnership priced?",
        answer:
          "By custom quote, based on the assessment: what gets built, how many people and systems it touches, and how much support you want afterward. You see the price before any work begins, and payment is typically due 30 days from the invoice.",
      },
      {
        id: "toronto",
        question: "Do I have to be in Toronto?",
        answer: `No. Our service area is Toronto and the Greater Toronto Area, with ${headlineFigures.localBusinesses} served so far. We also take on qualified businesses elsewhere in Canada.`,
      },
    ],
  },

  closing: {
    heading: "Start with the step that costs nothing.",
    text: "If it’s the audit you’re after, say so on the call.",
    book: "Book Your Free Consultation",
    request: "Request Your Audit",
  },
} as const;
