import { ownWords } from "#content/own-words.ts";
import { about as usual } from "#content/pages/about.ts";
import { team } from "#content/team.ts";
import { Dimension, Draw } from "../drawings/pens.tsx";
import { BookingButton } from "../scheduling/booking-button.tsx";
import {
  ClosingCall,
  Informed,
  Masthead,
  Questions,
  Section,
  TitledItems,
} from "../sections/page-sections.tsx";
import { faqStructuredData, metaOf } from "../seo/page-meta.ts";
import { useOwnWords, usePageWords, useSiteFacts } from "../site-facts.ts";
import { LinkItems } from "../ui/link.tsx";
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
      <Masthead heading={about.heading} lede={about.lede}>
        <div className="actions cluster">
          <BookingButton />
        </div>
      </Masthead>
      <WhyWeExist />
      <WorkingTogether />
      <Informed {...about.informed} />
      <FoundingTeam />
      <Results />
      <Questions of="about-questions" {...about.questions} />
      <ClosingCall heading={about.closing.heading} text={about.closing.text}>
        <BookingButton variant="ink" />
      </ClosingCall>
    </>
  );
}

function WhyWeExist() {
  const { why, profile } = usePageWords(usual);
  const { heading, text, links } = why;
  const { settings } = useSiteFacts();
  return (
    <section className="section">
      <div className="wrap">
        <div className="lead">
          <h2>{heading}</h2>
          <div>
            {text.map((paragraph) => (
              <p key={paragraph}>{unbroken(paragraph)}</p>
            ))}
            <ul className="cluster below">
              <LinkItems links={links} />
              {settings.profileUrl && (
                <li>
                  <a href={settings.profileUrl} rel="noopener">
                    {profile.label}
                  </a>
                </li>
              )}
            </ul>
          </div>
        </div>
        <figure className="sheet lifted service-area">
          <ServiceArea />
        </figure>
      </div>
    </section>
  );
}

function WorkingTogether() {
  const { heading, steps } = usePageWords(usual).process;
  return (
    <Section className="blueprint" heading={heading}>
      <ol className="cols steps">
        <TitledItems items={steps} />
      </ol>
    </Section>
  );
}

function FoundingTeam() {
  const { heading, unnamed, lede } = usePageWords(usual).team;
  const members = useOwnWords("team", team);
  const signatures = signaturesOf(members);
  const isNamed = members.some(({ name }) => name);
  return (
    <Section heading={isNamed ? heading : unnamed} text={isNamed ? lede : undefined}>
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

/** 385 units a degree of latitude. */
const towns = [
  { name: "Burlington", x: 105, y: 271, label: { x: 8, y: 256, anchor: "start" } },
  { name: "Oakville", x: 140, y: 225, label: { x: 130, y: 234, anchor: "end" } },
  { name: "Mississauga", x: 151, y: 177, label: { x: 124, y: 160, anchor: "end" } },
  { name: "Brampton", x: 117, y: 133, label: { x: 117, y: 121, anchor: "middle" } },
  { name: "Vaughan", x: 190, y: 79, label: { x: 176, y: 66, anchor: "end" } },
  { name: "Markham", x: 248, y: 70, label: { x: 260, y: 56, anchor: "end" } },
  { name: "Pickering", x: 314, y: 82, label: { x: 268, y: 50, anchor: "start" } },
  { name: "Oshawa", x: 378, y: 56, label: { x: 382, y: 26, anchor: "middle" } },
] as const;

function ServiceArea() {
  return (
    <svg
      className="drawing pad"
      viewBox="-105 6 630 290"
      preserveAspectRatio="xMidYMid slice"
      role="img"
      aria-labelledby="service-area-title service-area-description"
      fontSize="14"
    >
      <title id="service-area-title">Service area</title>
      <desc id="service-area-description">
        The north shore of Lake Ontario from Burlington to Oshawa along Highway 401, with Toronto in
        the middle and Oakville, Mississauga, Brampton, Vaughan, Markham and Pickering around it.
      </desc>
      <Draw
        tint="M240 340 177 327 124 318 91 304 108 282 145 236 169 193 201 162 227 160 275 138 314 97 358 79 390 70 424 62 470 56 530 40V340Z"
        route="M-110 258-60 240-4 222 60 206 119 182 175 134 211 112 267 99 314 82 349 70 378 56 424 46 530 28"
        line="m127 162 20 12M315 54v22"
      />
      <text fill="var(--color-chalk)" x="40" y="200" textAnchor="middle">
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
      <circle className="solid-safety" cx="226" cy="152" r="8" />
      <text className="note" fontSize="1.25em" x="238" y="138" textAnchor="middle">
        Toronto
      </text>
      <text x="330" y="190" textAnchor="middle" fill="var(--color-ink-2)">
        Lake Ontario
      </text>
      <Dimension from={270} to={357} at={256} reach={242} label="25 km" />
    </svg>
  );
}
