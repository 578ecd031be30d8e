import { about } from "#content/pages/about.ts";
import { ServiceArea } from "../drawings/service-area.tsx";
import { BookingButton } from "../scheduling/booking-button.tsx";
import { ClosingCall } from "../sections/closing-call.tsx";
import { Informed } from "../sections/informed.tsx";
import { Masthead } from "../sections/masthead.tsx";
import { Questions } from "../sections/questions.tsx";
import { pageMeta, rootFacts } from "../seo/page-meta.ts";
import { faqStructuredData, organizationStructuredData } from "../seo/structured-data.ts";
import { useSiteFacts } from "../site-facts.ts";
import { Actions } from "../ui/button.tsx";
import { Link } from "../ui/link.tsx";
import { unbroken } from "../ui/unbroken.tsx";
import type { Route } from "./+types/about";
import "../sections/about/about.css";
import "../ui/actions.css";

export function meta({ matches }: Route.MetaArgs) {
  const { settings } = rootFacts(matches);
  return pageMeta(
    {
      ...about.head,
      structuredData: [
        organizationStructuredData(settings),
        faqStructuredData(about.questions.items),
      ],
    },
    settings,
  );
}

export default function AboutPage() {
  return (
    <>
      <Masthead heading={about.heading} lede={about.lede}>
        <Actions>
          <BookingButton />
        </Actions>
      </Masthead>
      <WhyWeExist />
      <WorkingTogether />
      <Informed {...about.informed} />
      <FoundingTeam />
      <Results />
      <Questions {...about.questions} />
      <ClosingCall heading={about.closing.heading} text={about.closing.text}>
        <BookingButton variant="ink" />
      </ClosingCall>
    </>
  );
}

function WhyWeExist() {
  const { heading, text, links } = about.why;
  const { settings } = useSiteFacts();
  return (
    <section className="section">
      <div className="wrap why">
        <div>
          <h2>{heading}</h2>
          {text.map((paragraph) => (
            <p key={paragraph}>{unbroken(paragraph)}</p>
          ))}
          <ul className="inline-links">
            {links.map(({ label, path }) => (
              <li key={path}>
                <Link to={path}>{label}</Link>
              </li>
            ))}
            <li>
              <a href={settings.profileUrl} rel="noopener">
                {about.profile.label}
              </a>
            </li>
          </ul>
        </div>
        <figure className="sheet">
          <ServiceArea />
        </figure>
      </div>
    </section>
  );
}

function WorkingTogether() {
  const { heading, steps } = about.process;
  return (
    <section className="section blueprint on-dark">
      <div className="wrap">
        <h2>{heading}</h2>
        <ol className="snapped-steps">
          {steps.map(({ title, text }) => (
            <li key={title}>
              <h3>{title}</h3>
              <p>{unbroken(text)}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

function FoundingTeam() {
  const { heading, lede, roles } = about.team;
  return (
    <section className="section">
      <div className="wrap">
        <div className="section-head">
          <h2>{heading}</h2>
          <p>{lede}</p>
        </div>
        <ul className="team">
          {roles.map(({ role, name, does }) => (
            <li key={role}>
              <h3>{name ?? role}</h3>
              {name && <p className="lettering">{role}</p>}
              <p>{does}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function Results() {
  const { heading, cards } = about.results;
  return (
    <section className="section results">
      <div className="wrap">
        <h2>{heading}</h2>
        <ul className="result-cards sheet">
          {cards.map(({ value, label, text }) => (
            <li key={value}>
              <p className="result-value">{value}</p>
              <h3>{label}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
