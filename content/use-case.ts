import type { PageHead } from "./site.ts";
import type { SourceId } from "./sources.ts";
import type { Worksheet } from "./worksheet.ts";

export type UseCase = {
  head: PageHead;
  /** For breadcrumbs and tiles. */
  name: string;
  heading: string;
  lede: string;
  /** The title blocks of the two drawings. */
  drawing: {
    before: readonly TitleBlockEntry[];
    after: readonly TitleBlockEntry[];
  };
  intro: readonly string[];
  today: {
    heading: string;
    entries: readonly { when: string; what: string }[];
  };
  problems: {
    heading: string;
    items: readonly { title: string; text: string }[];
  };
  benefits: {
    heading: string;
    automated: { heading: string; items: readonly string[] };
    person: { heading: string; items: readonly string[] };
  };
  figures: {
    heading: string;
    items: readonly UseCaseFigure[];
  };
  /** The cost of doing nothing, and a worksheet for the reader's own numbers. */
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
  /** Absent if the page has its own schedule or needs none. */
  firstNinetyDays?: {
    heading: string;
    text: string;
    bars: readonly RoadmapBar[];
  };
  outlook: { heading: string; text: readonly string[] };
  closing: { heading: string; text: string; action: string };
};

/** For screen readers. */
export const opensInNewTab = "opens in a new tab";

export const drawingSwitch = { legend: "The drawing shows", before: "Today", after: "After" };

type TitleBlockEntry = { key: string; value: string };

export type UseCaseFigure = {
  value: string;
  label: string;
  /** A figure without a source is the firm's own. */
  source?: SourceId;
};

/** Days count from 1 and include both ends. */
export type RoadmapBar = { task: string; fromDay: number; toDay: number };
