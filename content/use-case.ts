import type { PageHead } from "./site.ts";
import type { SourceId } from "./sources.ts";

type Titled = { title: string; text: string };

export type UseCase = {
  head: PageHead;
  name: string;
  /** The service's name for search engines. */
  service: string;
  heading: string;
  intro: string;
  /** The result, for the drawings' title blocks; absent with a drawing of another kind. */
  drawing?: { before: string; after: string };
  problems: readonly [Titled, Titled];
  figures: {
    heading: string;
    items: readonly UseCaseFigure[];
  };
  benefits: {
    heading: string;
    automated: { heading: string; items: readonly string[] };
    person: { heading: string; items: readonly string[] };
  };
  cost?: Worksheet;
  example: {
    heading: string;
    text: string;
    results: readonly { value: string; label: string }[];
    /** The same in the other trades. */
    elsewhere?: readonly { who: string; text: string }[];
  };
  outlook: { text: string };
  /** `note` says what the button books, where its words promise more than the call. */
  closing: { heading: string; text: string; action: string; note?: string };
  /** The address of the use case to read after this one. */
  next: string;
};

/** Every sum on the site counts so many weeks a year. */
export const workingWeeks = 48;

/** A yearly sum with example numbers, which visitors replace with their own: the product of its factors. */
export type Worksheet = {
  id: string;
  heading: string;
  factors: readonly WorksheetFactor[];
  /** The sentence for a message to the firm; `#` is the sum. */
  message: string;
};

type WorksheetFactor = {
  /** The displayed text; `#` is the number. */
  text: string;
  value: number;
  name: string;
  /** The number divides, as in `1 in 5`. */
  divides?: true;
};

export const worksheetWords = {
  noNumber: "Write a number.",
  year: "A year",
  bring: "Talk this number over",
  message: (sum: string) => `${sum} Can we talk about that?`,
};

export const nextUseCase = "Next:";

export const callNote = "A free 30-minute call.";

/** For screen readers. */
export const opensInNewTab = "opens in a new tab";

export const drawingSwitch = { legend: "The drawing shows", before: "Today", after: "After" };

export type UseCaseFigure = {
  /** The position on the strip's own axis, if it has one. */
  at?: string;
  /** A number with its unit; a gain without a number is a label alone. */
  value?: string;
  label: string;
  source?: SourceId;
};
