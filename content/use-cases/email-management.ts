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
  lede: "Quotes, change orders, suppliers and spam arrive in one pile. Automation reads, files and drafts, and puts the urgent ones on top.",
  drawing: {
    before: [
      { key: "Drawing", value: "An inbox at 7\u00a0AM, in section" },
      { key: "Result", value: "The leak is read last" },
    ],
    after: [
      { key: "Drawing", value: "The same 80, sorted (example)" },
      { key: "Result", value: "25+ hours a month saved" },
    ],
  },
  intro:
    "A leak, a lawyer’s request and a flyer all look alike, and someone has to open each one and decide. Email automation does the opening and the routine deciding, and rings a phone for what can’t wait. You sit down to a short list.",
  problems: {
    heading: "An inbox makes a bad foreman",
    items: [
      {
        title: "It keeps no score",
        text: "Nobody can see which request is two days old, who has it, or whether the answer went out.",
      },
      {
        title: "The paperwork stays inside",
        text: "Clearances, permits and signed offers sit in attachments you find only if you remember the right word.",
      },
    ],
  },
  figures: {
    heading: "What a sorted inbox gives back",
    items: [
      { value: "50%", label: "faster responses to clients, tenants and trades" },
      { value: "30-40%", label: "less inbox time for the people who answer" },
      { value: "20%", label: "more deals, because a serious buyer doesn’t wait behind a flyer" },
      {
        value: "Higher",
        label: "satisfaction among clients, who hear back while the question is fresh",
      },
    ],
  },
  benefits: {
    heading: "Sorted before you sit down",
    automated: {
      heading: "What the sorter does",
      items: [
        "Files each message by property, job or deal, with a one-line summary.",
        "Drafts the replies you’ve given before, in your words, with the right attachment on.",
        "Watches the dates on insurance and WSIB certificates.",
      ],
    },
    person: {
      heading: "What you keep",
      items: [
        "The send button. A draft goes out when a person says so.",
        "What counts as urgent. We write down your rules.",
        "The folder you don’t want read. It stays closed.",
      ],
    },
  },
  cost: {
    heading: "Forty seconds, ninety\u00a0times a\u00a0day",
    text: "Every email costs a decision. Ninety of 40 seconds are an hour a day; on 230 days at $60 an hour, that’s $13,800 a year. To find what was answered too late, search your sent mail for “sorry for the delay”.",
  },
  example: {
    heading: "Example: two shared inboxes, three people",
    text: "Take a property management firm where tenants, owners and trades all write to the same two addresses. Some get answered twice, others by nobody. Once they’re sorted by building and urgency, every open request has a name and a date on it.",
    results: [
      { value: "25+ hours", label: "a month saved" },
      { value: "60% faster", label: "responses" },
    ],
  },
  outlook: {
    heading: "Less mail, and what’s left matters more",
    text: "More and more email is software writing to software. What’s left is people, and the reply that shows you read the question keeps the contract.",
  },
  closing: {
    heading: "Count yesterday’s inbox.",
    text: "In thirty minutes we’ll go through the kinds of mail, not the mail.",
    action: "Book a Free Inbox Consultation",
  },
  next: ["/use-cases/client-management", "/use-cases/business-operations"],
} as const satisfies UseCase;
