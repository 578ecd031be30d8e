import type { PageHead } from "../site.ts";
import type { SourceId } from "../sources.ts";
import type { UseCase } from "../use-case.ts";

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
  | "outlook"
  | "closing"
> & {
  head: PageHead;
  /** `parts` carry the plan's numbers. */
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
  /** Published research: its findings and limits. */
  research: {
    heading: string;
    items: readonly { value: string; source: SourceId; found: string; open: string }[];
  };
};

export const specializedAgents: SpecializedAgents = {
  head: {
    title: "Specialized AI Agents for Small Businesses",
    description:
      "What an AI agent is, how one is built around a single job in your business, and what it gives back. Custom agents for trades and real estate across the GTA.",
    path: "/use-cases/specialized-agents",
    keywords: ["AI agents Toronto", "custom AI agents small business", "AI automation GTA"],
  },
  name: "Specialized Agents",
  heading: "An agent built for one job in your office",
  lede: "A small program that does one piece of your office work by your rules, and asks when it isn’t sure.",
  drawing: {
    before: [
      { key: "Drawing", value: "WSIB clearances, today" },
      { key: "Result", value: "Two subs on site, not covered" },
    ],
    after: [
      { key: "Drawing", value: "WSIB clearances, with an agent" },
      { key: "Result", value: "One call for you to make" },
    ],
  },
  anatomy: {
    heading: "What an agent is, as a floor plan",
    text: [
      "Ordinary automation follows a fixed rule: if this form arrives, send that reply. An agent can read. It opens a message, a photo or the City’s permit page, finds which of your rules applies, and takes the next step in the programs your office uses.",
    ],
    parts: [
      { name: "Inbox", text: "What wakes it: an email, a form, a date, a changed web page." },
      { name: "Rules", text: "How you do it, in sentences you can read and change." },
      {
        name: "Tools",
        text: "What it may touch: the calendar, the books, one folder.",
      },
      {
        name: "Counter",
        text: "Where it stops and waits for a person: money, a promise, a doubt.",
      },
      { name: "Logbook", text: "What it did, when, and by which rule." },
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
        what: "A buyer’s agent wants the status certificate. Was it ordered, and when?",
      },
      {
        when: "2:20 pm",
        what: "The supplier’s new price list has 64 pages. Three open quotes use the old one.",
      },
    ],
  },
  problems: {
    heading: "Three reasons they don’t get done",
    items: [
      {
        title: "Too small to hire for",
        text: "Nobody is hired for twenty minutes a day, so the job falls to whoever is nearest. Usually that is you.",
      },
      {
        title: "Too easy to forget",
        text: "A lapsed clearance does no harm until the day someone falls off a ladder.",
      },
      {
        title: "Known to one person",
        text: "Your office manager knows which supplier rounds up and which client prefers a phone call. While she’s on vacation, nobody does.",
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
        "Preparing: the quote with new prices, the order, the reply. Ready to send, not sent.",
      ],
    },
    person: {
      heading: "Your side of the counter",
      items: [
        "Every price, every payment and every yes.",
        "Anyone who is angry, hurt or asking for a human.",
        "The rules themselves. You change a sentence, and the agent works by it tomorrow.",
      ],
    },
  },
  build: {
    heading: "Built in three steps",
    steps: [
      {
        title: "Map pain points",
        text: "We sit in on the work and list every job like these, with its minutes and mistakes. We pick one that comes up daily and does little harm if it goes wrong.",
        when: "Days 1 to 14",
      },
      {
        title: "Design targeted solutions",
        text: "One page: what wakes the agent, your rules, its tools, and the line at which it asks. If a setting in software you own does the job, the page says that instead.",
        when: "Days 10 to 24",
      },
      {
        title: "Build and personalize",
        text: "It works beside you on real cases and sends nothing. You correct it in your own words until you’d sign its drafts.",
        when: "Days 22 to 50",
      },
    ],
  },
  edge: {
    heading: "Why a small firm has the edge",
    text: [
      "At a bank, an agent has to get past a committee. In your firm it takes one conversation with the person who does the work, and a mistake is caught the same day.",
    ],
  },
  figures: {
    heading: "What comes back",
    items: [
      {
        value: "60-80%",
        label: "less admin time on the work an agent takes over",
      },
      {
        value: "40+ hours",
        label: "per employee per month: two hours of each working day",
      },
      {
        value: "50% faster",
        label: "client response: the answer is drafted before you look",
      },
      {
        value: "Lower overhead",
        label: "without another desk in the office",
      },
    ],
  },
  research: {
    heading: "What others have measured",
    items: [
      {
        value: "60-70%",
        source: "mckinseyGenerativeAi",
        found:
          "of employees’ time goes to activities that technology could automate. Close to our first figure, but it measures something else.",
        open: "It says what could be done, across all occupations, not what has been.",
      },
      {
        value: "15%",
        source: "generativeAiAtWork",
        found:
          "more issues resolved per hour by 5,172 support agents who worked with an AI assistant.",
        open: "Newer staff gained most, the best hardly any.",
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
    heading: "What small jobs add up to",
    text: [
      "List one day’s small jobs with their minutes. Multiply the ones that come back every day by 21 working days and by what an hour costs you.",
      "Quotes that go out on old prices are the other half.",
    ],
    worksheet: {
      id: "specialized-agents",
      lines: [
        {
          what: "Small daily jobs",
          factors: [
            { text: "# minutes", value: 80, name: "minutes a day", worth: 1 / 60 },
            { text: "# days", value: 21, name: "days a month" },
            { text: "$# an hour", value: 36, name: "dollars an hour" },
          ],
        },
        {
          what: "Quotes on old prices",
          factors: [
            { text: "# quotes", value: 6, name: "quotes a month" },
            { text: "$# material", value: 4000, name: "dollars of material a quote" },
            { text: "#%", value: 3, name: "percent higher", worth: 1 / 100 },
          ],
        },
      ],
      total: "Every month",
    },
  },
  example: {
    heading: "Example: the mail for four buildings",
    text: [
      "Take a property manager whose inbox fills the first two hours of every day. The agent reads each message, files it under the unit, opens a work order where one is needed, and drafts the answer. A leak, a lockout or the word ‘lawyer’ goes to the manager’s phone at once.",
    ],
    results: [{ value: "45+ hours", label: "per month saved" }],
  },
  outlook: {
    heading: "Where this is going",
    text: [
      "The programs you already pay for will soon come with agents inside. They’ll know your trade and nothing about your firm. What makes one useful is your page of rules, and you keep that page no matter who builds the next one.",
    ],
  },
  closing: {
    heading: "Name the job nobody was hired for.",
    text: "In thirty minutes we’ll tell you whether an agent could do it, and whether it should.",
    action: "Book Your Free Automation Audit",
  },
};
