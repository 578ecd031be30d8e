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
  intro: [
    "Most back-office work is one number carried from place to place. Hours leave the site as a text, become a line in a spreadsheet, then a line of payroll, then a line on an invoice. A brokerage does the same with a deal: offer, trade record sheet, deposit receipt, commission statement. Someone copies it each time, and any copy can drop a digit.",
    "With operations automation the number is typed once, where the work happens, and everything that needs it reads it from there. You keep your accounting program and your bank. What goes is the carrying.",
  ],
  today: {
    heading: "A payroll Thursday in the office",
    entries: [
      {
        when: "7:00 am",
        what: "Hours for eleven people: seven texts, three phone calls and a photo of a cardboard lid. They go into the spreadsheet.",
      },
      {
        when: "9:30 am",
        what: "The lumber yard’s statement is $412 over your own record. Finding the missing delivery slip takes until coffee break.",
      },
      {
        when: "11:15 am",
        what: "A general contractor in Mississauga is holding your cheque: the WSIB clearance you sent in August has run out.",
      },
      {
        when: "2:00 pm",
        what: "Payroll. The same hours, typed again. The 4.5 of one line becomes\u00a0a\u00a05.4.",
      },
      {
        when: "4:30 pm",
        what: "Two jobs closed last week. Their invoices are waiting on receipts in a glove box in Pickering.",
      },
      {
        when: "8:45 pm",
        what: "The balance looks fine, until you remember that the HST in it is due at the end of the month.",
      },
    ],
  },
  problems: {
    heading: "Where the office leaks",
    items: [
      {
        title: "The clock starts when you bill",
        text: "Under Ontario’s Construction Act an owner has 28 days to pay, counted from the day a proper invoice arrives. An invoice that goes out 16 days late gets paid 16 days late.",
      },
      {
        title: "The crew finds the payroll errors",
        text: "A wrong line costs an hour to find, then the correction, and some of the trust of whoever opened the pay stub.",
      },
      {
        title: "Holdback gets forgotten",
        text: "Ten percent of each invoice waits for the lien period to end. Nobody is paid to remember the date, and the HST on it comes due on a different day from the rest.",
      },
      {
        title: "Every slip is a search",
        text: "T4s are due at the end of February. T5018s for your subs come due six months after your reporting year. Both ask for figures you’ve had all year.",
      },
    ],
  },
  benefits: {
    heading: "What runs on schedule, and what needs your yes",
    automated: {
      heading: "Automated",
      items: [
        "Hours entered once, on site, per person and per job; payroll, job cost and invoice all read the same entry.",
        "A draft invoice on the day the job closes, with receipts, HST and holdback on lines of their own.",
        "Supplier statements matched to delivery slips line by line; you see only the lines that don’t match.",
        "Reminders before and after a client’s due date, in your words, and a list of holdbacks with the day you can ask for each.",
        "WSIB clearances, T5018 totals and remittance dates kept current, so year end is a printout.",
      ],
    },
    person: {
      heading: "Stays with a person",
      items: [
        "Approving payroll and every payment. Nothing leaves the bank without your yes.",
        "The dispute about an extra, and the decision to let one\u00a0go.",
        "Tax advice, and the return itself: your accountant’s work, with better paperwork.",
        "A layoff. The Record of Employment is filled in and waits; you talk to the person first.",
      ],
    },
  },
  figures: {
    heading: "What the office gets back",
    items: [
      {
        value: "60-80%",
        label: "faster invoice processing, from closed job to sent invoice",
      },
      {
        value: "90%",
        label: "fewer payroll errors, because the hours are typed once and checked once",
      },
      {
        value: "30-40%",
        label: "lower admin overhead",
      },
      {
        value: "Better forecasting",
        label: "who pays when, what payroll takes, what belongs to the CRA",
      },
    ],
  },
  cost: {
    heading: "What typing it twice costs",
    text: [
      "Two sums, both from paperwork you already have. The first is wages: who types a number someone has already typed, and for how long. The second is your own money, sitting in other people’s accounts because the invoice went out late.",
      "No line in your books shows the second sum. You notice it the week there’s no cash to order the windows.",
    ],
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
    },
  },
  example: {
    heading: "Example: three crews and one office",
    text: [
      "Take a firm whose hours come in on Sunday night and whose invoices go out when there’s time. The crews get one screen with four fields. Statements from the two largest suppliers are matched by machine, and a closed job drafts its own invoice for the owner to read and send.",
      "Payroll becomes an approval on Monday morning. Whatever doesn’t match goes on a list of its own.",
    ],
    results: [
      { value: "70% down", label: "invoice time" },
      { value: "99.9%", label: "payroll accuracy" },
    ],
  },
  firstNinetyDays: {
    heading: "The first 90 days",
    text: "Hours come first, because payroll, job cost and invoices all rest on them. Two pay periods run both ways, old and new, before anything is switched off.",
    bars: [
      { task: "Time the typing", fromDay: 1, toDay: 10 },
      { task: "Hours, entered once", fromDay: 8, toDay: 28 },
      { task: "Payroll, both ways", fromDay: 22, toDay: 49 },
      { task: "Invoices on closing day", fromDay: 36, toDay: 60 },
      { task: "Supplier statements", fromDay: 52, toDay: 75 },
      { task: "Holdbacks and forecast", fromDay: 66, toDay: 90 },
    ],
  },
  outlook: {
    heading: "Where the rules are going",
    text: [
      "Payment rules are getting stricter. Since 1\u00a0January 2026 an invoice under Ontario’s Construction Act counts as proper unless the owner objects within seven days, and holdback has to be released every year; for contracts signed before that day the first release falls in 2027 (checked in November 2026). A firm whose paperwork is ready can hold its client to the date.",
      "Software will read more of that paperwork by itself: slips, drawings, statements. It will still need one true record of hours and jobs to check it against. That record is what you have after 90 days.",
    ],
  },
  closing: {
    heading: "Bring last month’s timesheets and one invoice.",
    text: "In thirty minutes we’ll count how many times the same number was typed.",
    action: "Book Your Free Consultation",
  },
} as const satisfies UseCase;
