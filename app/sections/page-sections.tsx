import { Fragment, type ReactNode } from "react";
import type { FactName } from "#content/own-words.ts";
import { useOwnWords } from "../site-facts.ts";
import { Link } from "../ui/link.tsx";
import { unbroken } from "../ui/unbroken.tsx";

type MastheadProps = {
  heading: string;
  lede?: string;
  children?: ReactNode;
};

export function Masthead({ heading, lede, children }: MastheadProps) {
  return (
    <div className="wrap masthead">
      <h1>{heading}</h1>
      <ChalkLine />
      {lede && <p className="lede">{unbroken(lede)}</p>}
      {children}
    </div>
  );
}

export function ChalkLine() {
  return (
    <div className="chalk-line">
      <svg
        className="chalk-line-snap"
        width="100%"
        height="100%"
        overflow="visible"
        viewBox="0 0 760 26"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <defs>
          <filter
            id="chalk-dust"
            filterUnits="userSpaceOnUse"
            x="-10"
            y="-20"
            width="780"
            height="66"
          >
            <feTurbulence type="fractalNoise" baseFrequency="1.1 .5" numOctaves="2" seed="7" />
            <feDisplacementMap in="SourceGraphic" scale="5" />
          </filter>
        </defs>
        <g filter="url(#chalk-dust)" stroke="currentColor" fill="none">
          <path pathLength="1" d="M0 13H760" strokeWidth="5" />
          <path pathLength="1" d="M0 13H760" strokeWidth="11" opacity=".22" />
        </g>
      </svg>
    </div>
  );
}

/** The space is outside, because it would collapse at the end of a sentence that is a box. */
export function Sentences({ of }: { of: readonly string[] }) {
  return of.map((sentence) => (
    <Fragment key={sentence}>
      <span>{sentence}</span>{" "}
    </Fragment>
  ));
}

type SectionProps = { className?: string; heading: string; children: ReactNode };

export function Section({ className = "", heading, children }: SectionProps) {
  return (
    <section className={`section ${className}`}>
      <div className="wrap">
        <h2>{heading}</h2>
        {children}
      </div>
    </section>
  );
}

export function TitledItems({ items }: { items: readonly { title: string; text: string }[] }) {
  return items.map(({ title, text }) => (
    <li key={title}>
      <h3>{title}</h3>
      <p>{unbroken(text)}</p>
    </li>
  ));
}

type DrawnStep = { drawing: ReactNode; mark: string; title: string; text: string };

/** The drawings join to one strip; on narrow screens their texts are below it. */
export function DrawnSteps({ steps }: { steps: readonly DrawnStep[] }) {
  return (
    <ol className="drawn-steps">
      {steps.map(({ drawing, mark, title, text }) => (
        <li key={title}>
          {drawing}
          <div>
            <p className="lettering accent">{mark}</p>
            <h3>{title}</h3>
            <p>{unbroken(text)}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}

export type Crumb = { name: string; path: string };

export function Breadcrumb({ crumbs }: { crumbs: readonly Crumb[] }) {
  return (
    <nav className="wrap breadcrumb small" aria-label="Breadcrumb">
      <ol className="cluster">
        {crumbs.map(({ name, path }, index) => (
          <li key={path}>
            {index === crumbs.length - 1 ? (
              <span aria-current="page">{name}</span>
            ) : (
              <Link to={path}>{name}</Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

export type Question = { question: string; answer: string };

type QuestionsProps = {
  heading: string;
  items: readonly Question[];
  of: FactName;
};

/** Also in the page's structured data. */
export function Questions({ heading, items: usual, of }: QuestionsProps) {
  const items = useOwnWords(of, usual);
  return (
    <Section heading={heading}>
      <div className="sheet cells" data-n={items.length === 3 ? 3 : 2}>
        {items.map(({ question, answer }) => (
          <div key={question}>
            <h3>{question}</h3>
            <p>{unbroken(answer)}</p>
          </div>
        ))}
      </div>
    </Section>
  );
}

type ClosingCallProps = {
  heading: string;
  text?: string;
  children: ReactNode;
};

export function ClosingCall({ heading, text, children }: ClosingCallProps) {
  return (
    <section className="closing">
      <div className="wrap apart">
        <div>
          <h2>
            <Sentences of={heading.split(/(?<=\.) /)} />
          </h2>
          {text && <p>{text}</p>}
        </div>
        <div className="cluster">{children}</div>
      </div>
    </section>
  );
}
