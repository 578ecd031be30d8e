import type { PageHead } from "./site.ts";
import type { BroughtSumId } from "./worksheet.ts";

/** The lines of a visitor's sheet: what home asks about, and the worksheet that answers. */
export const weekLines: readonly { id: BroughtSumId; label: string }[] = [
  { id: "leads", label: "Missed calls" },
  { id: "content-creation", label: "Writing up finished jobs" },
  { id: "social-media", label: "Posting job photos" },
  { id: "email-management", label: "Sorting the inbox" },
  { id: "client-management", label: "Keeping clients posted" },
  { id: "business-operations", label: "Invoices and payroll" },
  { id: "specialized-agents", label: "Small daily jobs" },
];

export const yourWeek = {
  head: {
    title: "Your Week, Today",
    description:
      "One sheet for the numbers that you wrote on our use cases: what each costs you a year in money and hours. Kept in your browser tab, sent nowhere.",
    path: "/your-week",
  } satisfies PageHead,
  heading: "Your week, today",
  lede: "What your own numbers come to. They stay in this browser tab until you close it, and nothing is sent.",
  empty: "write yours",
  ruler: "Dollars a year",
  together: "Together",
  aYear: (dollars: string) => `${dollars} a year`,
  aWeek: (hours: string) => `${hours} h a week`,
  count: (lines: number) => (lines === 1 ? "1 line" : `${lines} lines`),
  year: "A year here is 50 working weeks, or 12 months.",
  titleBlock: {
    firm: "Firm",
    firmExample: "Yours",
    drawnBy: { key: "Drawn by", value: "you" },
    date: "Date",
    scope: "Scope",
    lines: (lines: number, all: number) => `${lines} of ${all} lines`,
  },
  take: "Take it to the call",
  takeNote: "It opens as a message, for you to read and change. It goes when you press Send.",
  print: "Print",
  clear: "Clear",
  cleared: "The sheet is empty.",
  putBack: "Put it back",
  nothing: "Nothing is written yet. Each line leads to an example sum: write in yours.",
  notKept:
    "This browser keeps nothing between pages, so a sum stays on the page where you write it.",
  withoutScripts:
    "Without scripts nothing can be kept here: each line’s page adds up its own numbers.",
  message: (firm: string, lines: readonly string[], total: string) =>
    `${firm || "Our firm"}, a week today:\n\n${lines.map((line) => `- ${line}`).join("\n")}\n\nTogether: ${total}. I would like to go through this on the call.`,
};
