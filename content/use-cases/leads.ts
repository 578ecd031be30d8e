import type { UseCase } from "../use-case.ts";

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
  lede: "A homeowner with water on the floor calls three plumbers and hires the first one who answers. Automation makes sure it’s you, even when you’re under a sink.",
  drawing: {
    before: [
      { key: "Drawing", value: "Lead intake, today" },
      { key: "Result", value: "A job for somebody else" },
    ],
    after: [
      { key: "Drawing", value: "Lead intake, after (example)" },
      { key: "Result", value: "20% more closed projects" },
    ],
  },
  intro:
    "Calls, forms, texts and messages come in by six or seven doors, and the person who should answer is on a ladder. Lead automation puts one line behind all of them: everyone gets a reply within a minute, in your words, and a lead worth a visit lands in your calendar.",
  problems: {
    heading: "Where the work leaks",
    items: [
      {
        title: "The clock starts without you",
        text: "Someone who fills in a form stays at the phone for a few minutes. By tomorrow they have a contractor.",
      },
      {
        title: "Nobody follows up a second time",
        text: "The quote went out and the client went quiet. They were only waiting on a spouse or a bank.",
      },
    ],
  },
  figures: {
    heading: "What speed is worth",
    items: [
      {
        at: "1 minute",
        value: "391%",
        label: "more conversions when the call comes within the first minute",
        source: "velocifyFirstMinute",
      },
      {
        at: "1 hour",
        value: "7x",
        label:
          "response: as many real conversations when you call within the hour as an hour later",
        source: "harvardShortLife",
      },
      {
        at: "Later",
        value: "8x",
        label: "loss when delayed: as many leads gone when the first reply is late",
      },
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
        "An answer within a minute, the first questions, and real openings from your calendar.",
        "A second and third follow-up on every quote, until there’s a yes or a no.",
        "One list of every lead, and which sign, ad or directory it came from.",
      ],
    },
    person: {
      heading: "Stays with a person",
      items: [
        "The price. No machine quotes a job you haven’t seen.",
        "Anyone who asks for a human, is upset, or has an emergency: your phone rings.",
        "The handshake on site.",
      ],
    },
  },
  cost: {
    heading: "What it costs to leave it",
    text: "Count the calls you missed in the last seven days; your phone has the list. The second line is your evenings.",
  },
  worksheet: {
    id: "leads",
    lines: [
      {
        what: "Missed calls",
        factors: [
          { text: "# a week", value: 10, name: "calls a week" },
          { text: "1 in # hired", value: 5, name: "calls for one job", divides: true },
          { text: "$#", value: 400, name: "dollars a job" },
        ],
      },
      {
        what: "Calling back at night",
        factors: [
          { text: "# evenings", value: 5, name: "evenings" },
          { text: "# h", value: 1, name: "hours an evening" },
          { text: "$#", value: 60, name: "dollars an hour" },
        ],
      },
    ],
    total: "Every week",
    message: "I worked out what missed leads cost us: # a week.",
  },
  example: {
    heading: "Example: a contractor with one phone",
    text: "Take a contractor whose leads all come in on one cellphone. Missed calls get a text back, one form takes the place of three, and quotes that go quiet get two polite follow-ups in the owner’s own words. The extra projects are ones that used to be lost to silence.",
    results: [
      { value: "40+ hours", label: "of admin saved a month" },
      { value: "20% more", label: "closed projects" },
    ],
  },
  outlook: {
    heading: "Who will be asking next",
    text: "Soon the one asking will often be software: an assistant collecting three quotes for its owner. Firms that keep their openings, service area and minimum job where software can read them will be on that list.",
  },
  closing: {
    heading: "Last week’s missed calls are still in your phone.",
    text: "Count them before you call; we’ll work out what they were worth.",
    action: "Book a Free Audit",
    note: "A call of 30 minutes, free. You price the audit after you’ve read it.",
  },
  next: ["/use-cases/email-management", "/use-cases/client-management"],
} as const satisfies UseCase;
