import type { PageHead } from "../site.ts";

/** When the Construction Act was last read against what the rulers say, and as it stood on which day. */
const checked = "Checked in November 2026, as consolidated from January 1, 2026.";

export const rulers = {
  head: {
    title: "Ontario’s Rulers: Invoice, Estimate, Lien Dates",
    description:
      "Three rulers for Ontario trades: when a proper invoice is due, how far a bill may pass its estimate, and when lien rights end and holdback is paid.",
    path: "/rulers",
  } satisfies PageHead,
  heading: "Ontario’s rulers",
  lede: "Three measures that the law fixes and a job forgets. Write in your dates: each makes a file for your calendar, and nothing you write is kept.",
  measure: "Measure",
  example: "An example. Write in yours.",
  calendar: "Add to your calendar",
  noDate: "Write a date between 2000 and 2099.",
  noNumber: "Write an amount.",
  shortAdvice: "No legal advice.",
  noAdvice:
    "No legal advice: a contract, a holiday or a step you don’t see here can move a date. Ask a lawyer before you rely on one.",

  invoice: {
    id: "proper-invoice",
    from: { label: "Why the days count", path: "/use-cases/business-operations" },
    title: "A proper invoice",
    text: "Starts on the day the owner receives it. The holdback of ten per cent waits. An invoice that a subcontractor sends follows its own clock.",
    fields: {
      received: "The owner received it on",
      amount: "Amount without the holdback, in dollars",
      rate: "Interest in your contract, per cent a year",
    },
    marks: {
      objection:
        "Last day for the owner to object in writing; after it, the invoice counts as proper",
      notice: "Last day for the owner’s notice of non-payment",
      due: "Payment due",
      interest: "Interest from this day",
    },
    interest: (dollars: string) =>
      `${dollars} a day at your contract’s rate, or more if the courts’ prejudgment rate is higher`,
    courtRate: "at the courts’ prejudgment rate, or your contract’s if that is higher",
    shown: {
      from2026: "The objection within seven days is the rule since January 1, 2026.",
      before2026:
        "Received before January 1, 2026: then an invoice with a fault wasn’t proper, whether or not the owner objected. So no seventh day is marked.",
      none: "Received before October 1, 2019, when these rules began. Your contract alone says when it is due.",
    },
    limit:
      "The rules cover contracts entered into since October 1, 2019, unless the owner’s tender began before that day.",
    law: "Construction Act, R.S.O. 1990, c. C.30, sections 6.1, 6.2, 6.4, 6.9, 87.3 and 87.4.",
    checked,
  },

  estimate: {
    id: "estimate",
    from: { label: "How a change gets signed", path: "/use-cases/client-management" },
    title: "Ten per cent over an estimate",
    text: "Where a homeowner’s contract includes an estimate, the bill may pass it by ten per cent. Something more or different that the client asks for and agrees to amends the estimate: add it to the first field.",
    fields: {
      estimate: "Estimate, in dollars, agreed changes included",
      extras: "Extras nobody signed, in dollars, such as 450, 300",
      billed: "The final bill goes out on",
    },
    cap: "The most you may bill",
    room: "Room over the estimate",
    extra: (number: number) => `After extra ${number}`,
    left: (dollars: string) => `${dollars} left`,
    over: (dollars: string) =>
      `${dollars} over: billed, it lets the client insist on the estimate itself`,
    event: (dollars: string) => `Final bill: at most ${dollars} without a signed change`,
    shown:
      "This is the Consumer Protection Act, 2002. The Act of 2023 will replace it and was not yet in force: until it is proclaimed, this ruler stands.",
    law: "Consumer Protection Act, 2002, S.O. 2002, c. 30, Sched. A, section 10.",
    checked: "Checked in November 2026, as consolidated from December 11, 2025.",
  },

  lien: {
    id: "holdback-and-lien",
    from: { label: "How a date is kept", path: "/use-cases/business-operations" },
    title: "Holdback and lien",
    text: "A contractor’s days run from the earlier of two: a certificate of substantial performance is published, or the contract is completed, abandoned or terminated. For work after that certificate the second alone counts. A subcontractor’s may run out sooner, from the last day of supply.",
    fields: {
      contract: "The owner and the contractor signed on",
      ends: "Published, completed or terminated, the first of them, on",
    },
    marks: {
      preserve: "Last day to preserve a lien",
      perfect: "Last day to perfect it, however early it was preserved",
    },
    annual: "Yearly release of holdback",
    annualMarks: {
      anniversary: "first anniversary that counts",
      notice: "last day for the owner to publish the notice",
      earliest: "first day of payment, if published on that last day",
      latest: "last day of payment then",
    },
    shown: {
      now: "Contract since January 1, 2026: holdback is released every year, unless a lien stands in the way.",
      transition:
        "Contract from before January 1, 2026: the yearly release begins with the second anniversary after that day, and takes in all holdback until then, unless a lien stands in the way.",
      old: "Contract from before July 1, 2018: the Construction Lien Act as it was, with 45 days for each step and no yearly release. A tender or a lease from before that day can have the same effect.",
    },
    law: "Construction Act, R.S.O. 1990, c. C.30, sections 22, 26, 31, 36, 87.3 and 87.4.",
    checked,
  },
} as const;

/** Beside what a use case says of the same law. */
export const rulerLinks: Partial<Record<string, readonly { label: string; path: string }[]>> = {
  "/use-cases/business-operations": [
    { label: "Measure when an invoice is due", path: `/rulers#${rulers.invoice.id}` },
    { label: "Measure lien and holdback days", path: `/rulers#${rulers.lien.id}` },
  ],
  "/use-cases/client-management": [
    { label: "Measure the ten per cent over an estimate", path: `/rulers#${rulers.estimate.id}` },
  ],
};
