import type { PageHead } from "./site.ts";
import type { SourceId } from "./sources.ts";

/** A whole audit for a firm that doesn't exist: what a client gets, with every working shown. */
export const sampleAudit = {
  head: {
    title: "A Whole Sample Audit, Eight Sheets",
    description:
      "What an automation audit looks like: ROI analysis, benchmarking, roadmap and workflow design for an example plumbing firm of four, with every working shown.",
    path: "/sample-audit",
  } satisfies PageHead,
  name: "Sample audit",
  heading: "A whole audit, to turn over",
  lede: "Eight sheets for Example Plumbing, four people. There is no such firm: each figure is an example, or names its source. Yours would have your numbers.",
  firm: "Example Plumbing, four people",
  mark: "Example",
  figures: "Examples, unless a source is named",
  print: "Keep it as a PDF, eight pages",
  pdf: "/sample-audit.pdf",
  keys: { drawing: "Drawing", firm: "For", sheet: "Sheet", figures: "Figures" },
  back: { label: "Back to the prices", path: "/pricing" },

  /** On the pricing page: four summaries, and the price that waits for the fourth. */
  onPricing: {
    heading: "Read one before you write a price",
    text: "Turn the four sheets of a sample audit. The price line of yours is blank until you have.",
    /** The price that waits, and the sheet that sums up each document. */
    card: "audit",
    sheets: ["a-1-2", "a-2-1", "a-3-1", "a-4-1"],
    whole: "Read all eight sheets",
    write: "Now write your price",
    blank: "Blank until you’ve turned A-4, below.",
    label: "What would it be worth to you, in dollars?",
    after:
      "That’s how it works: you read, then you write the number. It stays on this page and goes nowhere.",
  },

  /** In dollars an hour, and working weeks a year. */
  hourly: 45,
  weeks: 48,

  /** Where the hours go: how often a week, and minutes each. */
  work: [
    { what: "Calling back missed calls", times: 25, minutes: 6 },
    { what: "Typing quotes from site notes", times: 12, minutes: 40 },
    { what: "Chasing quotes", times: 12, minutes: 10 },
    { what: "Booking and reminder texts", times: 40, minutes: 6 },
    { what: "Invoices from job sheets", times: 15, minutes: 20 },
    { what: "Matching supplier statements", times: 1, minutes: 90 },
  ],

  /** Quickest payback first. Hours saved a week, the cost to build, the cost to run a year, the days it is built in. */
  automations: [
    { what: "Text back a missed call", hours: 2, build: 1240, run: 600, fromDay: 1, toDay: 7 },
    { what: "Reminder texts", hours: 3, build: 2400, run: 480, fromDay: 15, toDay: 28 },
    { what: "Invoice on the closing day", hours: 4, build: 4000, run: 640, fromDay: 36, toDay: 49 },
    { what: "Follow up a quiet quote", hours: 1.5, build: 1500, run: 240, fromDay: 57, toDay: 63 },
    { what: "Quote from site notes", hours: 5, build: 6000, run: 1200, fromDay: 77, toDay: 90 },
  ],

  /** In hours; measured in the firm, and the shorter time beside it. */
  times: [
    {
      what: "Missed call to first reply",
      hours: 3,
      beside: 1 / 60,
      says: "within a minute: 391% more conversions",
      source: "velocifyFirstMinute",
    },
    {
      what: "Web form to first call",
      hours: 7,
      beside: 1,
      says: "within the hour: nearly 7 times as many real conversations as an hour later",
      source: "harvardShortLife",
    },
    {
      what: "Site visit to quote",
      hours: 96,
      beside: 48,
      says: "the firm’s own best month; no published figure we’d trust",
      source: null,
    },
    {
      what: "Closed job to invoice",
      hours: 216,
      beside: 72,
      says: "the firm’s own best month; no published figure we’d trust",
      source: null,
    },
  ] as readonly {
    what: string;
    hours: number;
    beside: number;
    says: string;
    source: SourceId | null;
  }[],

  gap: {
    newCallers: 10,
    hiredSoon: 5,
    hiredLate: 10,
    job: 420,
    billedMonthly: 45_000,
    daysLate: 6,
    interest: 8,
  },

  /** The workflow's boxes, in the order in which the drawing numbers them. */
  flow: [
    { name: "Missed call", rule: "Any call not picked up after 20 seconds, day or night." },
    { name: "Text back", rule: "Within 60 seconds, in the owner’s words, from the firm’s number." },
    {
      name: "One question",
      rule: "“Is water running now?” No price, no promise, no second question.",
    },
    {
      name: "Owner’s phone",
      rule: "Rings for “yes”, for “gas”, and for anyone who asks for a person.",
    },
    {
      name: "Two openings",
      rule: "For everyone else: the next two in the calendar, with drive time.",
    },
    {
      name: "Calendar",
      rule: "The visit, the address and the answer; a reminder the evening before.",
    },
  ],
  tests: [
    {
      what: "Twenty test calls, four of them at night",
      pass: "20 of 20 answered within 60 seconds",
    },
    { what: "Five calls about running water", pass: "5 of 5 ring the owner" },
    { what: "Five that ask for a price", pass: "0 of 5 are given one" },
    { what: "One week beside the old way", pass: "No caller heard from neither" },
  ],

  sheets: [
    { id: "a-1-1", document: "A-1", name: "ROI Analysis", title: "Where the hours go" },
    { id: "a-1-2", document: "A-1", name: "ROI Analysis", title: "What each automation returns" },
    { id: "a-2-1", document: "A-2", name: "Benchmarking", title: "Your times, and shorter ones" },
    { id: "a-2-2", document: "A-2", name: "Benchmarking", title: "What the gap costs" },
    { id: "a-3-1", document: "A-3", name: "Roadmap", title: "Ninety days, quickest payback first" },
    { id: "a-3-2", document: "A-3", name: "Roadmap", title: "Hours back, day by day" },
    {
      id: "a-4-1",
      document: "A-4",
      name: "Workflow Design",
      title: "A missed call, drawn to build",
    },
    {
      id: "a-4-2",
      document: "A-4",
      name: "Workflow Design",
      title: "Its rules, and how they’re tested",
    },
  ],

  working: {
    work: "A week × minutes ÷ 60 = hours; hours × $45 × 48 weeks = a year. Timed with a watch for two weeks.",
    automations:
      "Hours × $45 × 48 weeks = saved. Build ÷ (saved − run) × 12 = months until it has paid for itself.",
    gap: "Counted from the phone’s log and the last ninety invoices.",
    roadmap:
      "If fewer than six of the nine hours are back on day 49, stop and look again before anything else is built.",
    callers: "Callers lost to a late reply",
    money: "Money out for late invoices",
  },
} as const;

/** Dollars a year for hours a week. */
function perYear(hoursPerWeek: number): number {
  return hoursPerWeek * sampleAudit.hourly * sampleAudit.weeks;
}

export function workRows() {
  return sampleAudit.work.map(({ what, times, minutes }) => {
    const hours = (times * minutes) / 60;
    return { what, times, minutes, hours, dollars: perYear(hours) };
  });
}

export function automationRows() {
  let hoursByThen = 0;
  return sampleAudit.automations.map((automation) => {
    const { hours, build, run } = automation;
    const saved = perYear(hours);
    hoursByThen += hours;
    return { ...automation, saved, months: (build / (saved - run)) * 12, hoursByThen };
  });
}

/** What the gap costs a year, in dollars. */
export function gapCosts() {
  const { newCallers, hiredSoon, hiredLate, job, billedMonthly, daysLate, interest } =
    sampleAudit.gap;
  return {
    callers: newCallers * (1 / hiredSoon - 1 / hiredLate) * job * sampleAudit.weeks,
    money: (billedMonthly * daysLate * interest) / 30 / 100,
  };
}
