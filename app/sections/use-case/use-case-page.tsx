import type { ComponentType, ReactNode } from "react";
import { useLocation } from "react-router";
import { pageWords } from "#content/own-words.ts";
import { useCases } from "#content/pages/use-cases.ts";
import { type SourceId, sources } from "#content/sources.ts";
import { team } from "#content/team.ts";
import {
  callNote,
  drawingSwitch,
  nextUseCases,
  opensInNewTab,
  type UseCase,
  type UseCaseFigure,
} from "#content/use-case.ts";
import { BookingButton } from "../../scheduling/booking-button.tsx";
import { breadcrumbStructuredData, metaOf, serviceStructuredData } from "../../seo/page-meta.ts";
import { useOwnWords, usePageWords, useSiteFacts } from "../../site-facts.ts";
import { Link } from "../../ui/link.tsx";
import { signaturesOf, TitleBlock } from "../../ui/title-block.tsx";
import { Figure, unbroken } from "../../ui/unbroken.tsx";
import { CalculationSheet, writtenTexts } from "../../worksheet/calculation-sheet.tsx";
import { Breadcrumb, ClosingCall, Masthead, Section, TitledItems } from "../page-sections.tsx";

type UseCasePageProps = {
  useCase: UseCase;
  before: ReactNode;
  after: ReactNode;
  plan?: ReactNode;
  research?: ReactNode;
  object?: { words: { heading: string; text: string }; piece: ReactNode };
  booking?: ComponentType<BookingLinkProps>;
};

export function UseCasePage({
  useCase: usual,
  before,
  after,
  plan,
  research,
  object,
  booking: Booking = BookingButton,
}: UseCasePageProps) {
  const useCase = usePageWords(usual);
  const drawings = <BeforeAndAfter drawing={useCase.drawing} before={before} after={after} />;
  const { closing, edge, outlook, process } = useCase;
  return (
    <>
      <Breadcrumb crumbs={crumbsOfUseCase(useCase)} />
      <Masthead heading={useCase.heading} lede={useCase.lede} />
      <div className="wrap case-drawing">
        {plan ?? drawings}
        <div className="lead centred case-intro">
          <div>
            <Booking variant="primary">{closing.action}</Booking>
            <p className="small below">{closing.note ?? callNote}</p>
          </div>
          <p>{unbroken(useCase.intro)}</p>
        </div>
      </div>
      <Problems {...useCase.problems} />
      {plan && <div className="wrap">{drawings}</div>}
      <Section className={"tight"} heading={useCase.figures.heading}>
        <Figures items={useCase.figures.items} />
        {research}
      </Section>
      <Benefits {...useCase.benefits} />
      {object && (
        <section className="section tight">
          <div className="wrap lead">
            <div>
              <h2 className="title">{object.words.heading}</h2>
              <p>{unbroken(object.words.text)}</p>
            </div>
            {object.piece}
          </div>
        </section>
      )}
      <CostAndExample {...useCase} />
      <section className="section tight">
        <div className="wrap">
          {process && (
            <div className="lead">
              <h2 className="title">{process.heading}</h2>
              <ol className="rows">
                <TitledItems items={process.items} />
              </ol>
            </div>
          )}
          {[...(edge ? [edge] : []), outlook].map(({ heading, text }) => (
            <div className="lead" key={heading}>
              <h2 className="title">{heading}</h2>
              <p>{unbroken(text)}</p>
            </div>
          ))}
          <NextUseCases paths={useCase.next} />
        </div>
      </section>
      <ClosingCall heading={closing.heading} text={closing.text}>
        <Booking variant="ink">{closing.action}</Booking>
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

/** In a new tab (specification, section 2, client-management); our own in the same. */
export function BookingLink({ variant, children }: BookingLinkProps) {
  const { scheduling, url } = useSiteFacts().settings;
  if (scheduling.url.startsWith(`${url}/`)) {
    return (
      <Link className={`button button-${variant}`} to={scheduling.url.slice(url.length)}>
        {children}
      </Link>
    );
  }
  return (
    <a className={`button button-${variant}`} href={scheduling.url} target="_blank" rel="noopener">
      {children}
      <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
        <path d="M3 11 11 3M5 3h6v6" fill="none" stroke="currentColor" strokeWidth="2" />
      </svg>
      <span className="sr-only">({opensInNewTab})</span>
    </a>
  );
}

type BeforeAndAfterProps = { drawing: UseCase["drawing"]; before: ReactNode; after: ReactNode };

/** Radio buttons switch on a phone; print and old browsers show both. */
function BeforeAndAfter({ drawing, before, after }: BeforeAndAfterProps) {
  const signatures = signaturesOf(useOwnWords("team", team)).slice(0, 2);
  return (
    <div className="sheet lifted before-and-after">
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
      <figure>
        {before}
        <TitleBlock entries={[...drawing.before, ...signatures]} />
      </figure>
      <figure>
        {after}
        <TitleBlock entries={[...drawing.after, ...signatures]} />
      </figure>
    </div>
  );
}

function Problems({ heading, items }: UseCase["problems"]) {
  return (
    <section className="section tight">
      <div className="wrap lead">
        <h2>{heading}</h2>
        <ul className="rows">
          <TitledItems items={items} />
        </ul>
      </div>
    </section>
  );
}

function Figures({ items }: { items: readonly UseCaseFigure[] }) {
  return (
    <ul className="sheet cells case-figures" data-n={items.length}>
      {items.map(({ at, value, label, source }) => (
        <li key={label} className={`figure-stat ${/\d/.test(value) ? "" : "quiet"}`}>
          {at && <span className="lettering accent">{at}</span>}
          <b>
            <Figure value={value} />
          </b>
          <p>{unbroken(label)}</p>
          {source && (
            <small className="small">
              <Citation id={source} />
            </small>
          )}
        </li>
      ))}
    </ul>
  );
}

function Citation({ id }: { id: SourceId }) {
  const { publisher, title, year, url } = sources[id];
  return (
    <>
      {publisher}, {url ? <a href={url}>“{title}”</a> : `“${title}”`}
      {year && `, ${year}`}
    </>
  );
}

function Benefits({ heading, automated, person }: UseCase["benefits"]) {
  return (
    <Section className="tight blueprint" heading={heading}>
      <div className="split">
        <Side {...automated} className="rows marked" />
        <Side {...person} className="rows marked people" />
      </div>
    </Section>
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

function CostAndExample({ cost, worksheet, example }: UseCase) {
  const { search } = useLocation();
  return (
    <section className="section tight">
      <div className="wrap">
        <div className="sheet lifted cells" data-n="2">
          <div>
            <h2 className="title">{unbroken(cost.heading)}</h2>
            <p>{unbroken(cost.text)}</p>
            {worksheet && (
              <CalculationSheet sheet={worksheet} written={writtenTexts(worksheet, search)} />
            )}
          </div>
          <div>
            <h2 className="title">{unbroken(example.heading)}</h2>
            <p>{unbroken(example.text)}</p>
            <dl className="example-results">
              {example.results.map(({ value, label }) => (
                <div key={label} className="figure-stat quiet below">
                  <dt>{unbroken(label)}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          </div>
        </div>
      </div>
    </section>
  );
}

function NextUseCases({ paths }: { paths: UseCase["next"] }) {
  return (
    <nav className="case-next cluster" aria-label={nextUseCases.heading}>
      <span className="lettering">{nextUseCases.heading}</span>
      {paths.map((path) => (
        <Link key={path} to={path}>
          {useCases.tiles.find((tile) => tile.path === path)?.title}
        </Link>
      ))}
      <Link to={useCases.head.path}>{nextUseCases.overview}</Link>
    </nav>
  );
}
