import { type UseCase, workingWeeks } from "../use-case.ts";

export const leads = {
  head: {
    title: "Lead Automation for Toronto Trades and Agents",
    description:
      "Answer every lead while it is still warm, day or night. How lead follow-up automation works for GTA contractors, agents and renovators, and what it returns.",
    path: "/use-cases/leads",
    keywords: [
      "lead automation Toronto",
      "contractor lead follow-up",
      "real estate lead response time",
      "missed call text back GTA",
    ],
  },
  name: "Leads",
  service: "Lead follow-up automation",
  heading: "Answer every lead while it is still warm",
  intro:
    "A homeowner hires the first plumber who answers; a buyer, the first agent. Automation makes sure that’s you.",
  drawing: { before: "A job for somebody else", after: "20% more closed projects (example)" },
  problems: [
    {
      title: "The clock starts without you",
      text: "Someone who fills in a form waits for minutes, not days. By tomorrow they have a contractor.",
    },
    {
      title: "Nobody follows up a second time",
      text: "The quote went out and the client went quiet. They were waiting on a spouse or a bank.",
    },
  ],
  figures: {
    heading: "What speed is worth",
    items: [
      {
        at: "1 minute",
        value: "391%",
        label: "more conversions when you call within the first minute",
        source: "velocifyFirstMinute",
      },
      {
        at: "1 hour",
        value: "7x",
        label: "the response when you call within the hour, not an hour later",
        source: "harvardShortLife",
      },
      { at: "Later", value: "8x", label: "the loss when the first reply is delayed" },
      {
        at: "Overall",
        value: "$5.44",
        label: "return per $1 spent on marketing automation, over three years",
        source: "nucleusMarketingAutomation",
      },
    ],
  },
  benefits: {
    heading: "What we hand to the machine, and what we don’t",
    automated: {
      heading: "Automated",
      items: [
        "A reply within a minute, with real openings from your calendar.",
        "A second and third follow-up on every quote, until it’s a yes or a no.",
        "One list of every lead, with the sign, ad or portal it came from.",
      ],
    },
    person: {
      heading: "Stays with a person",
      items: [
        "The price. No machine quotes a job you haven’t seen.",
        "An emergency, or anyone upset or asking for a human: your phone rings.",
        "The handshake on site.",
      ],
    },
  },
  cost: {
    id: "leads",
    heading: "What missed calls cost",
    factors: [
      { text: "# a week", value: 10, name: "calls a week" },
      { text: "1 in # hired", value: 5, name: "calls for one job", divides: true },
      { text: "$# a job", value: 400, name: "dollars a job" },
      { text: "# weeks", value: workingWeeks, name: "weeks" },
    ],
    message: "Missed calls cost us about # a year.",
  },
  example: {
    heading: "Example: a contractor with one phone",
    text: "Every lead comes in on one cellphone. Missed calls get a text back, and quiet quotes get two polite follow-ups in the owner’s words.",
    results: [
      { value: "40+ hours", label: "of admin saved a month" },
      { value: "20% more", label: "closed projects" },
    ],
    elsewhere: [
      { who: "A brokerage", text: "the text has the listing and two showings." },
      { who: "A renovator", text: "it asks for rooms, budget and photos." },
    ],
  },
  outlook: {
    text: "Soon clients’ software will ask for quotes: keep your openings online.",
  },
  closing: {
    heading: "Last week’s missed calls are still in your phone.",
    text: "Count them before you call; we’ll work out what they were worth.",
    action: "Book a Free Audit",
    note: "30 minutes, free. You price the audit after reading it.",
  },
  next: "/use-cases/email-management",
} as const satisfies UseCase;
