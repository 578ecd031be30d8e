import type { ReactNode } from "react";
import type { FactName } from "#content/own-words.ts";
import { useNamed, useOwnWords } from "../site-facts.ts";
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

type SectionProps = { className?: string; heading: string; text?: string; children: ReactNode };

export function Section({ className = "", heading, text, children }: SectionProps) {
  return (
    <section className={`section ${className}`}>
      <div className="wrap">
        {text ? <SectionHead heading={heading} text={text} /> : <h2>{heading}</h2>}
        {children}
      </div>
    </section>
  );
}

function SectionHead({ heading, text }: { heading: string; text: string }) {
  return (
    <div className="section-head">
      <h2>{heading}</h2>
      <p className="muted">{text}</p>
    </div>
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

type DrawnStepProps = { drawing: ReactNode; mark: string; title: string; text: string };

export function DrawnStep({ drawing, mark, title, text }: DrawnStepProps) {
  return (
    <li>
      {drawing}
      <div>
        <p className="lettering accent">{mark}</p>
        <h3>{title}</h3>
        <p>{unbroken(text)}</p>
      </div>
    </li>
  );
}

export type Crumb = { name: string; path: string };

export function Breadcrumb({ crumbs }: { crumbs: readonly Crumb[] }) {
  return (
    <nav className="wrap breadcrumb small" aria-label="Breadcrumb">
      <ol>
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

type InformedProps = { heading: string; text: string; link: { label: string; path: string } };

export function Informed(words: InformedProps) {
  const { heading, text, link } = useNamed(words);
  return (
    <section className="section informed">
      <div className="wrap split">
        <h2 className="title">{heading}</h2>
        <div>
          <p className="muted">{text}</p>
          <Link className="button below" to={link.path}>
            {link.label}
          </Link>
        </div>
      </div>
    </section>
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
          <h2>{heading}</h2>
          {text && <p>{text}</p>}
        </div>
        <div className="closing-actions cluster">{children}</div>
      </div>
    </section>
  );
}
