import type { PageHead } from "../page-head.ts";
import type { SourceId } from "../sources.ts";
import type { UseCase } from "../use-case.ts";

/** The words of the page on agents, in the order in which they stand on it. */
type SpecializedAgents = Pick<
  UseCase,
  | "name"
  | "heading"
  | "lede"
  | "drawing"
  | "today"
  | "problems"
  | "benefits"
  | "figures"
  | "cost"
  | "example"
  | "firstNinetyDays"
  | "outlook"
  | "closing"
> & {
  head: PageHead;
  /** What an agent is, with its plan; the parts carry the plan's numbers. */
  anatomy: {
    heading: string;
    text: readonly string[];
    parts: readonly { name: string; text: string }[];
  };
  build: {
    heading: string;
    steps: readonly { title: string; text: string; when: string }[];
  };
  edge: { heading: string; text: readonly string[] };
  /** Published work beside our own figures: what was measured, and what that leaves open. */
  research: {
    heading: string;
    text: string;
    items: readonly { value: string; source: SourceId; found: string; open: string }[];
  };
};

export const specializedAgents: SpecializedAgents = {
  head: {
    title: "Specialized AI Agents for Small Businesses",
    description:
      "What an AI agent is, how one is built around a single job in your business, and what it returns. Custom agents for trades and real estate across the GTA.",
    path: "/use-cases/specialized-agents",
    keywords: ["AI agents Toronto", "custom AI agents small business", "AI automation GTA"],
  },
  name: "Specialized Agents",
  heading: "An agent built for one job, and only yours",
  lede: "A small program that does one piece of your office work, by your rules, and asks when it is unsure.",
  drawing: {
    before: [
      { key: "Drawing", value: "WSIB clearances, today" },
      { key: "Result", value: "Two subs on site uncovered" },
    ],
    after: [
      { key: "Drawing", value: "WSIB clearances, with an agent" },
      { key: "Result", value: "One call for you to make" },
    ],
  },
  anatomy: {
    heading: "What an agent is, as a floor plan",
    text: [
      "Ordinary automation runs on a rail: if this arrives, do that. An agent can read. It takes a message, a photo or a line on a City web page, looks up your rule for it, and uses your office’s own programs.",
      "What makes it safe is the counter. Whatever the rules don’t cover stops at that line and waits for a person.",
    ],
    parts: [
      { name: "Inbox", text: "What wakes it: an email, a form, a date, a changed web page." },
      { name: "Rules", text: "How you do it, in sentences you can read and change." },
      {
        name: "Tools",
        text: "What it may touch: the calendar, the books, one folder.",
      },
      { name: "Counter", text: "Where it stops and asks: money, a promise, a doubt." },
      { name: "Logbook", text: "What it did, when, and which rule it went by." },
    ],
  },
  today: {
    heading: "A Monday of jobs nobody was hired for",
    entries: [
      { when: "7:30 am", what: "You reload the City’s permit page, for the ninth day in a row." },
      {
        when: "9:15 am",
        what: "The drywaller is on site. His clearance ran out on Friday.",
      },
      {
        when: "11:00 am",
        what: "A buyer’s agent wants the status certificate. Was it ordered? The corporation’s ten days began when, exactly?",
      },
      {
        when: "2:20 pm",
        what: "The supplier’s new price list is a PDF of 64 pages. Three open quotes still use the old one.",
      },
      {
        when: "6:40 pm",
        what: "Tenants’ emails for four buildings: a leak, a parking spot, a leak, a thank-you.",
      },
    ],
  },
  problems: {
    heading: "Why these jobs stay undone",
    items: [
      {
        title: "Too small to hire for",
        text: "Twenty minutes a day is no position. It falls to whoever is nearest, usually you.",
      },
      {
        title: "Too odd for the software you have",
        text: "Your way of bundling three trades into one quote isn’t in any menu.",
      },
      {
        title: "Too easy to forget",
        text: "Nothing happens when a clearance lapses. Nothing happens until somebody falls off a ladder.",
      },
      {
        title: "Known to one person",
        text: "She knows which supplier rounds up and which client must be phoned. When she is in Portugal, nobody does.",
      },
    ],
  },
  benefits: {
    heading: "What goes to the agent, and what comes to you",
    automated: {
      heading: "The agent’s side",
      items: [
        "Watching: permits, clearances, price lists, offer dates, every day at the same hour.",
        "Reading: a slip, a statement or a long email becomes three lines and a file in the right place.",
        "Asking: the sub for the paper, the tenant for a photo, twice and politely.",
        "Preparing: the quote with new prices, the order, the reply. Ready to send, not sent.",
      ],
    },
    person: {
      heading: "Your side of the counter",
      items: [
        "Every price, every payment and every yes.",
        "Anybody who is angry, hurt or asks for a human.",
        "The rules themselves. You change a sentence, and the agent works by it tomorrow.",
        "The off switch. Your old way of doing it stays written down.",
      ],
    },
  },
  build: {
    heading: "Built in three steps",
    steps: [
      {
        title: "Map pain points",
        text: "We sit beside the work and list every job like these, with minutes and mistakes. We pick the one that hurts daily and harms least if it goes wrong.",
        when: "Days 1 to 14",
      },
      {
        title: "Design targeted solutions",
        text: "One page: what wakes the agent, your rules, its tools, and the line at which it asks. If a setting in software you own does the job, the page says that instead.",
        when: "Days 10 to 24",
      },
      {
        title: "Build and personalize",
        text: "It works beside you on real cases and sends nothing. You correct it in your own words until you would sign its drafts.",
        when: "Days 22 to 50",
      },
    ],
  },
  edge: {
    heading: "Why a small firm has the edge",
    text: [
      "A bank that wants an agent needs a committee. You need one conversation with the person who does the work, who is often you.",
      "Your rules fit on a page, your exceptions have names, and a bad draft is seen by someone who knows the client.",
    ],
  },
  figures: {
    heading: "What comes back",
    items: [
      {
        value: "60-80%",
        label: "less admin time on the work that an agent takes over",
        source: "clients",
      },
      {
        value: "40+ hours",
        label: "per employee per month: two hours of each working day",
        source: "clients",
      },
      {
        value: "50% faster",
        label: "client response: the answer is drafted before you look",
        source: "clients",
      },
      {
        value: "Lower overhead",
        label: "without another desk in the office",
        source: "clients",
      },
    ],
  },
  research: {
    heading: "What others have measured",
    text: "Our figures are our clients’ own. These are public, with what each leaves open.",
    items: [
      {
        value: "60–70%",
        source: "mckinseyGenerativeAi",
        found:
          "of employees’ time goes to activities that technology could automate. It stands beside our first figure and isn’t the same thing.",
        open: "It says what could be done, over all occupations, not what has been.",
      },
      {
        value: "15%",
        source: "generativeAiAtWork",
        found:
          "more issues solved an hour by 5,172 support agents who worked with an AI assistant.",
        open: "Newer people gained most. The best gained little, and their quality slipped a bit.",
      },
      {
        value: "12.2%",
        source: "statisticsCanadaAi",
        found:
          "of businesses in Canada had used AI to make goods or deliver services, up from 6.1% a year before.",
        open: "That counts use. It doesn’t ask whether it paid.",
      },
    ],
  },
  cost: {
    heading: "What it costs to leave it",
    text: [
      "List one day’s small jobs with their minutes. Multiply those that come back daily by 21 working days and by what the hour costs you.",
      "Quotes that go out on old prices are the other half.",
    ],
    sum: {
      lines: [
        {
          what: "Small daily jobs",
          working: "80 minutes × 21 days × $36 an hour",
          value: "$1,008",
        },
        {
          what: "Quotes on old prices",
          working: "6 quotes × $4,000 material × 3%",
          value: "$720",
        },
      ],
      total: { what: "Every month", value: "$1,728" },
    },
  },
  example: {
    heading: "Example: the mail of four buildings",
    text: [
      "One property manager, one inbox, and the first two hours of every day. The agent reads each message, files it under the unit, opens a work order where one is needed, and drafts the answer. A leak, a lockout or the word ‘lawyer’ goes to the manager’s phone at once.",
      "Mornings now begin with drafts to approve. The manager still writes the hard ones.",
    ],
    results: [{ value: "45+ hours", label: "per month saved" }],
  },
  firstNinetyDays: {
    heading: "The first 90 days",
    text: "One agent, then a rest. A second is built only when the log of the first shows what it saved.",
    bars: [
      { task: "List and time the jobs", fromDay: 1, toDay: 14 },
      { task: "One page of rules", fromDay: 10, toDay: 24 },
      { task: "Drafts only, beside you", fromDay: 22, toDay: 50 },
      { task: "On its own, logged", fromDay: 46, toDay: 72 },
      { task: "Count, keep or stop", fromDay: 68, toDay: 78 },
      { task: "Second agent, if earned", fromDay: 76, toDay: 90 },
    ],
  },
  outlook: {
    heading: "Where this is going",
    text: [
      "Agents will be sold by the dozen, inside the programs that you already rent. Most will know your trade and nothing of your firm. The page of rules tells them apart, and it is yours, whoever builds the next one.",
      "Agents will also talk to each other: your supplier’s will ask yours how many sheets. Decide first what yours may answer.",
    ],
  },
  closing: {
    heading: "Name the job that nobody was hired for.",
    text: "In thirty minutes you hear whether an agent could do it, and whether it should.",
    action: "Book Your Free Automation Audit",
  },
};
