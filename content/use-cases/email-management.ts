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
  heading: "Open an inbox that is already\u00a0sorted",
  lede: "Quotes, change orders, suppliers and spam arrive in one pile. Automation reads, files, drafts and puts the urgent ones on top.",
  drawing: {
    before: [
      { key: "Drawing", value: "An inbox at 7\u00a0am, in section" },
      { key: "Result", value: "The leak is read last" },
    ],
    after: [
      { key: "Drawing", value: "The same 80, sorted (example)" },
      { key: "Result", value: "25+ hours a month saved" },
    ],
  },
  intro: [
    "An email does not say what it is. A leak, a lawyer’s request for a status certificate and a flyer for office chairs come in the same type, in the order in which they were sent. Somebody has to open each one, decide what it is and remember what to do about it. In a small firm that somebody is the owner.",
    "Email automation does the opening and the routine deciding. It reads each message as it lands, files it under the address or deal it belongs to, takes the attachment where it is needed, drafts a reply where the answer is known, and rings a phone where a person is waiting. You sit down to a short list.",
  ],
  today: {
    heading: "A Thursday at a property manager’s desk",
    entries: [
      {
        when: "6:50 am",
        what: "Eighty unread. You flag six on the phone, still in bed, and can’t find them again at the office.",
      },
      {
        when: "8:30 am",
        what: "A law firm on Bay Street asks for a status certificate. The ten days run from the day the fee is paid, and the fee is in another email.",
      },
      {
        when: "10:15 am",
        what: "A plumber’s invoice has no HST number. You write back, as you did last month.",
      },
      {
        when: "1:40 pm",
        what: "‘Following up on the below.’ There is nothing below.",
      },
      {
        when: "4:25 pm",
        what: "A tenant near Kipling and Dundas wrote at 5:12 this morning about water through the ceiling. It was the one under the flyer.",
      },
      {
        when: "9:30 pm",
        what: "Replies from the sofa. Eleven of them are the same paragraph about visitor parking.",
      },
    ],
  },
  problems: {
    heading: "An inbox makes a bad foreman",
    items: [
      {
        title: "It serves whoever wrote last",
        text: "The newest message is on top. A burst pipe and a webinar hold the same rank, and the pipe was earlier.",
      },
      {
        title: "It keeps no score",
        text: "Nobody can see which request is two days old, who has it, or whether the answer left. A client who writes twice gets two replies; a patient one gets none.",
      },
      {
        title: "The papers stay inside",
        text: "WSIB clearances, permit conditions, signed offers and price increases sit in attachments that only the right search word brings back.",
      },
      {
        title: "One holiday stops it",
        text: "When the person who knows where everything is spends a week in Haliburton, so does the knowledge.",
      },
    ],
  },
  benefits: {
    heading: "Sorted before you sit down",
    automated: {
      heading: "What the sorter does",
      items: [
        "Files each message by property, job or deal, with a summary of one line.",
        "Ranks it: somebody is waiting, money is moving, to read, to keep. Leaks, no-heat calls and offers with a deadline ring.",
        "Drafts the replies that you have given before, in your words, with the right attachment already\u00a0on.",
        "Checks invoices for the HST number and the purchase order before they go to the books.",
        "Dates insurance and WSIB certificates, and asks for the next one before they lapse.",
        "Nudges you when an answer that you promised has not gone out.",
      ],
    },
    person: {
      heading: "What you keep",
      items: [
        "The send button. A draft leaves when a person says so, until you decide otherwise for one kind of message.",
        "Bad news, negotiations, and whatever a lawyer will read.",
        "The meaning of urgent. We write down your rules and bring none of ours.",
        "The folder that you don’t want read. It stays closed.",
      ],
    },
  },
  figures: {
    heading: "What comes back",
    items: [
      {
        value: "50%",
        label: "faster responses to clients, tenants and trades",
      },
      {
        value: "30-40%",
        label: "less inbox time for the people who answer",
      },
      {
        value: "Higher",
        label: "satisfaction among clients, who hear back while the question is fresh",
      },
      {
        value: "20%",
        label: "more deals, because a serious buyer doesn’t wait behind a flyer",
      },
    ],
  },
  cost: {
    heading: "Forty seconds, ninety\u00a0times a\u00a0day",
    text: [
      "Before any reply is written, an email costs a decision. Time yourself on ten of them and look up how many came in yesterday.",
      "The second line takes more honesty. Search your sent mail for ‘sorry for the delay’ and count the threads that ended there.",
    ],
    worksheet: {
      id: "email-management",
      lines: [
        {
          what: "Reading and deciding",
          factors: [
            { text: "# emails", value: 90, name: "emails a day" },
            { text: "# s", value: 40, name: "seconds an email", worth: 1 / 3600 },
            { text: "# days", value: 230, name: "days" },
            { text: "$# an hour", value: 60, name: "dollars an hour" },
          ],
        },
        {
          what: "Answered too late",
          factors: [
            { text: "# a year", value: 12, name: "late answers a year" },
            { text: "1 in # lost", value: 3, name: "late answers for one lost", divides: true },
            { text: "$#", value: 1200, name: "dollars a job" },
          ],
        },
      ],
      total: "A year, for one inbox",
    },
  },
  example: {
    heading: "Example: two shared inboxes, three people",
    text: [
      "Take a property management firm where tenants, owners and trades all write to the same two addresses and the office works through them from the top. Some messages are answered twice, others opened by everybody and answered by nobody. Sorted by building and urgency, with drafts for the replies that come up daily, each open request has an owner and an age.",
      "An emergency leaves the inbox altogether and becomes a call to whoever is on duty. What remains is a list with an end.",
    ],
    results: [
      { value: "25+ hours", label: "a month saved" },
      { value: "60% faster", label: "responses" },
    ],
  },
  firstNinetyDays: {
    heading: "Ninety days, the first fourteen only watching",
    text: "For the first fortnight nothing is moved. The sorter labels and you correct it, so that when it starts to file, it files by your rules. Drafts follow once the labels hold.",
    bars: [
      { task: "Labels only, you correct", fromDay: 1, toDay: 14 },
      { task: "Filing by address and deal", fromDay: 15, toDay: 32 },
      { task: "Urgent mail rings", fromDay: 28, toDay: 42 },
      { task: "Drafts of known answers", fromDay: 38, toDay: 62 },
      { task: "Invoices and certificates", fromDay: 55, toDay: 76 },
      { task: "Owners and ages, shared", fromDay: 70, toDay: 90 },
    ],
  },
  outlook: {
    heading: "Less mail, and the rest of it matters more",
    text: [
      "A growing share of email is software writing to software: order confirmations, inspection bookings, e-transfer notices. Those will stop being messages and become entries in the right file. The inbox will shrink to people.",
      "Everybody will be able to produce a fluent reply in a second. The reply that shows that you read the question, and know the building, is the one that keeps the contract. Sorting is how you find the time to write\u00a0it.",
    ],
  },
  closing: {
    heading: "Bring yesterday’s inbox, unread.",
    text: "In thirty minutes we sort it by hand together, and you see how much of that a machine could have done.",
    action: "Book a Free Inbox Consultation",
  },
} as const satisfies UseCase;
