import type { PageHead } from "./site.ts";
import type { SourceId } from "./sources.ts";

export type UseCase = {
  head: PageHead;
  name: string;
  /** The service's name for search engines. */
  service: string;
  heading: string;
  lede: string;
  drawing: {
    before: readonly TitleBlockEntry[];
    after: readonly TitleBlockEntry[];
  };
  intro: string;
  problems: {
    heading: string;
    items: readonly { title: string; text: string }[];
  };
  figures: {
    heading: string;
    items: readonly UseCaseFigure[];
  };
  benefits: {
    heading: string;
    automated: { heading: string; items: readonly string[] };
    person: { heading: string; items: readonly string[] };
  };
  /** The cost of doing nothing. */
  cost: { heading: string; text: string };
  worksheet?: Worksheet;
  example: {
    heading: string;
    text: string;
    results: readonly { value: string; label: string }[];
  };
  process?: { heading: string; items: readonly { title: string; text: string }[] };
  /** A small firm's advantage over a large one. */
  edge?: { heading: string; text: string };
  outlook: { heading: string; text: string };
  /** `note` says what the button books, where its words promise more than the call. */
  closing: { heading: string; text: string; action: string; note?: string };
  /** Addresses of the two nearest use cases. */
  next: readonly [string, string];
};

/** A sum with example numbers, which visitors replace with their own. */
export type Worksheet = {
  id: string;
  /** Each line's factors are multiplied; the lines are added. */
  lines: readonly { what: string; factors: readonly WorksheetFactor[] }[];
  /** The sum's name, such as `Every week`. */
  total: string;
  /** The sentence for a message to the firm; `#` is the sum. */
  message: string;
};

export type WorksheetFactor = {
  /** The displayed text; `#` is the number. */
  text: string;
  value: number;
  name: string;
  /** The factor per unit: 1/60 for minutes at an hourly rate. */
  worth?: number;
  /** The number divides, as in `1 in 5`. */
  divides?: true;
};

export const worksheetWords = {
  caption: "Example numbers. Strike them out and write in yours.",
  noNumber: "Write a number.",
  addUp: "Add it up",
  bring: "Talk this number over",
  message: (sum: string) => `${sum} I would like to talk about that.`,
};

export const nextUseCases = {
  heading: "Goes with",
  overview: "All seven use cases",
};

export const callNote = "A call of 30 minutes, free.";

/** For screen readers. */
export const opensInNewTab = "opens in a new tab";

export const drawingSwitch = { legend: "The drawing shows", before: "Today", after: "After" };

type TitleBlockEntry = { key: string; value: string };

export type UseCaseFigure = {
  /** The position on the strip's own axis, if it has one. */
  at?: string;
  /** A number with its unit. A gain without a number is a word here, and is shown as one. */
  value: string;
  label: string;
  source?: SourceId;
};
