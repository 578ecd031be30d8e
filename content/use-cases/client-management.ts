import type { UseCase } from "../use-case.ts";

export const clientManagement = {
  head: {
    title: "Client Management Automation for GTA Businesses",
    description:
      "Keep every client posted, every promise written down and every change order signed. Client management automation for contractors, brokers and renovators.",
    path: "/use-cases/client-management",
    keywords: [
      "client management automation",
      "CRM automation Toronto",
      "contractor client communication",
      "change order tracking GTA",
    ],
  },
  name: "Client Management",
  service: "Client management automation",
  heading: "Tell every client before they have to ask",
  intro:
    "A dispute often starts with silence. Automation sends the update, files the approval and reminds you who’s waiting.",
  drawing: { before: "A disputed final bill (example)", after: "50% fewer disputes" },
  problems: [
    {
      title: "Extras without a signature",
      text: "A homeowner in Ontario needn’t pay more than 10% over the estimate without agreeing to it (Consumer Protection Act, 2002, as of November 2026). A nod on the stairs is hard to prove.",
    },
    {
      title: "One question, asked by four people",
      text: "Client, spouse, designer and lender each ask, and each hears something different.",
    },
  ],
  figures: {
    heading: "What a timely update changes",
    items: [
      { value: "40-60%", label: "faster responses to clients’ questions" },
      { value: "50%", label: "fewer disputes over extras and final bills" },
      { value: "30%", label: "higher satisfaction among clients at handover" },
      { label: "Stronger retention: past clients come back or send a neighbour" },
    ],
  },
  benefits: {
    heading: "What goes out by itself, and what’s left to you",
    automated: {
      heading: "Sent by the system",
      items: [
        "A Friday update for each job: done, next, waiting on the client.",
        "Change orders drafted from a voice note and sent for signature.",
        "A notice to everyone on the job when a date moves.",
      ],
    },
    person: {
      heading: "Left to you",
      items: [
        "Bad news, in your voice, before the update goes out.",
        "The price of every change.",
        "The small extra you throw in, and the credit for it.",
      ],
    },
  },
  cost: {
    id: "extras",
    heading: "What unsigned extras cost",
    factors: [
      { text: "# a job", value: 2, name: "extras a job" },
      { text: "$# each", value: 350, name: "dollars an extra" },
      { text: "# jobs", value: 20, name: "jobs a year" },
    ],
    message: "Extras that nobody signed for cost us about # a year.",
  },
  example: {
    heading: "Example: several houses open at once",
    text: "Clients are answered in the order they lose patience. With a Friday update and change orders signed on a phone, they stop asking.",
    results: [
      { value: "Down 55%", label: "response time to clients" },
      { value: "Signed first", label: "change orders, before any work starts" },
    ],
    elsewhere: [
      {
        who: "A brokerage",
        text: "conditions, deposits and closings, counted down.",
      },
      {
        who: "A renovator",
        text: "tile and paint, each with a date to decide by.",
      },
    ],
  },
  outlook: {
    text: "Soon a client’s AI will check the bill against the contract. Signed changes will pass.",
  },
  closing: {
    heading: "Tell us about your last argument over an extra.",
    text: "We’ll find the moment a signature would have settled it.",
    action: "Book Your Free Consultation",
  },
  next: "/use-cases/business-operations",
} as const satisfies UseCase;
