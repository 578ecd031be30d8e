import type { ReactNode } from "react";
import { callsToAction } from "#content/site.ts";
import { type SourceId, sources } from "#content/sources.ts";
import { drawingSwitch, opensInNewTab, type RoadmapBar, type UseCase } from "#content/use-case.ts";
import styles from "../../drawings/roadmap-chart.css?url";
import { pageMeta, rootFacts } from "../../seo/page-meta.ts";
import { breadcrumbStructuredData, serviceStructuredData } from "../../seo/structured-data.ts";
import { useSiteFacts } from "../../site-facts.ts";
import { tellVisit } from "../../tell-visit.ts";
import { Link } from "../../ui/link.tsx";
import { OwnStyles } from "../../ui/own-styles.tsx";
import { TitleBlock } from "../../ui/title-block.tsx";
import { unbroken } from "../../ui/unbroken.tsx";
import { CalculationSheet } from "../../worksheet/calculation-sheet.tsx";
import { Breadcrumb, ClosingCall, Masthead, SectionHead } from "../page-sections.tsx";
import "../../worksheet/calculation-sheet.css";
import "../breadcrumb.css";
import "./use-case.css";

type UseCasePageProps = {
  useCase: UseCase;
  before: ReactNode;
  after: ReactNode;
  /** The page's own button; `useCase.closing.action` has its label. */
  action: ReactNode;
  /** The page's own sections, between intro and closing call. */
  children: ReactNode;
};

/** The frame that all use-case pages share. */
export function UseCasePage({ useCase, before, after, action, children }: UseCasePageProps) {
  const { closing } = useCase;
  return (
    <>
      <Breadcrumb crumbs={crumbsOfUseCase(useCase)} />
      <Masthead heading={useCase.heading} lede={useCase.lede} />
      <BeforeAndAfter drawing={useCase.drawing} before={before} after={after} />
      <div className="wrap use-case-intro">
        <Paragraphs text={useCase.intro} />
      </div>
      {children}
      <ClosingCall heading={closing.heading} text={closing.text}>
        {action}
      </ClosingCall>
    </>
  );
}

export function crumbsOfUseCase({ name, head }: Pick<UseCase, "name" | "head">) {
  return [
    { name: "Home", path: "/" },
    { name: "Use Cases", path: "/use-cases" },
    { name, path: head.path },
  ];
}

export function headOfUseCase(
  useCase: Pick<UseCase, "name" | "head">,
  matches: Parameters<typeof rootFacts>[0],
) {
  const { settings } = rootFacts(matches);
  return pageMeta(
    {
      ...useCase.head,
      structuredData: [
        serviceStructuredData(
          { name: useCase.head.title, description: useCase.head.description },
          settings,
        ),
        breadcrumbStructuredData(crumbsOfUseCase(useCase), settings.url),
      ],
    },
    settings,
  );
}

/** Opens the scheduling page in a new tab (specification, section 2, client-management). */
export function BookingLink({ children }: { children: ReactNode }) {
  const { scheduling } = useSiteFacts().settings;
  return (
    <a
      className="button button-ink"
      href={scheduling.url}
      target="_blank"
      rel="noopener"
      onClick={() => tellVisit("booking")}
    >
      {children}
      <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
        <path d="M3 11 11 3M5 3h6v6" fill="none" stroke="currentColor" strokeWidth="2" />
      </svg>
      <span className="sr-only">({opensInNewTab})</span>
    </a>
  );
}

export function HeadedText({ className = "beside", heading, text }: HeadedTextProps) {
  return (
    <div className={className}>
      <h2>{heading}</h2>
      <div>
        {text.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </div>
    </div>
  );
}

type HeadedTextProps = { className?: string; heading: string; text: readonly string[] };

/** The page's line leaves the margin, tangles beside the day's log and returns. */
function Tangle() {
  return (
    <svg className="tangle" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
      <path d="M0 0V54C0 66 34 64 42 58 50 50 34 47 30 56 26 68 60 78 72 68 82 58 66 50 60 60 52 74 92 82 88 68 84 58 20 62 22 76 26 90 70 84 62 76 52 70 40 84 52 88 66 92 0 82 0 94V100" />
    </svg>
  );
}

type TodayProps = UseCase["today"] & {
  /** A class for the page's own styles. */
  form?: string;
};

/** The working day today, by the clock. */
export function Today({ heading, entries, form = "" }: TodayProps) {
  return (
    <section className={`section section-tight today ${form}`}>
      <div className="wrap beside">
        <h2>{unbroken(heading)}</h2>
        <Tangle />
        <DayLog entries={entries} />
      </div>
    </section>
  );
}

function DayLog({ entries }: Pick<UseCase["today"], "entries">) {
  return (
    <ol className="log">
      {entries.map(({ when, what }) => (
        <li key={when}>
          <span className="lettering">{when}</span>
          <p>{what}</p>
        </li>
      ))}
    </ol>
  );
}

export function Problems({ heading, items }: UseCase["problems"]) {
  return (
    <section className="section section-tight">
      <div className="wrap">
        <h2>{heading}</h2>
        <ProblemList items={items} />
      </div>
    </section>
  );
}

function ProblemList({ items }: Pick<UseCase["problems"], "items">) {
  return (
    <ul className="problem-list">
      {items.map(({ title, text }) => (
        <li key={title}>
          <h3>{title}</h3>
          <p>{unbroken(text)}</p>
        </li>
      ))}
    </ul>
  );
}

type TodayAndProblemsProps = Pick<UseCase, "today" | "problems"> & {
  /** A class for the page's own styles. */
  form: string;
};

/** The day and its problems side by side. */
export function TodayAndProblems({ today, problems, form }: TodayAndProblemsProps) {
  return (
    <section className="section section-tight today">
      <div className={`wrap ${form}`}>
        <div>
          <h2>{today.heading}</h2>
          <Tangle />
          <DayLog entries={today.entries} />
        </div>
        <div>
          <h2>{problems.heading}</h2>
          <ProblemList items={problems.items} />
        </div>
      </div>
    </section>
  );
}

type MeasuredFiguresProps = UseCase["figures"] & {
  /** A class for the page's own styles. */
  form?: string;
};

/** Figures, each with its published source if it has one. */
export function MeasuredFigures({ heading, items, form = "" }: MeasuredFiguresProps) {
  return (
    <section className="section section-tight">
      <div className={`wrap ${form}`}>
        <h2>{heading}</h2>
        <FigureList items={items} />
      </div>
    </section>
  );
}

export function FigureList({ items }: Pick<UseCase["figures"], "items">) {
  return (
    <ul className="figures">
      {items.map(({ value, label, source }) => (
        <li key={value + label}>
          <b>{value}</b>
          <p>{unbroken(label)}</p>
          {source && (
            <p className="figure-source">
              <Citation id={source} />
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

function Citation({ id }: { id: SourceId }) {
  const { publisher, title, year, detail, url } = sources[id];
  return (
    <>
      {publisher}, {url ? <a href={url}>“{title}”</a> : `“${title}”`}
      {year && `, ${year}`}: {unbroken(detail)}
    </>
  );
}

export function ProblemsAndFigures({ problems, figures }: Pick<UseCase, "problems" | "figures">) {
  return (
    <section className="section section-tight">
      <div className="wrap problems-and-figures">
        <div>
          <h2>{problems.heading}</h2>
          <ProblemList items={problems.items} />
        </div>
        <div>
          <h2>{figures.heading}</h2>
          <FigureList items={figures.items} />
        </div>
      </div>
    </section>
  );
}

export function Example({ heading, text, results }: UseCase["example"]) {
  return (
    <section className="section section-tight">
      <div className="wrap">
        <div className="sheet example">
          <div className="example-words">
            <h2>{heading}</h2>
            <Paragraphs text={text} />
          </div>
          <ExampleResults results={results} />
        </div>
      </div>
    </section>
  );
}

function ExampleResults({ results }: Pick<UseCase["example"], "results">) {
  return (
    <dl className="example-results">
      {results.map(({ value, label }) => (
        <div key={label}>
          <dt>{unbroken(label)}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Paragraphs({ text }: { text: readonly string[] }) {
  return text.map((paragraph) => <p key={paragraph}>{unbroken(paragraph)}</p>);
}

type FiguresAndExampleProps = Pick<UseCase, "figures" | "example"> & {
  /** A class for the page's own styles. */
  form: string;
  /** Between the example's text and its results. */
  children?: ReactNode;
};

export function FiguresAndExample({ figures, example, form, children }: FiguresAndExampleProps) {
  return (
    <section className="section section-tight">
      <div className={`wrap ${form}`}>
        <div>
          <h2>{figures.heading}</h2>
          <FigureList items={figures.items} />
        </div>
        <div>
          <h2>{example.heading}</h2>
          <Paragraphs text={example.text} />
          {children}
          <ExampleResults results={example.results} />
        </div>
      </div>
    </section>
  );
}

type BeforeAndAfterProps = {
  drawing: UseCase["drawing"];
  before: ReactNode;
  after: ReactNode;
};

/**
 * Two drawings on one sheet, before and after. On a phone two radio buttons switch between them; in print and in old
 * browsers both show.
 */
export function BeforeAndAfter({ drawing, before, after }: BeforeAndAfterProps) {
  return (
    <div className="wrap before-and-after-wrap">
      <div className="sheet before-and-after">
        <fieldset className="drawing-switch">
          <legend className="sr-only">{drawingSwitch.legend}</legend>
          <label>
            <input type="radio" name="drawing" defaultChecked />
            {drawingSwitch.before}
          </label>
          <label>
            <input type="radio" name="drawing" className="drawing-after" />
            {drawingSwitch.after}
          </label>
        </fieldset>
        <figure>
          {before}
          <TitleBlock entries={drawing.before} />
        </figure>
        <figure>
          {after}
          <TitleBlock entries={drawing.after} />
        </figure>
      </div>
    </div>
  );
}

/** What the machine does, and what a person still does. */
export function Benefits({ heading, automated, person }: UseCase["benefits"]) {
  return (
    <section className="section blueprint on-dark">
      <div className="wrap">
        <h2>{heading}</h2>
        <div className="division">
          <Side {...automated} />
          <Side {...person} />
        </div>
      </div>
    </section>
  );
}

function Side({ heading, items }: { heading: string; items: readonly string[] }) {
  return (
    <div>
      <h3>{heading}</h3>
      <ul>
        {items.map((item) => (
          <li key={item}>{unbroken(item)}</li>
        ))}
      </ul>
    </div>
  );
}

/** The cost of doing nothing, and its worksheet. On a phone a button follows, because the next one is screens away. */
export function Cost({ heading, text, worksheet }: UseCase["cost"]) {
  return (
    <section className="section section-tight">
      <div className="wrap cost">
        <div>
          <h2>{heading}</h2>
          <Paragraphs text={text} />
        </div>
        {worksheet && <CalculationSheet {...worksheet} />}
        <Link className="button button-primary after-worksheet" to={callsToAction.audit.path}>
          {callsToAction.audit.label}
        </Link>
      </div>
    </section>
  );
}

export function FirstNinetyDays({ heading, text, bars }: NonNullable<UseCase["firstNinetyDays"]>) {
  return (
    <section className="section section-tight">
      <div className="wrap">
        <SectionHead heading={heading} text={text} />
        <RoadmapChart bars={bars} />
      </div>
    </section>
  );
}

export function Outlook(outlook: UseCase["outlook"]) {
  return (
    <section className="section section-tight">
      <HeadedText className="wrap beside outlook" {...outlook} />
    </section>
  );
}

const days = 90;
const daysMarked = [1, 30, 60, 90] as const;

function percentOf(daysWide: number): string {
  return `${((daysWide / days) * 100).toFixed(3)}%`;
}

/** Ninety days as a bar chart: a row per task. */
function RoadmapChart({ bars }: { bars: readonly RoadmapBar[] }) {
  return (
    <div className="roadmap">
      <OwnStyles href={styles} />
      <div className="roadmap-scale" aria-hidden="true">
        {daysMarked.map((day) => (
          <span key={day}>{day}</span>
        ))}
      </div>
      <ul>
        {bars.map(({ task, fromDay, toDay }) => (
          <li key={task}>
            <span className="roadmap-task">{task}</span>
            <span className="roadmap-days lettering">{`day ${fromDay} to ${toDay}`}</span>
            {/* SVG attributes, because the security policy forbids style attributes. */}
            <svg className="roadmap-track" aria-hidden="true">
              <svg
                x={percentOf(fromDay - 1)}
                width={percentOf(toDay - fromDay + 1)}
                aria-hidden="true"
              >
                <rect />
              </svg>
            </svg>
          </li>
        ))}
      </ul>
    </div>
  );
}
