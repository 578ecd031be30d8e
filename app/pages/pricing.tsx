import { ownWords } from "#content/own-words.ts";
import { pricing } from "#content/pages/pricing.ts";
import { ProjectSectionPanel } from "../drawings/project-section.tsx";
import { BookingButton } from "../scheduling/booking-button.tsx";
import { Breadcrumb, ClosingCall, Masthead, Questions } from "../sections/page-sections.tsx";
import { pageMeta, rootFacts } from "../seo/page-meta.ts";
import {
  breadcrumbStructuredData,
  faqStructuredData,
  serviceStructuredData,
} from "../seo/structured-data.ts";
import { useOwnWords } from "../site-facts.ts";
import { unbroken } from "../ui/unbroken.tsx";
import type { Route } from "./+types/pricing";

const crumbs = [
  { name: "Home", path: "/" },
  { name: pricing.name, path: pricing.head.path },
];

export function meta({ matches }: Route.MetaArgs) {
  const { settings } = rootFacts(matches);
  return pageMeta(
    {
      ...pricing.head,
      structuredData: [
        serviceStructuredData(pricing.service, settings),
        breadcrumbStructuredData(crumbs, settings.url),
        faqStructuredData(ownWords(settings, "pricing-questions", pricing.questions.items)),
      ],
    },
    settings,
  );
}

export default function PricingPage() {
  const { closing } = pricing;
  return (
    <>
      <Breadcrumb crumbs={crumbs} />
      <Masthead heading={pricing.heading} lede={pricing.lede} />
      <PriceCards />
      <ProcessSection />
      <Segments />
      <Questions of="pricing-questions" {...pricing.questions} />
      <ClosingCall heading={closing.heading} text={closing.text}>
        <BookingButton variant="ink">{closing.book}</BookingButton>
        <BookingButton variant="plain">{closing.request}</BookingButton>
      </ClosingCall>
    </>
  );
}

function ProcessSection() {
  const { heading, steps } = pricing.process;
  return (
    <section className="section">
      <div className="wrap">
        <h2>{heading}</h2>
        <ol className="drawn-steps">
          {steps.map(({ step, title, description }, index) => (
            <li key={step}>
              <ProjectSectionPanel step={index} />
              <div>
                <p className="lettering accent">{step}</p>
                <h3>{title}</h3>
                <p>{unbroken(description)}</p>
              </div>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

function PriceCards() {
  const { heading, cards } = pricing.prices;
  const own = useOwnWords("prices", cards);
  return (
    <section className="section tight">
      <div className="wrap">
        <h2>{heading}</h2>
        <div className="sheet lifted cells price-cards">
          {own.map((card, index) => (
            <div key={card.title}>
              <h3>{card.title}</h3>
              <p className="price">{card.price}</p>
              <p className="lettering">{card.terms}</p>
              <ul className="rows columns">
                {card.includes.map((item) => (
                  <li key={item}>{item}</li>
                ))}
              </ul>
              <BookingButton variant={index === 0 ? "primary" : "plain"}>
                {card.action}
              </BookingButton>
            </div>
          ))}
        </div>
      </div>
    </section>
  );
}

function Segments() {
  const { heading, items } = pricing.segments;
  return (
    <section className="section tight blueprint">
      <div className="wrap">
        <h2 className="title">{heading}</h2>
        <ul className="cols">
          {items.map(({ name, text }) => (
            <li key={name}>
              <h3>{name}</h3>
              <p>{unbroken(text)}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
