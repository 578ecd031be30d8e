import type { UseCase } from "../use-case.ts";

export const emailManagement = {
  head: {
    title: "Email Management Automation for Small Firms",
    description:
      "Sort, draft and route the inbox before you sit down at it. Email automation for trade, real estate and home-improvement businesses in Toronto and the GTA.",
    path: "/use-cases/email-management",
    keywords: [
      "email automation Toronto",
      "inbox automation contractors",
      "real estate email automation",
      "property management email triage",
    ],
  },
  name: "Email Management",
  service: "Email management automation",
  heading: "Open an inbox that is already\u00a0sorted",
  intro:
    "Quotes, change orders and spam arrive in one pile. Automation sorts it and drafts replies, urgent mail on top.",
  drawing: { before: "The leak is read last", after: "25+ hours a month saved (example)" },
  /** The same messages, sorted: where each goes, and by which rule. */
  sorted: [
    {
      message: "Ceiling in 904 leaking again",
      to: "Now",
      says: "Water, heat, gas or smoke: it rings your phone, then gets filed.",
    },
    {
      message: "Offer expires at 9\u00a0PM",
      to: "To approve",
      says: "It needs an answer: a draft waits beside it for your approval.",
    },
    {
      message: "Unit 7: parking, again",
      to: "By address",
      says: "It names a unit, so it’s filed under that address.",
    },
    {
      message: "Invoice 2207, no HST number",
      to: "Money",
      says: "Money goes to one place, and nothing is paid from there without you.",
    },
    {
      message: "Your tile order shipped",
      to: "Suppliers",
      says: "A supplier’s dates go beside the order they belong to.",
    },
    {
      message: "Webinar: sell more, faster",
      to: "To keep",
      says: "Nobody’s waiting for an answer: kept, out of the way.",
    },
  ],
  problems: [
    {
      title: "An inbox makes a bad foreman",
      text: "Nobody can see which request is two days old, who has it, or whether the answer went out.",
    },
    {
      title: "Forty seconds, ninety times a day",
      text: "Opening and sorting mail takes an hour a day. At $60 an hour, that’s $14,400 in 48 weeks.",
    },
  ],
  figures: {
    heading: "What a sorted inbox gives back",
    items: [
      { value: "50%", label: "faster responses to clients, tenants and trades" },
      { value: "30-40%", label: "less inbox time for the people who answer" },
      { value: "20%", label: "more deals, because a serious buyer doesn’t wait behind a flyer" },
      { label: "Higher satisfaction among clients who hear back while the question is fresh" },
    ],
  },
  benefits: {
    heading: "Sorted before you sit down",
    automated: {
      heading: "What the sorter does",
      items: [
        "Files each message by property, job or deal, with a one-line summary.",
        "Drafts the replies you’ve given before, in your words, with the right attachment.",
        "Watches the dates on insurance and WSIB certificates.",
      ],
    },
    person: {
      heading: "What you keep",
      items: [
        "The send button. A draft goes out only when you say so.",
        "What counts as urgent. We write down your rules.",
        "The folder you don’t want read. It stays closed.",
      ],
    },
  },
  example: {
    heading: "Example: two shared inboxes, three people",
    text: "Tenants, owners and trades write to the same two addresses. Some get answered twice, others never. Sorted by building and urgency, every open request has a name and a date on it.",
    results: [
      { value: "25+ hours", label: "a month saved" },
      { value: "60% faster", label: "responses" },
    ],
  },
  outlook: {
    text: "As software writes more email, clients will stay with the firm that clearly read theirs.",
  },
  closing: {
    heading: "Count yesterday’s inbox.",
    text: "Tell us what came in; we’ll sort it by kind on the call.",
    action: "Book Your Free Consultation",
  },
  next: "/use-cases/client-management",
} as const satisfies UseCase & Record<string, unknown>;
