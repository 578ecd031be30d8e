import type { ReactNode } from "react";
import { ownWords } from "#content/own-words.ts";
import { about } from "#content/pages/about.ts";
import { home as usual } from "#content/pages/home.ts";
import { sampleAudit } from "#content/sample-audit.ts";
import { team } from "#content/team.ts";
import { LeadIntake } from "../drawings/lead-intake.tsx";
import { Dimension, Draw, dot, Label, type Shape } from "../drawings/pens.tsx";
import { Telephone } from "../drawings/telephone.tsx";
import { Returns } from "../sample-audit/audit-sheets.tsx";
import { BookingButton } from "../scheduling/booking-button.tsx";
import {
  ChalkLine,
  ClosingCall,
  DrawnSteps,
  Questions,
  Section,
  Sentences,
} from "../sections/page-sections.tsx";
import { faqStructuredData, metaOf } from "../seo/page-meta.ts";
import { useNamed, useOwnWords, usePageWords } from "../site-facts.ts";
import { Link, PhoneLink } from "../ui/link.tsx";
import { OpenNow } from "../ui/open-now.tsx";
import { signaturesOf, TitleBlock } from "../ui/title-block.tsx";
import { unbroken } from "../ui/unbroken.tsx";

export const meta = metaOf((settings) => ({
  ...usual.head,
  structuredData: [faqStructuredData(ownWords(settings, "home-questions", usual.questions.items))],
}));

export default function HomePage() {
  const home = usePageWords(usual);
  return (
    <>
      <Hero />
      <StatStrip />
      <Proof />
      <Section heading={home.process.heading}>
        <DrawnSteps
          steps={home.process.steps.map(({ when, ...step }) => ({
            ...step,
            mark: when,
            drawing: (
              <svg className="drawing" viewBox="0 -.5 280 120" aria-hidden="true">
                {lineLengths[step.title]}
              </svg>
            ),
          }))}
        />
      </Section>
      <Deliverables />
      <PayWhatYouThink />
      <Questions of="home-questions" {...home.questions} />
      <ClosingCall heading={home.closing.heading}>
        <BookingButton variant="ink" />
      </ClosingCall>
    </>
  );
}

function Hero() {
  const { heading, lede } = usePageWords(usual).hero;
  const signatures = signaturesOf(useOwnWords("team", team));
  return (
    <div className="hero">
      <div className="wrap hero-grid">
        <h1>
          <Sentences of={heading} />
        </h1>
        <ChalkLine />
        <div>
          <p className="lede">{lede}</p>
          <div className="actions cluster">
            <BookingButton />
            <p>
              <PhoneLink /> <OpenNow />
            </p>
          </div>
        </div>
        <figure className="sheet lifted hero-drawing">
          <Telephone>
            <LeadIntake />
          </Telephone>
          {signatures.length > 0 && <TitleBlock entries={signatures.slice(0, 2)} />}
        </figure>
      </div>
    </div>
  );
}

function StatStrip() {
  return (
    <div className="stat-strip">
      <dl className="wrap">
        {usual.stats.map(({ value, label }) => (
          <div className="figure-stat" key={value}>
            <dt className="small">{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Proof() {
  const { heading, cards } = usePageWords(about).results;
  const { doors } = usePageWords(usual);
  return (
    <section className="section">
      <div className="wrap split">
        <div>
          <h2>{heading}</h2>
          <ul className="rows results">
            {cards.map(({ value, label }) => (
              <li key={value}>
                <b className="wide">{value}</b> {label}
              </li>
            ))}
          </ul>
        </div>
        <div>
          <h2>{sampleAudit.onHome}</h2>
          <Returns />
          <p className="below">
            <Link className="button" to={sampleAudit.head.path}>
              {sampleAudit.whole}
            </Link>
          </p>
        </div>
      </div>
      <div className="wrap">
        <ul className="sheet lifted cells doors linked" data-n="3">
          {doors.map(({ id, name, text, value, label }) => (
            <li key={id}>
              <svg className="drawing" viewBox="0 1 120 82" strokeWidth="1.3" aria-hidden="true">
                <Draw {...doorDrawings[id]} />
              </svg>
              <h2 className="title">
                <Link to={`/use-cases#panel-${id}`}>{name}</Link>
              </h2>
              <p>{text}</p>
              <p className="small">
                <b>{value}</b> {label}
              </p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

/** What each door's sentence is about: a sink and its trap, a house for sale, a kitchen and what is signed for. */
const doorDrawings = {
  trades: {
    part: "M2 24h76v8q0 14-14 14H16Q2 46 2 32zM92 6q0-4 4-4h18q4 0 4 4v40q0 4-4 4H96q-4 0-4-4z",
    line: "M40 24V8q0-6 8-6t8 6M102 44h6M-2 78h124",
    route: "M40 46v18q0 8 8 8t8-8v-4h22v18",
    chalk: "M96 12h18v14H96z",
    safety: dot(40, 56, 4),
  },
  "real-estate": {
    part: "M14 36h58v42H14zM22 46h14v14H22zM46 50h14v28H46z",
    line: "M96 14v64M96 20h22M-2 78h124",
    route: "M4 42 43 8l39 34",
    chalk: "M98 26h20v18H98z",
    safety: dot(29, 53, 4),
  },
  "home-improvement": {
    part: "M2 46h74v32H2zM4 4h30v22H4zM38 4h36v22H38zM88 14h30v44H88z",
    line: "M-2 46h82M26 46v32M52 46v32M94 22h18M94 29h18M94 36h10M-2 78h124",
    route: "M94 50q4-8 7-1t6-1 5 0",
    chalk: "M26 46h26v32H26z",
    safety: dot(56, 22, 4),
  },
} satisfies Record<string, Shape>;

/** They enter and leave at one height, so that they join side by side and with the page's line. */
const lineLengths = {
  Identify: (
    <Draw
      route="M-21 88H0c28 0 40-4 48-22 9-22-14-44-30-30-17 15 10 44 44 40 36-4 60-48 34-56-24-7-36 34-12 54 27 22 70-2 66-34-3-22-36-16-36 10 0 30 40 44 62 30 22-15 18-46-4-44-20 2-20 34 6 44 24 8 60 8 102 8"
      safety="M50 62a6 6 0 1 0 .1 0zM150 34a6 6 0 1 0 .1 0zM186 72a6 6 0 1 0 .1 0z"
    />
  ),
  Quantify: (
    <>
      <Draw route="M-21 88H280" />
      <Dimension from={8} to={92} at={50} reach={78} label="time" />
      <Dimension from={92} to={176} at={50} reach={78} label="errors" />
      <Dimension from={176} to={272} at={50} reach={78} label="cost" />
    </>
  ),
  Automate: (
    <Draw
      hidden="M30 88V36h58v26h54V28h58v34h50v26"
      route="M-21 88H280"
      part={dot(30, 88, 6) + dot(250, 88, 6)}
      safety={dot(140, 88, 8)}
    />
  ),
  Scale: (
    <>
      <Draw
        route="M-21 88H262M60 88V58h160M120 58V28h58"
        chalk="m262 81 14 7-14 7zM220 51l14 7-14 7zM178 21l14 7-14 7z"
        safety={dot(60, 88, 7)}
      />
      <Label x="272" y="116" textAnchor="end" text="day 90" />
    </>
  ),
};

function Deliverables() {
  const { heading, items } = usePageWords(usual).deliverables;
  return (
    <Section className="blueprint" heading={heading}>
      <ul className="deliverables linked">
        {items.map(({ sheet, title, text }) => (
          <li key={sheet}>
            <svg
              className="drawing"
              viewBox="0 0 200 134"
              overflow="visible"
              aria-hidden="true"
              fontSize="17"
            >
              <g transform="translate(1 1)" stroke="var(--muted)" strokeWidth="1.5" fill="none">
                <path d="M0 0h198v132H0zM0 102h198M136 102v30" />
                {thumbnails[sheet]}
                <text x="167" y="123" textAnchor="middle" stroke="none" fill="var(--muted)">
                  {sheet}
                </text>
              </g>
            </svg>
            <div>
              <h3>
                <Link to={`${sampleAudit.head.path}#${sheet}`}>{title}</Link>
              </h3>
              <p>{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const thumbnails = {
  "A-1": (
    <>
      <path d="M26 64h28v22H26zM66 46h28v40H66z" />
      <path fill="var(--color-chalk)" d="M106 22h28v64h-28z" />
      <path d="M14 86h164M150 22v64M144 22h12" />
    </>
  ),
  "A-2": (
    <>
      <path d="M16 18h148v18H16z" />
      <path fill="var(--color-chalk)" d="M16 46h52v18H16z" />
      <path d="M16 84h160M16 84v-8m32 8v-8m32 8v-8m32 8v-8m32 8v-8m32 8v-8" />
    </>
  ),
  "A-3": (
    <>
      <path d="M16 14v76h164M68 34h46v14H68zM126 72h44v14h-44z" />
      <path fill="var(--color-chalk)" d="M24 14h52v14H24zM94 54h56v14H94z" />
    </>
  ),
  "A-4": (
    <>
      <path d="M16 20h44v26H16zM16 60h44v26H16zM60 33h24v40H60m24-20h38" />
      <path fill="var(--color-chalk)" d="M122 36h56v34h-56z" />
      <circle className="solid-safety" cx="84" cy="53" r="7" />
    </>
  ),
} satisfies Record<string, ReactNode>;

function PayWhatYouThink() {
  const { heading, text, link, invoice } = useNamed(usePageWords(usual).pay);
  return (
    <section className="section">
      <div className="wrap split centred">
        <div>
          <h2>{heading}</h2>
          <p>{text}</p>
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
              <span className="lettering whitespace-nowrap">{price}</span>
            </p>
          ))}
          <p className="apart">
            <b>{invoice.total}</b>
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
          </p>
        </div>
      </div>
    </section>
  );
}
