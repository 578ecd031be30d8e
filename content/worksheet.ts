/** A sum with example numbers, which the reader strikes out to write in their own. */
export type Worksheet = {
  id: WorksheetId;
  /** Each line's factors are multiplied; the lines are added. */
  lines: readonly WorksheetLine[];
  /** What the sum is called: `Every week`. */
  total: string;
};

type WorksheetLine = { what: string; factors: readonly WorksheetFactor[] };

export type WorksheetFactor = {
  /** As it is lettered; `#` stands for the number. */
  text: string;
  /** The example. */
  value: number;
  /** What the number counts, for who hears the field and doesn't see it. */
  name: string;
  /** What one of it is worth in the sum: 1/60 for minutes at a rate by the hour. */
  worth?: number;
  /** The number divides, as in `1 in 5`. */
  divides?: true;
};

type WorksheetId = Exclude<BroughtSumId, "audit">;

export type BroughtSumId = keyof typeof broughtSums;

/** What a sum says in the message that it is brought in; `#` stands for it. */
export const broughtSums = {
  leads: "I worked out what missed leads cost us: # a week.",
  "business-operations": "I worked out what typing numbers twice costs us: # a year.",
  "client-management": "I worked out what late updates and lost extras cost us: # a year.",
  "content-creation": "I worked out what our invisible jobs cost us: # a year.",
  "email-management": "I worked out what our inbox costs us: # a year.",
  "social-media": "I worked out what our social media costs us: # a year.",
  "specialized-agents": "I worked out what small daily jobs cost us: # a month.",
  audit: "If I had to name a price for the audit today, it would be #.",
} as const;

export const worksheetWords = {
  caption: "Example numbers. Strike them out and write in yours.",
  /** Said of a field that holds no number. */
  noNumber: "Write a number.",
  /** Null while there is no sum. */
  bring: (sum: string | null) => (sum ? `Bring this ${sum} to the call` : "Bring this to the call"),
  message: (id: BroughtSumId, sum: string) =>
    `${broughtSums[id].replace("#", () => sum)} I would like to talk about that.`,
};
