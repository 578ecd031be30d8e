import { headlineFigures } from "../headline-figures.ts";
import { type PageHead, tagline } from "../site.ts";

export const home = {
  head: {
    title: "Toronto AI Automation for Trades and Real Estate",
    description:
      "We find the hours your office loses to quoting, follow-up and billing, and automate them. Free 30-minute consultation for trades and agents across the GTA.",
    path: "/",
  } satisfies PageHead,

  hero: {
    heading: ["Toronto trades run on people.", "Let the paperwork run itself."],
    lede: `${tagline} Built for contractors, agents and renovators across the GTA.`,
    phone: "or call",
    secondary: { label: "See what we automate", path: "/use-cases" },
    titleBlock: [
      { key: "Drawing", value: "Lead intake, after (example)" },
      { key: "Saves", value: "40+ admin hours a month" },
      { key: "Scope", value: "Trade services" },
      { key: "Result", value: "20% more closed projects" },
    ],
  },

  stats: [
    { value: headlineFigures.hoursSavedMonthly, label: "saved monthly" },
    { value: "ROI-backed", label: "deliverables in every audit" },
    { value: "Toronto and GTA", label: "service area" },
    {
      value: headlineFigures.businessesShort,
      label: "Trade\u00a0/ Real Estate\u00a0/ Home\u00a0Improvement",
    },
  ],

  process: {
    heading: "How the audit works, in four steps",
    lede: "The audit follows the work as it really happens: who touches it, how long it waits, and what each handoff costs you.",
    steps: [
      {
        when: "Week 1",
        title: "Identify",
        text: "We sit with the people who do the work and write down every step that repeats.",
      },
      {
        when: "Week 2",
        title: "Quantify",
        text: "Each step gets a number: minutes, errors, and the dollars lost while a lead waits.",
      },
      {
        when: "Week 3",
        title: "Automate",
        text: "We draw the automations that pay back first, around the tools you already use.",
      },
      {
        when: "Week 4 and on",
        title: "Scale",
        text: "A 90-day roadmap puts the rest in order, so it doesn’t all have to happen at once.",
      },
    ],
  },

  deliverables: {
    heading: "What you have at the end of the audit",
    lede: "Four documents, yours to keep and use, whether or not we build anything after.",
    items: [
      {
        sheet: "A-1",
        title: "ROI Analysis",
        text: "What each automation returns in hours and dollars, with the working shown.",
      },
      {
        sheet: "A-2",
        title: "Benchmarking",
        text: "How your response, quoting and billing times compare with published figures.",
      },
      {
        sheet: "A-3",
        title: "Roadmap",
        text: "Ninety days of work, quickest payback first.",
      },
      {
        sheet: "A-4",
        title: "Workflow Design",
        text: "A drawing of every workflow, detailed enough for anyone to build from.",
      },
    ],
  },

  pay: {
    heading: "Pay what you think it’s worth",
    text: [
      "The audit takes one month. You read it, decide what it was worth to you, and name the number. The invoice comes after that, not before.",
      "Want to see how we think first? Read a few issues of our newsletter. It’s free and takes five minutes a week.",
    ],
    link: { label: "Read {newsletter}, our weekly AI newsletter", path: "/newsletter" },
    invoice: {
      title: "Trade Automation Audit",
      lines: [
        { item: "One-month audit", price: "included" },
        { item: "90-day automation roadmap", price: "included" },
        { item: "Four ROI-backed deliverables", price: "included" },
      ],
      total: "You decide",
    },
  },

  questions: {
    heading: "Good questions for a first call",
    items: [
      {
        id: "software",
        question: "Do I have to change my software?",
        answer:
          "No. We build around the tools you already use for quoting, scheduling and billing. If one of them is the problem, the audit says so and shows what changing it would cost.",
      },
      {
        id: "result",
        question: "How long until I see a result?",
        answer:
          "After the audit, which takes a month, most projects finish in 1-2 weeks. The quickest win comes first.",
      },
      {
        id: "audit-price",
        question: "When do I name the price of the audit?",
        answer:
          "After delivery. First you read all four documents, including the 90-day roadmap. Then you set the price. Nothing is due before that.",
      },
    ],
  },

  closing: {
    heading: "Thirty minutes. No charge. Bring your worst spreadsheet.",
  },
} as const;
