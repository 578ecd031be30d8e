import { ownWords } from "#content/own-words.ts";
import { about as usual } from "#content/pages/about.ts";
import { team } from "#content/team.ts";
import { callNote } from "#content/use-case.ts";
import { Dimension, Draw } from "../drawings/pens.tsx";
import { BookingButton } from "../scheduling/booking-button.tsx";
import {
  ChalkLine,
  ClosingCall,
  Questions,
  Section,
  TitledItems,
} from "../sections/page-sections.tsx";
import { faqStructuredData, metaOf } from "../seo/page-meta.ts";
import { useOwnWords, usePageWords, useSiteFacts } from "../site-facts.ts";
import { Link, LinkItems } from "../ui/link.tsx";
import { signaturesOf, TitleBlock } from "../ui/title-block.tsx";
import { Figure, unbroken } from "../ui/unbroken.tsx";

export const meta = metaOf((settings) => ({
  ...usual.head,
  structuredData: [faqStructuredData(ownWords(settings, "about-questions", usual.questions.items))],
}));

export default function AboutPage() {
  const about = usePageWords(usual);
  return (
    <>
      <Hero />
      <Results />
      <WhyWeExist />
      <WorkingTogether />
      <FoundingTeam />
      <Credentials />
      <Questions of="about-questions" {...about.questions} />
      <ClosingCall heading={about.closing.heading}>
        <BookingButton variant="ink" />
      </ClosingCall>
    </>
  );
}

function Hero() {
  const { heading, lede, area } = usePageWords(usual);
  return (
    <div className="hero">
      <div className="wrap hero-grid">
        <h1>{heading}</h1>
        <ChalkLine />
        <div>
          <p className="lede">{unbroken(lede)}</p>
          <div className="actions cluster">
            <BookingButton />
            <p className="small muted">{callNote}</p>
          </div>
        </div>
        <figure className="sheet lifted hero-drawing">
          <ServiceArea />
          <TitleBlock entries={area} />
        </figure>
      </div>
    </div>
  );
}

function WhyWeExist() {
  const { why, profile, reviews } = usePageWords(usual);
  const { settings } = useSiteFacts();
  const elsewhere = [
    { ...profile, path: settings.profileUrl },
    { ...reviews, path: settings.reviewsUrl },
  ].filter(({ path }) => path);
  return (
    <section className="section">
      <div className="wrap split">
        <div>
          <h2>{why.heading}</h2>
          {why.text.map((paragraph) => (
            <p key={paragraph}>{unbroken(paragraph)}</p>
          ))}
          <ul className="cluster below">
            <LinkItems links={[...why.links, ...elsewhere]} />
          </ul>
        </div>
        <UnnamedTeam />
      </div>
    </section>
  );
}

function UnnamedTeam() {
  const { heading, unnamed } = usePageWords(usual).team;
  if (useOwnWords("team", team).some(({ name }) => name)) return null;
  return (
    <div className="sheet lifted cells">
      <div>
        <h2 className="title">{heading}</h2>
        <p>{unnamed.text}</p>
        <p>
          <Link to="/contact">{unnamed.ask}</Link>
        </p>
      </div>
    </div>
  );
}

function WorkingTogether() {
  const { process, informed } = usePageWords(usual);
  return (
    <Section className="blueprint" heading={process.heading}>
      <ol className="cols steps">
        <TitledItems items={process.steps} />
      </ol>
      <div className="rows">
        <p className="lede apart">
          {informed.text}{" "}
          <Link className="button button-light" to={informed.link.path}>
            {informed.link.label}
          </Link>
        </p>
      </div>
    </Section>
  );
}

function FoundingTeam() {
  const { heading, lede } = usePageWords(usual).team;
  const members = useOwnWords("team", team);
  const signatures = signaturesOf(members);
  if (!members.some(({ name }) => name)) return null;
  return (
    <Section heading={heading}>
      <p className="muted">{lede}</p>
      <ul className="rows">
        {members.map(({ role, name, does, portrait }) => (
          <li key={role} className="lead">
            <div>
              {portrait && (
                <img
                  className="sheet"
                  src={portrait}
                  alt={`Portrait of ${name || role}`}
                  width="160"
                  height="160"
                />
              )}
              <h3 className={portrait ? "below" : ""}>{name || role}</h3>
              {name && <p className="lettering">{role}</p>}
            </div>
            <p className="muted">{does}</p>
          </li>
        ))}
      </ul>
      {signatures.length > 0 && <TitleBlock className="sheet" entries={signatures} />}
    </Section>
  );
}

/** Facts that a registry or an insurer confirms. */
function Credentials() {
  const { settings } = useSiteFacts();
  const entries = (["registration", "clearance", "insurance"] as const)
    .map((name) => ({ key: usual.credentials[name], value: settings[name] }))
    .filter(({ value }) => value);
  if (entries.length === 0) return null;
  return (
    <div className="section">
      <div className="wrap">
        <TitleBlock className="sheet" columns={entries.length} entries={entries} />
      </div>
    </div>
  );
}

function Results() {
  const { heading, cards } = usePageWords(usual).results;
  return (
    <Section className="tight" heading={heading}>
      <ul className="sheet lifted cells" data-n="3">
        {cards.map(({ value, label, text }) => (
          <li className="figure-stat" key={value}>
            <h3>
              <b>
                <Figure value={value} />
              </b>{" "}
              {label}
            </h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Turned by 38 degrees, so that the shore runs across the sheet; 424 units a degree of latitude. */
const towns = [
  { name: "Burlington", x: 30, y: 150, label: { x: 22, y: 184, anchor: "start" } },
  { name: "Oakville", x: 92, y: 134, label: { x: 70, y: 119, anchor: "middle" } },
  { name: "Mississauga", x: 134, y: 100, label: { x: 145, y: 108, anchor: "start" } },
  { name: "Brampton", x: 134, y: 39, label: { x: 123, y: 44, anchor: "end" } },
  { name: "Vaughan", x: 234, y: 42, label: { x: 245, y: 47, anchor: "start" } },
  { name: "Markham", x: 290, y: 74, label: { x: 301, y: 79, anchor: "start" } },
  { name: "Oshawa", x: 412, y: 150, label: { x: 424, y: 123, anchor: "end" } },
] as const;

function ServiceArea() {
  return (
    <svg
      className="drawing pad"
      viewBox="0 0 430 236"
      role="img"
      aria-labelledby="service-area-title service-area-description"
    >
      <title id="service-area-title">Service area</title>
      <desc id="service-area-description">
        The north shore of Lake Ontario from Burlington to Oshawa along Highway 401, with Toronto in
        the middle and Oakville, Mississauga, Brampton, Vaughan, and Markham around it.
      </desc>
      <path
        fill="var(--color-chalk-soft)"
        stroke="var(--color-ink)"
        d="M-8 302V200Q-8 168 25 161L88 147 138 126 187 121 211 137 267 151 329 142 379 156 413 170 448 186 492 213 555 240z"
      />
      <Draw
        route="M-147-8-91 11-31 34 35 63 103 83 184 79 230 85 287 112 339 129 378 142 412 150 459 173 563 229"
        dimension="m22 224 17-22"
        ink="m42 198-1 10-7-5z"
      />
      <text x="48" y="214">
        N
      </text>
      <text fill="var(--color-chalk)" x="316" y="108" textAnchor="middle">
        401
      </text>
      {towns.map(({ name, x, y, label }) => (
        <g key={name}>
          <circle className="part" cx={x} cy={y} r="4.5" />
          <text x={label.x} y={label.y} textAnchor={label.anchor}>
            {name}
          </text>
        </g>
      ))}
      <circle className="solid-safety" cx="216" cy="130" r="8" />
      <text fontSize="1.25em" x="216" y="175" textAnchor="middle">
        Toronto
      </text>
      <text x="190" y="219" textAnchor="middle" fill="var(--color-ink-2)">
        Lake Ontario
      </text>
      <Dimension from={316} to={411} at={208} reach={216} label="25 km" />
    </svg>
  );
}
