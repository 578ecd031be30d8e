import type { UseCase } from "../use-case.ts";

export const specializedAgents = {
  head: {
    title: "Specialized AI Agents for Small Businesses",
    description:
      "What an AI agent is, how one is built around a single job in your business, and what it gives back. Custom agents for trades and real estate across the GTA.",
    path: "/use-cases/specialized-agents",
    keywords: ["AI agents Toronto", "custom AI agents small business", "AI automation GTA"],
  },
  name: "Specialized Agents",
  service: "Specialized AI agents",
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
  intro:
    "Ordinary automation follows a fixed rule: if this form arrives, send that reply. An agent can read: it opens a message, finds which of your rules applies, and takes the next step.",
  problems: {
    heading: "Why small jobs don’t get done",
    items: [
      {
        title: "Too small to hire for",
        text: "Nobody is hired for twenty minutes a day.",
      },
      {
        title: "Too easy to forget",
        text: "A lapsed clearance does no harm until someone falls off a ladder.",
      },
    ],
  },
  figures: {
    heading: "What comes back",
    items: [
      { value: "60-80%", label: "less admin time on the work it takes over" },
      { value: "40+ hours", label: "per employee per month: two hours a day" },
      { value: "50% faster", label: "client response: drafted before you look" },
      { value: "Lower overhead", label: "without another desk" },
    ],
  },
  benefits: {
    heading: "What goes to the agent, and what comes to you",
    automated: {
      heading: "The agent’s side",
      items: [
        "Watching: permits, clearances and price lists, every day.",
        "Preparing: the quote, the order, the reply. Ready to send, not sent.",
      ],
    },
    person: {
      heading: "Your side of the counter",
      items: [
        "Every price, every payment and every yes.",
        "The rules. Change a sentence, and the agent works by it tomorrow.",
      ],
    },
  },
  cost: {
    heading: "What small jobs add up to",
    text: "List one day’s small jobs and their minutes. Eighty minutes a day, on 21 days at $36 an hour, come to $1,008 a month.",
  },
  example: {
    heading: "Example: the mail for four buildings",
    text: "Take a property manager whose inbox fills two hours of every day. The agent files each message, opens a work order and drafts the answer. A leak or the word “lawyer” goes to the manager’s phone.",
    results: [{ value: "45+ hours", label: "per month saved" }],
  },
  process: {
    heading: "Built in three steps, in two weeks",
    items: [
      { title: "Map pain points", text: "We list the small jobs with you and pick one." },
      {
        title: "Design targeted solutions",
        text: "On a page we write what wakes the agent, your rules and where it must ask.",
      },
      { title: "Build and personalize", text: "Then we build it: at first it only drafts." },
    ],
  },
  edge: {
    heading: "Your edge as a small firm",
    text: "At a bank, an agent has to get past a committee. In your firm it takes one conversation.",
  },
  outlook: {
    heading: "Where this is going",
    text: "The programs you already pay for will soon come with agents inside. What makes one useful is your page of rules, and you keep that page.",
  },
  closing: {
    heading: "Name the job nobody was hired for.",
    text: "In thirty minutes we’ll tell you whether an agent could do it, and whether it should.",
    action: "Book Your Free Automation Audit",
    note: "A call of 30 minutes, free. You price the audit after you’ve read it.",
  },
  next: ["/use-cases/email-management", "/use-cases/business-operations"],
  anatomy: {
    heading: "An agent’s floor plan",
    rooms: [
      { name: "Inbox", holds: "what comes in, opened and read." },
      { name: "Rules", holds: "sentences that you can change." },
      { name: "Tools", holds: "your calendar, your books and one folder." },
      {
        name: "Counter",
        holds:
          "where it stops and asks you: anything with money, a promise, or something it isn’t sure of.",
      },
      { name: "Logbook", holds: "what it did, written down." },
    ],
  },
  /** Published findings, each with its limit. */
  research: {
    heading: "What others have measured",
    items: [
      {
        value: "60-70%",
        source: "mckinseyGenerativeAi",
        found:
          "of employees’ time goes to activities that technology could automate. Could, not has.",
      },
      {
        value: "15%",
        source: "generativeAiAtWork",
        found:
          "more issues resolved per hour with an AI assistant. Newer staff gained the most; the best gained almost nothing.",
      },
    ],
  },
} as const satisfies UseCase & Record<string, unknown>;
