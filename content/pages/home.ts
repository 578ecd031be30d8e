import { headlineFigures } from "../headline-figures.ts";
import { type PageHead, tagline } from "../site.ts";

export const home = {
  head: {
    title: "Toronto AI Automation for Trades and Real Estate",
    description:
      "We find the hours your office loses to quoting, follow-up and billing, and win them back. Free 30-minute consultation for trades and agents across the GTA.",
    path: "/",
  } satisfies PageHead,

  hero: {
    heading: ["Toronto trades run on people.", "Let the paperwork run itself."],
    lede: `${tagline} Built for contractors, agents and renovators across the GTA.`,
  },

  stats: [
    { value: headlineFigures.hoursSavedMonthly, label: "saved monthly" },
    { value: "ROI-backed", label: "deliverables in every audit" },
    { value: "Toronto and GTA", label: "service area" },
    { value: headlineFigures.businessesShort, label: "Trade / Real Estate / Home Improvement" },
  ],

  /** One for each trade, in the order of its tabs on Use Cases. */
  doors: [
    {
      id: "trades",
      name: "Trades",
      text: "A missed call gets a text while you’re under the sink.",
      value: "40+",
      label: "admin hours back a month (example)",
    },
    {
      id: "real-estate",
      name: "Real Estate",
      text: "Every portal lead gets an answer, and one agent to follow up.",
      value: "55%",
      label: "shorter response time (example)",
    },
    {
      id: "home-improvement",
      name: "Home Improvement",
      text: "Extras are priced and signed before you leave the kitchen.",
      value: "50%",
      label: "fewer disputes",
    },
  ],

  process: {
    heading: "How the audit works, in four steps",
    steps: [
      {
        when: "Week 1",
        title: "Identify",
        text: "On site, we list what repeats.",
      },
      {
        when: "Week 2",
        title: "Quantify",
        text: "We add up time, errors and cost.",
      },
      {
        when: "Week 3",
        title: "Automate",
        text: "We pick what to automate first.",
      },
      {
        when: "Week 4 and on",
        title: "Scale",
        text: "A 90-day roadmap covers the rest.",
      },
    ],
  },

  deliverables: {
    heading: "Four documents, yours to keep",
    items: [
      { sheet: "A-1", title: "ROI Analysis", text: "What each fix saves and costs." },
      { sheet: "A-2", title: "Benchmarking", text: "Your times and the industry’s." },
      { sheet: "A-3", title: "Roadmap", text: "Quickest payback first." },
      { sheet: "A-4", title: "Workflow Design", text: "Ready to build from." },
    ],
  },

  pay: {
    heading: "Pay what you think it’s worth",
    text: "You read the audit and name the price. The invoice comes after that.",
    link: { label: "Read {newsletter}, our weekly AI newsletter", path: "/newsletter" },
    invoice: {
      title: "Trade Automation Audit",
      lines: [{ item: "90-day automation roadmap", price: "included" }],
      total: "You decide",
    },
  },

  questions: {
    heading: "Before you call",
    items: [
      {
        id: "software",
        question: "Do I have to change my software?",
        answer: "No. We build around what you use.",
      },
      {
        id: "result",
        question: "How long until I see a result?",
        answer: "A month for the audit, then 1-2 weeks for most projects.",
      },
      {
        id: "audit-price",
        question: "When do I name the price of the audit?",
        answer: "After delivery, once you’ve read it.",
      },
    ],
  },

  closing: {
    heading: "Thirty minutes, no charge. Bring your worst spreadsheet.",
  },
} as const;
