import type { UseCase } from "../use-case.ts";

export const businessOperations = {
  head: {
    title: "Business Operations Automation in Toronto",
    description:
      "Invoices, payroll, purchasing and reports that run on time and are typed once. Back-office automation for trades and home-improvement firms in the GTA.",
    path: "/use-cases/business-operations",
    keywords: [
      "business operations automation",
      "invoice automation Toronto",
      "payroll automation contractors",
    ],
  },
  name: "Business Operations",
  service: "Business operations automation",
  heading: "Let the back office run on schedule",
  lede: "Invoices out the day the job closes, hours typed once, and a forecast nobody has to build in a spreadsheet at midnight.",
  drawing: {
    before: [
      { key: "Drawing", value: "One week’s hours, today" },
      { key: "Result", value: "Billed on the 24th" },
    ],
    after: [
      { key: "Drawing", value: "One week’s hours, after" },
      { key: "Result", value: "Billed on the 8th" },
    ],
  },
  intro:
    "Hours leave the site as a text, then become a spreadsheet, payroll and an invoice, and any copy can drop a digit. With automation the number is typed once, on site. You keep your accounting program and your bank. The copying stops.",
  problems: {
    heading: "Where the office leaks",
    items: [
      {
        title: "The crew finds the payroll errors",
        text: "A wrong line costs an hour to find, and some of the crew’s trust.",
      },
      {
        title: "Holdback gets forgotten",
        text: "10% of each invoice waits for the lien period or the yearly release, and nobody is paid to remember the date.",
      },
      {
        title: "Every slip is a search",
        text: "In February somebody digs a year of hours out of email for the T4s; the T5018s come six months after your reporting year.",
      },
    ],
  },
  figures: {
    heading: "What the office gets back",
    items: [
      { value: "60-80%", label: "faster invoice processing, from closed job to sent invoice" },
      { value: "90%", label: "fewer payroll errors, because the hours are typed once" },
      { value: "30-40%", label: "lower admin overhead" },
      {
        value: "Better forecasting",
        label: "of who pays when, what payroll takes, what belongs to the CRA",
      },
    ],
  },
  benefits: {
    heading: "What runs on schedule, and what needs your yes",
    automated: {
      heading: "Automated",
      items: [
        "Hours entered once, on site; payroll, job cost and invoice all read the same entry.",
        "A draft invoice on the day the job closes, with HST and holdback on their own lines.",
        "Supplier statements matched to delivery slips; you see only the lines that don’t match.",
      ],
    },
    person: {
      heading: "Stays with a person",
      items: [
        "Approving payroll and every payment. Nothing leaves the bank without your yes.",
        "Tax advice, and the return itself: your accountant’s work.",
      ],
    },
  },
  cost: {
    heading: "What typing it twice costs",
    text: "First the wages, for numbers someone has already typed. Then your own money, in other people’s accounts because the invoice went out late.",
  },
  worksheet: {
    id: "business-operations",
    lines: [
      {
        what: "Typing it again",
        factors: [
          { text: "# people", value: 2, name: "people" },
          { text: "# hours a week", value: 5, name: "hours a week each" },
          { text: "# weeks", value: 50, name: "weeks" },
          { text: "$#", value: 32, name: "dollars an hour" },
        ],
      },
      {
        what: "Borrowing for late invoices",
        factors: [
          { text: "$# a month", value: 90_000, name: "dollars billed a month" },
          { text: "# of 30 days late", value: 16, name: "days late", worth: 1 / 30 },
          { text: "#%", value: 8, name: "percent interest a year", worth: 1 / 100 },
        ],
      },
    ],
    total: "Every year",
    message: "I worked out what typing numbers twice costs us: # a year.",
  },
  example: {
    heading: "Example: three crews and one office",
    text: "Take a firm whose hours come in on Sunday night and whose invoices go out when there’s time. The crews get one screen with four fields, and a closed job drafts its own invoice for the owner to read and send.",
    results: [
      { value: "70% down", label: "invoice time" },
      { value: "99.9%", label: "payroll accuracy" },
    ],
  },
  outlook: {
    heading: "Where the rules are going",
    text: "Since January 1, 2026, an invoice under the Construction Act counts as proper unless the owner objects in writing within seven days, and holdback has to be released every year; for contracts already under way the first release is triggered in 2027 (checked November 2026). A firm whose paperwork is ready can hold its client to the date.",
  },
  closing: {
    heading: "Follow one number from the site to the invoice.",
    text: "Take last month’s hours. On the call we’ll count how often they were typed.",
    action: "Book Your Free Consultation",
  },
  next: ["/use-cases/client-management", "/use-cases/specialized-agents"],
} as const satisfies UseCase;
