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
  intro:
    "A small program that does one piece of your office work by your rules, and asks when it isn’t sure.",
  problems: [
    {
      title: "Too small to hire for",
      text: "Nobody hires for twenty minutes a day. Four such jobs at $36 an hour cost $11,520 in 48 weeks.",
    },
    {
      title: "Too easy to forget",
      text: "A sub’s lapsed WSIB clearance does no harm until someone falls.",
    },
  ],
  figures: {
    heading: "What it saves",
    items: [
      { value: "60-80%", label: "less admin time on the work it takes over" },
      { value: "40+ hours", label: "per employee per month, two a day" },
      { value: "50% faster", label: "client response, drafted before you look" },
      { label: "Lower overhead without another desk" },
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
        "Every price, payment and OK.",
        "The rules. Change a sentence, and the agent works by it tomorrow.",
      ],
    },
  },
  example: {
    heading: "Example: the mail for four buildings",
    text: "Email fills two and a half hours of a manager’s day. The agent files each message, opens a work order and drafts the answer. A leak or the word “lawyer” rings their phone.",
    results: [{ value: "45+ hours", label: "per month saved" }],
  },
  outlook: {
    text: "Soon the software you use will include agents; your rules make them useful.",
  },
  closing: {
    heading: "Name the job nobody was hired for.",
    text: "In thirty minutes we’ll tell you whether an agent could do it, and should.",
    action: "Book Your Free Automation Audit",
    note: "30 minutes, free. You price the audit after reading it.",
  },
  next: "/use-cases/email-management",
  anatomy: {
    heading: "An agent’s floor plan",
    /** `at` is the name's place in the drawing. */
    rooms: [
      { name: "Inbox", at: [42, 100], holds: "what comes in." },
      { name: "Rules", at: [160, 100], holds: "in your own words." },
      { name: "Tools", at: [278, 100], holds: "your calendar and books." },
      { name: "Counter", at: [270, 245], holds: "if in doubt, it asks." },
      { name: "Logbook", at: [40, 245], holds: "what it did, in writing." },
    ],
  },
  process: {
    heading: "Built in three steps, in two weeks",
    items: [
      { title: "Map pain points", text: "We list the small jobs with you and pick one." },
      {
        title: "Design targeted solutions",
        text: "One page: what starts it, what rules it keeps.",
      },
      { title: "Build and personalize", text: "Then we build it: at first it only drafts." },
    ],
  },
  /** A small firm's advantage over a large one. */
  edge: {
    heading: "Your edge as a small firm",
    text: "At a bank an agent must pass a committee. In your firm it takes one conversation.",
  },
  /** Published findings, each with its limit. */
  research: {
    heading: "What others have measured",
    items: [
      {
        value: "60-70%",
        source: "mckinseyGenerativeAi",
        found: "of employees’ time goes to work that could be automated.",
      },
      {
        value: "15%",
        source: "generativeAiAtWork",
        found: "more issues resolved per hour with AI; newer staff gained most.",
      },
    ],
  },
} as const satisfies UseCase & Record<string, unknown>;
