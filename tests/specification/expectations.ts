import type { UseCase } from "#content/use-case.ts";

/** As the specification writes it: upper and lower case count, the kind of apostrophe, dash or space doesn't. */
export type Words = string | RegExp;

/** One line of plain spaces, hyphens and straight quotes, so that only the words are compared. */
export function visibleWords(text: string): string {
  return text
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”]/g, '"')
    .replaceAll(/[‐‑–−]/g, "-")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** The pattern that finds the words in a text that `visibleWords` has made plain. */
export function patternOf(words: Words): RegExp {
  return words instanceof RegExp ? words : new RegExp(RegExp.escape(visibleWords(words)));
}

/** Without `within`, the page's `<main>` must show it. */
export type Expectation = { within?: "header" | "main" | "footer" | "page" } & (
  | { text: Words | readonly Words[] }
  | { lacks: Words }
  /** The words, and after them the day that it is in Toronto. */
  | { datedToday: string }
  | { heading: Words; level?: number }
  | { headings: readonly Words[]; level: number }
  /** `to` is the address as written in the page. */
  | { link: Words; to: Words; inNewTab?: boolean }
  | { notALink: Words }
  /** All links under an address, each once or more. */
  | { linksUnder: string; to: readonly string[] }
  | { button: Words }
  /** One element whose children are these, no more and no fewer; `a … b` has to hold both words. */
  | { rowOf: readonly (Words | readonly Words[])[] }
  /** These one after another, whatever is between them. */
  | { inOrder: readonly Words[] }
  /** A list under a heading, of so many items or of these. */
  | { listUnder: Words; items: readonly Words[] }
  | { breadcrumb: readonly string[] }
  | { field: string; labelled: Words; type?: string; required?: boolean; minHeightPx?: number }
  /** A menu's values and labels; one without a value, which asks to choose, is not counted. */
  | { select: string; options: readonly [value: string, label: string][] }
  /** A menu's labels, every one, in order. */
  | { choices: string; labels: readonly Words[] }
  /** A FAQ: so many questions in the structured data, each with its answer, all of them in the visible text. */
  | { questions: number }
  | { structuredData: string; has?: Record<string, unknown> }
  | { meta: "title" | "description" | "keywords" }
  | { status: number }
);

/** A booking button must open or do this when the page's scripts run. */
export type Behaviour =
  | { bookingButton: Words; opens: "page" | "contact"; atLeast?: number }
  | { everyButtonOpens: "page" }
  | { goesBack: Words }
  | { consoleError: Words };

export type Row = { says: string } & (
  | { shows: Expectation; does?: undefined }
  | { does: Behaviour; shows?: undefined }
);

export type Page = { screen: string; path: string; rows: readonly Row[] };

/** A sentence of the specification, and what the page's HTML must show for it. */
export function shows(says: string, expectation: Expectation): Row {
  return { says, shows: expectation };
}

/** A sentence of the specification, and what the page must do for it in a browser with scripts. */
export function does(says: string, behaviour: Behaviour): Row {
  return { says, does: behaviour };
}

/** The parts that every use case is made of; their wording is not in the specification, so it's the content's own. */
export function partsOfUseCase(useCase: UseCase): Row[] {
  const { intro, problems, benefits, figures, example, outlook, closing } = useCase;
  return [
    shows("Use-case pages: each has keywords", { meta: "keywords" }),
    shows("Use-case pages: an intro", { text: intro }),
    shows("Use-case pages: a problem list", { rowOf: problems.map(({ title }) => title) }),
    shows("Use-case pages: an automation-benefits list", {
      listUnder: benefits.automated.heading,
      items: benefits.automated.items,
    }),
    shows("Use-case pages: ROI stat cards", {
      listUnder: figures.heading,
      items: figures.items.map(({ value = "", label }) => `${value} ${label}`),
    }),
    shows("Use-case pages: an example", { heading: example.heading }),
    shows("Use-case pages: a future outlook", { text: outlook.text }),
    shows("Use-case pages: a call to action", { heading: closing.heading }),
  ];
}
