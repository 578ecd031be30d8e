import type { PageHead } from "./page-head.ts";
import type { SourceId } from "./sources.ts";
import type { Worksheet } from "./worksheet.ts";

/** The words of one use-case page. Each page gives them the form that its subject has. */
export type UseCase = {
  head: PageHead;
  /** The page's short name, for breadcrumbs and tiles. */
  name: string;
  heading: string;
  lede: string;
  /** What the drawing's title blocks say under the two halves. */
  drawing: {
    before: readonly TitleBlockEntry[];
    after: readonly TitleBlockEntry[];
  };
  intro: readonly string[];
  /** What the day or the week looks like today, by the clock. */
  today: {
    heading: string;
    entries: readonly { when: string; what: string }[];
  };
  problems: {
    heading: string;
    items: readonly { title: string; text: string }[];
  };
  /** What automation takes on, and what stays with a person. */
  benefits: {
    heading: string;
    automated: { heading: string; items: readonly string[] };
    person: { heading: string; items: readonly string[] };
  };
  figures: {
    heading: string;
    items: readonly UseCaseFigure[];
  };
  /** What it costs to leave things as they are, with the sum written out for the reader to redo. */
  cost: {
    heading: string;
    text: readonly string[];
    worksheet?: Worksheet;
  };
  example: {
    heading: string;
    text: readonly string[];
    results: readonly { value: string; label: string }[];
  };
  /** Where a page has a schedule of its own, or its subject needs none, there is no chart. */
  firstNinetyDays?: {
    heading: string;
    text: string;
    bars: readonly RoadmapBar[];
  };
  outlook: { heading: string; text: readonly string[] };
  closing: { heading: string; text: string; action: string };
};

/** Said, to screen readers, of a link that leaves this tab. */
export const opensInNewTab = "opens in a new tab";

/** Which of the two drawings a phone shows. */
export const drawingSwitch = { legend: "The drawing shows", before: "Today", after: "After" };

type TitleBlockEntry = { key: string; value: string };

export type UseCaseFigure = {
  value: string;
  label: string;
  /** Who published it; a figure without one is the firm's own and stands alone. */
  source?: SourceId;
};

/** A stretch of work on the 90-day chart; days count from 1, both ends included. */
export type RoadmapBar = { task: string; fromDay: number; toDay: number };
