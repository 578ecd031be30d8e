/** A sum with example numbers, which readers replace with their own. */
export type Worksheet = {
  id: BroughtSumId;
  /** The time that the sum is for. */
  per: keyof typeof timesInYear;
  /** Each line's factors are multiplied; the lines are added. */
  lines: readonly WorksheetLine[];
  /** The sum's name, such as `Every week`. */
  total: string;
};

type WorksheetLine = { what: string; factors: readonly WorksheetFactor[] };

export type WorksheetFactor = {
  /** The displayed text; `#` is the number. */
  text: string;
  value: number;
  name: string;
  /** The factor per unit: 1/60 for minutes at an hourly rate. */
  worth?: number;
  /** The number divides, as in `1 in 5`. */
  divides?: true;
  /** What an hour costs: the line's other factors are hours. */
  hourly?: true;
};

/** A year's working weeks, and its months. */
export const timesInYear = { week: 50, month: 12, year: 1 } as const;

export type BroughtSumId = keyof typeof broughtSums;

/** The message that a sum begins; `#` is the sum. */
export const broughtSums = {
  leads: "I worked out what missed leads cost us: # a week.",
  "business-operations": "I worked out what typing numbers twice costs us: # a year.",
  "client-management": "I worked out what late updates and lost extras cost us: # a year.",
  "content-creation": "I worked out what our invisible jobs cost us: # a year.",
  "email-management": "I worked out what our inbox costs us: # a year.",
  "social-media": "I worked out what our social media costs us: # a year.",
  "specialized-agents": "I worked out what small daily jobs cost us: # a month.",
} as const;

export const worksheetWords = {
  caption: (trade?: string) =>
    `Example numbers${trade ? ` (${trade})` : ""}. Strike them out and write in yours.`,
  noNumber: "Write a number.",
  addUp: "Add it up",
  sheet: "See your week on one sheet",
  bring: "Talk this number over",
  message: (id: BroughtSumId, sum: string) =>
    `${broughtSums[id].replace("#", () => sum)} I would like to talk about that.`,
};
