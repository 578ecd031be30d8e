import type { PageHead } from "./site.ts";
import type { SourceId } from "./sources.ts";
import { workingWeeks } from "./use-case.ts";

/** A whole audit for a firm that doesn't exist: what a client gets. */
export const sampleAudit = {
  head: {
    title: "A Whole Sample Audit, Four Sheets",
    description:
      "What an automation audit looks like: ROI analysis, benchmarking, roadmap and workflow design for an example electrical firm of four, with its working shown.",
    path: "/sample-audit",
  } satisfies PageHead,
  name: "Sample audit",
  heading: "A whole audit, to read",
  lede: "Four sheets for Example Electric, a firm of four that we made up. Blue is what comes back; orange is what it takes.",
  mark: "Example",
  client: "Example Electric, four people",
  print: "Keep it as a four-page PDF",
  pdf: "/sample-audit.pdf",
  closing: { heading: "Yours would have your numbers." },

  /** On home and pricing. */
  onHome: "See a sample page",
  onSheet: "Sample audit, A-1",
  whole: "Read the whole audit",
  onPricing: {
    heading: "Read one before you set a price",
    /** Between the two, the least and the most. */
    text: ["In the sample audit, a build cost", "(example)."],
  },

  /** In dollars an hour. */
  hourly: 45,

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
      says: "Within a minute: 391% more conversions",
      source: "velocifyFirstMinute",
    },
    {
      what: "Web form to first call",
      hours: 7,
      beside: 1,
      says: "Within the hour: nearly 7 times as many real conversations as an hour later",
      source: "harvardShortLife",
    },
    {
      what: "Site visit to quote",
      hours: 96,
      beside: 48,
      says: "The firm’s own best month; no published figure we’d trust",
      source: null,
    },
    {
      what: "Closed job to invoice",
      hours: 216,
      beside: 72,
      says: "The firm’s own best month; no published figure we’d trust",
      source: null,
    },
  ] as readonly {
    what: string;
    hours: number;
    beside: number;
    says: string;
    source: SourceId | null;
  }[],

  /** The workflow's boxes, in the order in which the drawing numbers them. */
  flow: [
    { name: "Missed call", rule: "Any call not picked up after 20 seconds, day or night." },
    { name: "Text back", rule: "Within 60 seconds, in the owner’s words, from the firm’s number." },
    {
      name: "One question",
      rule: "“Is it sparking now?” No price, no promise, no second question.",
    },
    {
      name: "Owner’s phone",
      rule: "Rings for “yes”, for “smoke”, and for anyone who asks for a person.",
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

  sheets: [
    {
      id: "A-1",
      name: "ROI Analysis",
      title: "What each automation returns",
      note: "Hours a week × $45 × 48 weeks = saved. Build ÷ (saved − run) × 12 = months until it has paid for itself.",
    },
    { id: "A-2", name: "Benchmarking", title: "Your times, and faster ones" },
    {
      id: "A-3",
      name: "Roadmap",
      title: "Ninety days, quickest payback first",
      note: "Hours are per week. By day 49 (orange line), nine should be saved; if it’s under six, we stop and find out why before building more.",
    },
    { id: "A-4", name: "Workflow Design", title: "A missed call, ready to build" },
  ],
} as const;

export function automationRows() {
  return sampleAudit.automations.map((automation) => {
    const { hours, build, run } = automation;
    const saved = hours * sampleAudit.hourly * workingWeeks;
    return { ...automation, saved, months: (build / (saved - run)) * 12 };
  });
}
