import type { ReactNode } from "react";
import { ownWords } from "#content/own-words.ts";
import { home } from "#content/pages/home.ts";
import { signaturesOf, team } from "#content/team.ts";
import { LeadIntake } from "../drawings/lead-intake.tsx";
import { LineLength } from "../drawings/straightened-line.tsx";
import { BookingButton } from "../scheduling/booking-button.tsx";
import { ClosingCall, Questions, SectionHead } from "../sections/page-sections.tsx";
import { pageMeta, rootFacts } from "../seo/page-meta.ts";
import { faqStructuredData } from "../seo/structured-data.ts";
import { useNamed, useOwnWords } from "../site-facts.ts";
import { Actions } from "../ui/button.tsx";
import { ChalkLine } from "../ui/chalk-line.tsx";
import { Figure } from "../ui/figure.tsx";
import { Link, PhoneLink } from "../ui/link.tsx";
import { OpenNow } from "../ui/open-now.tsx";
import { TitleBlock } from "../ui/title-block.tsx";
import { unbroken } from "../ui/unbroken.tsx";
import type { Route } from "./+types/home";

export function meta({ matches }: Route.MetaArgs) {
  const { settings } = rootFacts(matches);
  return pageMeta(
    {
      ...home.head,
      structuredData: [
        faqStructuredData(ownWords(settings, "home-questions", home.questions.items)),
      ],
    },
    settings,
  );
}

export default function HomePage() {
  return (
    <>
      <Hero />
      <StatStrip />
      <HandOver />
      <AuditProcess />
      <Deliverables />
      <PayWhatYouThink />
      <Questions of="home-questions" {...home.questions} />
      <ClosingCall heading={home.closing.heading}>
        <BookingButton variant="ink" />
      </ClosingCall>
    </>
  );
}

function StatStrip() {
  return (
    <div className="stat-strip">
      <dl className="wrap">
        {home.stats.map(({ value, label }) => (
          <div className="figure-stat" key={value}>
            <dt className="small">{label}</dt>
            <dd>
              <Figure value={value} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function HandOver() {
  const { heading, links } = home.work;
  return (
    <section className="section tight">
      <div className="wrap lead">
        <h2>{heading}</h2>
        <ul className="rows linked columns hand-over">
          {links.map(({ label, path }) => (
            <li key={path}>
              <Link to={path}>{label}</Link>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function Hero() {
  const { heading, lede, phone, secondary, titleBlock } = home.hero;
  const signatures = signaturesOf(useOwnWords("team", team));
  return (
    <div className="hero">
      <div className="wrap hero-grid">
        <h1>
          {heading.map((sentence) => (
            <span key={sentence}>{sentence} </span>
          ))}
        </h1>
        <ChalkLine snap />
        <div>
          <p className="lede">{lede}</p>
          <Actions>
            <BookingButton />
            <p>
              {phone} <PhoneLink /> <OpenNow />
            </p>
          </Actions>
          <p className="below">
            <Link to={secondary.path}>{secondary.label}</Link>
          </p>
        </div>
        <figure className="sheet lifted hero-drawing">
          <LeadIntake />
          <TitleBlock entries={[...titleBlock, ...signatures.slice(0, 2)]} />
        </figure>
      </div>
    </div>
  );
}

function AuditProcess() {
  const { heading, lede, steps } = home.process;
  return (
    <section className="section">
      <div className="wrap">
        <SectionHead heading={heading} text={lede} />
        <ol className="drawn-steps">
          {steps.map(({ when, title, text }) => (
            <li key={title}>
              <LineLength step={title} />
              <div>
                <p className="lettering accent">{when}</p>
                <h3>{title}</h3>
                <p>{text}</p>
              </div>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

/** What the audit delivers. */
function Deliverables() {
  const { heading, lede, items } = home.deliverables;
  return (
    <section className="section blueprint">
      <div className="wrap split">
        <div>
          <h2>{heading}</h2>
          <p className="lede">{lede}</p>
          <DrawingSet />
        </div>
        <ul className="rows keyed">
          {items.map(({ sheet, title, text }) => (
            <li key={sheet}>
              <span className="lettering accent" aria-hidden="true">
                {sheet}
              </span>
              <div>
                <h3>{title}</h3>
                <p>{text}</p>
              </div>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function PayWhatYouThink() {
  const { heading, text, link, invoice } = useNamed(home.pay);
  return (
    <section className="section">
      <div className="wrap split centred">
        <div>
          <h2>{heading}</h2>
          {text.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
          <p>
            <Link to={link.path}>{link.label}</Link>
          </p>
        </div>
        <div className="sheet lifted rows invoice">
          <p className="apart lettering">
            <span>Invoice</span>
            <span>{invoice.title}</span>
          </p>
          {invoice.lines.map(({ item, price }) => (
            <p className="apart" key={item}>
              <span>{unbroken(item)}</span>
              <span className="lettering">{price}</span>
            </p>
          ))}
          <p className="apart">
            <b>{invoice.total}</b>
            <Scribble />
          </p>
        </div>
      </div>
    </section>
  );
}

/** A dollar sign and a figure that nobody has written yet. */
function Scribble() {
  return (
    <svg
      width="170"
      viewBox="0 0 170 48"
      fill="none"
      stroke="var(--color-chalk)"
      strokeWidth="2.6"
      aria-hidden="true"
    >
      <path d="M20 10c-8 2-10 9-3 11s12 5 7 10-16 3-16 3M15 4v36M44 30c10-2 17-12 27-7s-2 14 12 9 15-14 27-12 8 12 22 7 10-4 16-4M2 45h166" />
    </svg>
  );
}

/** The audit's four documents as sheets on a wall, numbered like the register beside them. */
function DrawingSet() {
  return (
    <svg className="drawing drawing-set" viewBox="0 0 420 280" aria-hidden="true" fontSize="17">
      <Sheet x={1} y={1} number={1}>
        <path d="M26 64h28v22H26zM66 46h28v40H66z" />
        <path fill="var(--color-chalk)" d="M106 22h28v64h-28z" />
        <path d="M14 86h164M150 22v64M144 22h12" />
      </Sheet>
      <Sheet x={221} y={1} number={2}>
        <path d="M16 18h148v18H16z" />
        <path fill="var(--color-chalk)" d="M16 46h52v18H16z" />
        <path d="M16 84h160M16 84v-8m32 8v-8m32 8v-8m32 8v-8m32 8v-8m32 8v-8" />
      </Sheet>
      <Sheet x={1} y={147} number={3}>
        <path d="M16 14v76h164M68 34h46v14H68zM126 72h44v14h-44z" />
        <path fill="var(--color-chalk)" d="M24 14h52v14H24zM94 54h56v14H94z" />
      </Sheet>
      <Sheet x={221} y={147} number={4}>
        <path d="M16 20h44v26H16zM16 60h44v26H16zM60 33h24v40H60m24-20h38" />
        <path fill="var(--color-chalk)" d="M122 36h56v34h-56z" />
        <circle className="solid-safety" cx="84" cy="53" r="7" />
      </Sheet>
    </svg>
  );
}

function Sheet({ x, y, number, children }: SheetProps) {
  return (
    <g transform={`translate(${x} ${y})`} stroke="currentColor" strokeWidth="1.5">
      <path fill="none" d="M0 0h198v132H0zM0 102h198M136 102v30" />
      <g fill="none">{children}</g>
      <text x="167" y="123" textAnchor="middle" stroke="none">
        {`A-${number}`}
      </text>
    </g>
  );
}

type SheetProps = { x: number; y: number; number: number; children: ReactNode };
