import type { ComponentType, ReactNode } from "react";
import { pageWords } from "#content/own-words.ts";
import { useCases } from "#content/pages/use-cases.ts";
import { sources } from "#content/sources.ts";
import { team } from "#content/team.ts";
import {
  callNote,
  drawingSwitch,
  nextUseCase,
  opensInNewTab,
  type UseCase,
  type UseCaseFigure,
} from "#content/use-case.ts";
import { Thumbnail } from "../../drawings/thumbnail.tsx";
import { CalculationSheet } from "../../forms/calculation-sheet.tsx";
import { BookingButton } from "../../scheduling/booking-button.tsx";
import { breadcrumbStructuredData, metaOf, serviceStructuredData } from "../../seo/page-meta.ts";
import { useOwnWords, usePageWords, useSiteFacts } from "../../site-facts.ts";
import { Link } from "../../ui/link.tsx";
import { signaturesOf, TitleBlock } from "../../ui/title-block.tsx";
import { Figure, unbroken } from "../../ui/unbroken.tsx";
import { Breadcrumb, ClosingCall, Masthead, Section } from "../page-sections.tsx";

type UseCaseParts = {
  before?: ReactNode;
  after?: ReactNode;
  /** In the place of both. */
  plan?: ReactNode;
  research?: ReactNode;
  /** Beside the example, what this page alone has. */
  object?: ReactNode;
  /** On a desk, the object is on the right, or the two lists are beside their heading. */
  objectLast?: true;
  sidesBeside?: true;
  /** The example's figures in marks. */
  tally?: ReactNode;
  /** Where the marks are on a desk, for an example without an object. */
  layout?: "marks-above" | "marks-below" | "marks-beside";
  booking?: ComponentType<BookingLinkProps>;
};

export function pageOfUseCase(useCase: UseCase, parts: UseCaseParts) {
  return () => <UseCasePage useCase={usePageWords(useCase)} {...parts} />;
}

/** Five beats: head and drawing; figures; machine and person; object and example; the call. */
function UseCasePage({ useCase, ...parts }: UseCaseParts & { useCase: UseCase }) {
  const { before, after, plan, research, booking: Booking = BookingButton } = parts;
  const { benefits, closing, drawing, figures, problems } = useCase;
  return (
    <>
      <Breadcrumb crumbs={crumbsOfUseCase(useCase)} />
      <Opening {...useCase} note={closing.note}>
        <Booking variant="primary">{closing.action}</Booking>
      </Opening>
      <div className="wrap case-drawing">
        <div className="sheet lifted">
          {plan}
          {drawing && <BeforeAndAfter results={drawing} before={before} after={after} />}
          <ul className="cells" data-n="2">
            {problems.map(({ title, text }) => (
              <li key={title}>
                <h2 className="small-title">{title}</h2>
                <p>{unbroken(text)}</p>
              </li>
            ))}
          </ul>
        </div>
      </div>
      <Section className="tight" heading={figures.heading}>
        <Figures items={figures.items} />
        {research}
      </Section>
      <Section
        className={`tight blueprint ${parts.sidesBeside ? "sides-beside" : ""}`}
        heading={benefits.heading}
      >
        <div className="split">
          <Side {...benefits.automated} className="rows marked" />
          <Side {...benefits.person} className="rows marked people" />
        </div>
      </Section>
      <section className="section tight">
        <Example {...useCase} {...parts} />
        <NextUseCase path={useCase.next} />
      </section>
      <ClosingCall heading={closing.heading} text={closing.text}>
        <Booking variant="ink">{closing.action}</Booking>
      </ClosingCall>
    </>
  );
}

type OpeningProps = { heading: string; intro: string; note?: ReactNode; children: ReactNode };

/** The heading, and the action beside the intro. */
export function Opening({ heading, intro, note = callNote, children }: OpeningProps) {
  return (
    <Masthead heading={heading}>
      <div className="case-intro split below">
        <p className="lede">{unbroken(intro)}</p>
        <div className="cluster">
          {children}
          <p className="small muted">{note}</p>
        </div>
      </div>
    </Masthead>
  );
}

type PlanProps = {
  children: ReactNode;
  heading: string;
  rooms: readonly { name: string; holds: string }[];
};

/** A drawing with numbers in it, and beside it what they mean. */
export function Plan({ children, heading, rooms }: PlanProps) {
  return (
    <div className="cells" data-n="2">
      <figure className="pad">{children}</figure>
      <div className="plan-key">
        <h2 className="title">{heading}</h2>
        <ol className="rows keyed below">
          {rooms.map(({ name, holds }, index) => (
            <li key={name}>
              <b>{`${index + 1} ${name}:`}</b> <span>{holds}</span>
            </li>
          ))}
        </ol>
      </div>
    </div>
  );
}

export function crumbsOfUseCase({ name, head }: Pick<UseCase, "name" | "head">) {
  return [
    { name: "Home", path: "/" },
    { name: "Use Cases", path: "/use-cases" },
    { name, path: head.path },
  ];
}

export function metaOfUseCase(useCase: UseCase) {
  const { head, service } = useCase;
  return metaOf((settings) => ({
    ...head,
    structuredData: [
      serviceStructuredData(
        { name: service, description: pageWords(settings, useCase).head.description },
        settings,
      ),
      breadcrumbStructuredData(crumbsOfUseCase(useCase), settings.url),
    ],
  }));
}

type BookingLinkProps = { variant: "primary" | "ink"; children: ReactNode };

/** In a new tab (specification, section 2, client-management). */
export function BookingLink({ variant, children }: BookingLinkProps) {
  const { url } = useSiteFacts().settings.scheduling;
  return (
    <a className={`button button-${variant}`} href={url} target="_blank" rel="noopener">
      {children}
      <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
        <path d="M3 11 11 3M5 3h6v6" fill="none" stroke="currentColor" strokeWidth="2" />
      </svg>
      <span className="sr-only">({opensInNewTab})</span>
    </a>
  );
}

type BeforeAndAfterProps = Pick<UseCaseParts, "before" | "after"> & {
  results: NonNullable<UseCase["drawing"]>;
};

/** Radio buttons switch on a phone; print and old browsers show both. */
function BeforeAndAfter({ results, ...drawings }: BeforeAndAfterProps) {
  const signatures = signaturesOf(useOwnWords("team", team)).slice(0, 2);
  return (
    <div className="before-and-after">
      <fieldset className="drawing-switch switch">
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
      {(["before", "after"] as const).map((when) => (
        <figure key={when}>
          {drawings[when]}
          <TitleBlock
            entries={[{ key: drawingSwitch[when], value: results[when] }, ...signatures]}
          />
        </figure>
      ))}
    </div>
  );
}

/** They stand where the others' figure is. */
const keyWords = /^\w+ \w+:?/;

function Figures({ items }: { items: readonly UseCaseFigure[] }) {
  return (
    <ul className="sheet cells case-figures" data-n={items.length}>
      {items.map(({ at, value, label, source }) => (
        <li key={label} className="figure-stat">
          {at && <span className="lettering accent">{at}</span>}
          {value ? (
            <b>
              <Figure value={value} />
            </b>
          ) : (
            <strong className="wide">{label.match(keyWords)} </strong>
          )}
          <p>{unbroken(value ? label : label.replace(keyWords, ""))}</p>
          {source && (
            <small className="small">
              <Citation {...sources[source]} />
            </small>
          )}
        </li>
      ))}
    </ul>
  );
}

function Citation({ publisher, title, year, url }: (typeof sources)[keyof typeof sources]) {
  if (!url) return `${publisher}, “${title}”`;
  return (
    <a href={url} title={title}>
      {year ? `${publisher}, ${year}` : publisher}
    </a>
  );
}

type SideProps = { heading: string; items: readonly string[]; className: string };

function Side({ heading, items, className }: SideProps) {
  return (
    <div>
      <h3>{heading}</h3>
      <ul className={className}>
        {items.map((item) => (
          <li key={item}>{unbroken(item)}</li>
        ))}
      </ul>
    </div>
  );
}

function Example({ cost, example, outlook, tally, layout, ...parts }: UseCase & UseCaseParts) {
  const object = cost ? <CalculationSheet sheet={cost} /> : parts.object;
  const elsewhere = example.elsewhere && (
    <ul className="rows">
      {example.elsewhere.map(({ who, text }) => (
        <li key={who}>
          <b>{who}:</b> {unbroken(text)}
        </li>
      ))}
    </ul>
  );
  const isBelowSum = cost && tally;
  const pieces = (
    <>
      <h2 className={layout ? "" : "title"}>{unbroken(example.heading)}</h2>
      <dl className={cost ? "cols" : "rows"}>
        {example.results.map(({ value, label }) => (
          <div key={label} className={`figure-stat ${cost ? "quiet" : ""}`}>
            <dt>{unbroken(label)}</dt>
            <dd className="whitespace-nowrap">{value}</dd>
          </div>
        ))}
      </dl>
      {tally}
      <div className={!layout || layout === "marks-beside" ? "" : "rows"}>
        <p>{unbroken(example.text)}</p>
        <p className="muted">{unbroken(outlook.text)}</p>
      </div>
      {!isBelowSum && elsewhere}
    </>
  );
  if (layout) return <div className={`wrap split example ${layout}`}>{pieces}</div>;
  return (
    <div className="wrap split">
      {!parts.objectLast && object}
      <div>{pieces}</div>
      {parts.objectLast && object}
      {isBelowSum && elsewhere}
    </div>
  );
}

function NextUseCase({ path }: { path: string }) {
  return (
    <div className="wrap linked">
      <p className="sheet next small-title wide">
        <Thumbnail of={path} />
        <span className="lettering whitespace-nowrap">{nextUseCase}</span>
        <Link to={path}>{useCases.tiles.find((tile) => tile.path === path)?.title}</Link>
        <span aria-hidden="true">→</span>
      </p>
    </div>
  );
}
