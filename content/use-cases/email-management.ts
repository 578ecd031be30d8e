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
  lede: "Quotes, change orders, suppliers and spam arrive in one pile. Automation reads, files and drafts, and puts the urgent ones on top.",
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
    "An email doesn’t say what it is. A leak, a lawyer’s request for a status certificate and a flyer for office chairs all look alike and arrive in the order they were sent. Someone has to open each one, decide what it is and remember what to do about it. In a small firm, that someone is the owner.",
    "Email automation does the opening and the routine deciding. It reads each message as it lands, files it under the right address or deal, puts the attachment where it’s needed, drafts a reply when the answer is known, and rings a phone when it can’t wait. You sit down to a short list.",
  ],
  today: {
    heading: "A Thursday at a property manager’s desk",
    entries: [
      {
        when: "6:50 am",
        what: "Eighty unread. You flag six on your phone, still in bed, and can’t find them again at the office.",
      },
      {
        when: "8:30 am",
        what: "A law firm on Bay Street asks for a status certificate. The ten days start when the fee is paid, and the fee is in another email.",
      },
      {
        when: "10:15 am",
        what: "A plumber’s invoice has no HST number. You write back, same as last month.",
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
        what: "Replies from the couch. Eleven of them are the same paragraph about visitor parking.",
      },
    ],
  },
  problems: {
    heading: "An inbox makes a bad foreman",
    items: [
      {
        title: "It serves whoever wrote last",
        text: "The newest message is on top. A burst pipe ranks no higher than a webinar, and if it came in first, it’s underneath.",
      },
      {
        title: "It keeps no score",
        text: "Nobody can see which request is two days old, who has it, or whether the answer went out. A client who writes twice gets two replies; a patient one gets none.",
      },
      {
        title: "The paperwork stays inside",
        text: "WSIB clearances, permit conditions, signed offers and price increases sit in attachments that only the right search word will find.",
      },
      {
        title: "One vacation stops it",
        text: "When the person who knows where everything is goes up to Haliburton for a week, so do the answers.",
      },
    ],
  },
  benefits: {
    heading: "Sorted before you sit down",
    automated: {
      heading: "What the sorter does",
      items: [
        "Files each message by property, job or deal, with a one-line summary.",
        "Ranks it: someone’s waiting, money’s moving, to read, to keep. Leaks, no-heat calls and offers with a deadline ring your phone.",
        "Drafts the replies you’ve given before, in your words, with the right attachment already\u00a0on.",
        "Checks invoices for the HST number and the purchase order before they go to the books.",
        "Watches the dates on insurance and WSIB certificates, and asks for the next one before they lapse.",
        "Nudges you when an answer you promised hasn’t gone out.",
      ],
    },
    person: {
      heading: "What you keep",
      items: [
        "The send button. A draft goes out when a person says so, unless you decide otherwise for one kind of message.",
        "Bad news, negotiations, and anything a lawyer will read.",
        "What counts as urgent. We write down your rules and don’t bring any of our own.",
        "The folder you don’t want read. It stays closed.",
      ],
    },
  },
  figures: {
    heading: "What a sorted inbox gives back",
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
      "Take a property management firm where tenants, owners and trades all write to the same two addresses and the office works down from the top. Some messages get answered twice; others get opened by everybody and answered by nobody. Once they’re sorted by building and urgency, with drafts of the everyday replies, every open request has a name and a date on\u00a0it.",
      "An emergency leaves the inbox altogether and becomes a call to whoever is on duty. What’s left is a list you can finish.",
    ],
    results: [
      { value: "25+ hours", label: "a month saved" },
      { value: "60% faster", label: "responses" },
    ],
  },
  firstNinetyDays: {
    heading: "Ninety days, and the first fourteen are for watching",
    text: "For the first two weeks nothing is moved. The sorter labels and you correct it, so when it starts to file, it files by your rules. Drafts follow once the labels are right.",
    bars: [
      { task: "Labels only, you correct", fromDay: 1, toDay: 14 },
      { task: "Filing by address and deal", fromDay: 15, toDay: 32 },
      { task: "Urgent mail rings", fromDay: 28, toDay: 42 },
      { task: "Drafts of known answers", fromDay: 38, toDay: 62 },
      { task: "Invoices and certificates", fromDay: 55, toDay: 76 },
      { task: "A name on every request", fromDay: 70, toDay: 90 },
    ],
  },
  outlook: {
    heading: "Less mail, and what’s left matters more",
    text: [
      "More and more email is software writing to software: order confirmations, inspection bookings, e-transfer notices. Those will stop being messages and become entries in the right file. What’s left in the inbox will be people.",
      "Anyone will be able to turn out a smooth reply in a second. The reply that shows you read the question, and know the building, is the one that keeps the contract. Sorting is how you find the time to write\u00a0it.",
    ],
  },
  closing: {
    heading: "Bring yesterday’s inbox, unread.",
    text: "In thirty minutes we’ll sort it together by hand, and you’ll see how much of that a machine could have done.",
    action: "Book a Free Inbox Consultation",
  },
} as const satisfies UseCase;
