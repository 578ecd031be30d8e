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
  lede: "A dispute often starts with silence. Automation sends the update, files the approval and reminds you who’s waiting.",
  drawing: {
    before: [
      { key: "Drawing", value: "A ten-week job, today (example)" },
      { key: "Result", value: "A disputed final bill" },
    ],
    after: [
      { key: "Drawing", value: "The same ten weeks, after" },
      { key: "Result", value: "50% fewer disputes" },
    ],
  },
  intro:
    "Clients rarely complain about the wall. They complain that nobody told them the inspection had moved. Client management automation keeps one record of each job, and a change is a signed change order before anyone picks up a tool.",
  problems: {
    heading: "What silence turns into",
    items: [
      {
        title: "Extras without a signature",
        text: "Where a homeowner’s contract includes an estimate, Ontario’s Consumer Protection Act, 2002 caps the bill at 10% above it unless the client agrees to a change (checked November 2026; the 2023 Act was not yet in force). A nod on the stairs is hard to prove.",
      },
      {
        title: "One question, asked by four people",
        text: "Client, spouse, designer and lender all want to know where things stand, and each hears something different.",
      },
    ],
  },
  figures: {
    heading: "What a timely update changes",
    items: [
      { value: "40-60%", label: "faster responses to clients’ questions" },
      { value: "50%", label: "fewer disputes over extras and final bills" },
      { value: "30%", label: "higher satisfaction when clients are asked at handover" },
      { value: "Stronger", label: "retention: past clients come back or send a neighbour" },
    ],
  },
  benefits: {
    heading: "The record keeps itself. The\u00a0relationship is yours.",
    automated: {
      heading: "Kept by the system",
      items: [
        "A Friday update for each job: what’s done, what’s next, what’s waiting on the client.",
        "Change orders drafted from a voice note, priced, and sent for signature.",
        "A notice to the client, the trades and the designer when a date moves.",
        "Conditions, deposits and closing dates, counted down.",
      ],
    },
    person: {
      heading: "Kept by you",
      items: [
        "Bad news, in your voice, before the update goes out.",
        "The price of every change.",
        "The small extra you decide to throw in, and the credit for saying so.",
      ],
    },
  },
  cost: {
    heading: "Count the extras you gave away",
    text: "On your last five final invoices, circle each extra that was argued over or left off.",
  },
  worksheet: {
    id: "client-management",
    lines: [
      {
        what: "Extras refused",
        factors: [
          { text: "# jobs", value: 14, name: "jobs" },
          { text: "# extras", value: 4, name: "extras a job" },
          { text: "1 in # refused", value: 5, name: "extras for one refused", divides: true },
          { text: "$#", value: 850, name: "dollars an extra" },
        ],
      },
      {
        what: "“Where are we?” calls",
        factors: [
          { text: "# a week", value: 6, name: "calls a week" },
          { text: "# min", value: 12, name: "minutes a call", worth: 1 / 60 },
          { text: "# weeks", value: 46, name: "weeks" },
          { text: "$# an hour", value: 80, name: "dollars an hour" },
        ],
      },
    ],
    total: "Every year",
    message: "I worked out what late updates and lost extras cost us: # a year.",
  },
  example: {
    heading: "Example: several houses open at once",
    text: "Take an additions contractor who answers clients in the order they lose patience. Each job gets a page its client can open, a Friday update drafted from the supervisor’s photos, and change orders priced and signed on a phone.",
    results: [
      { value: "Down 55%", label: "response time to clients" },
      { value: "Signed first", label: "change orders, before any work starts" },
    ],
  },
  outlook: {
    heading: "Your client will have software too",
    text: "Homeowners are starting to hand a contract and its invoices to an AI assistant that compares them line by line. A job with a clean trail of signed changes passes that check in a minute.",
  },
  closing: {
    heading: "Tell us about your last argument over an extra.",
    text: "We’ll find the moment when it could have been a signature.",
    action: "Book Your Free Consultation",
  },
  next: ["/use-cases/business-operations", "/use-cases/email-management"],
} as const satisfies UseCase;
