import { type UseCase, workingWeeks } from "../use-case.ts";

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
  intro:
    "Invoices out the day the job closes, hours typed once, and a forecast nobody has to build in a spreadsheet at midnight.",
  drawing: { before: "Billed on the 24th", after: "Billed on the 8th" },
  problems: [
    {
      title: "Every number is typed again",
      text: "Once for payroll, once for the job and once for the invoice, and the crew still finds the errors.",
    },
    {
      title: "Holdback gets forgotten",
      text: "10% of each invoice waits for the lien period or the yearly release, and nobody is paid to remember the date.",
    },
  ],
  figures: {
    heading: "What the office gets back",
    items: [
      { value: "60-80%", label: "faster invoice processing, from closed job to sent invoice" },
      { value: "90%", label: "fewer payroll errors, because the hours are typed once" },
      { value: "30-40%", label: "lower admin overhead" },
      {
        label:
          "Better forecasting of who pays when, what payroll takes and what belongs to the CRA",
      },
    ],
  },
  benefits: {
    heading: "What runs on schedule, and what needs your yes",
    automated: {
      heading: "Automated",
      items: [
        "Hours entered once, on site, for payroll, job cost and invoice.",
        "A draft invoice the day the job closes, HST and holdback split out.",
        "Supplier statements matched to delivery slips; you see only what doesn’t match.",
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
    id: "typing",
    heading: "What retyping costs",
    factors: [
      { text: "# people", value: 2, name: "people" },
      { text: "# h a week", value: 5, name: "hours a week" },
      { text: "$# an hour", value: 32, name: "dollars an hour" },
      { text: "# weeks", value: workingWeeks, name: "weeks" },
    ],
    message: "Typing the same numbers again costs us about # a year.",
  },
  example: {
    heading: "Example: three crews and one office",
    text: "Hours come in on Sunday night; invoices go out when there’s time. With four fields on the crews’ phones, a closed job drafts its own invoice for the owner to send.",
    results: [
      { value: "70% down", label: "invoice time" },
      { value: "99.9%", label: "payroll accuracy" },
    ],
  },
  outlook: {
    text: "Ontario construction bills now count as proper unless the client objects in writing within 7 days.",
  },
  closing: {
    heading: "Follow one number from the site to the invoice.",
    text: "Take last month’s hours. On the call we’ll count how often they were typed.",
    action: "Book Your Free Consultation",
  },
  next: "/use-cases/specialized-agents",
} as const satisfies UseCase;
