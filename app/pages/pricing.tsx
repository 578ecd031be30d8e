import { dollars } from "#content/amounts.ts";
import { ownWords } from "#content/own-words.ts";
import { pricing as usual } from "#content/pages/pricing.ts";
import { sampleAudit } from "#content/sample-audit.ts";
import { Draw, Label, type Shape } from "../drawings/pens.tsx";
import { builds, Returns } from "../sample-audit/audit-sheets.tsx";
import { BookingButton } from "../scheduling/booking-button.tsx";
import {
  Breadcrumb,
  ClosingCall,
  DrawnSteps,
  Masthead,
  Questions,
  Section,
} from "../sections/page-sections.tsx";
import {
  breadcrumbStructuredData,
  faqStructuredData,
  metaOf,
  serviceStructuredData,
} from "../seo/page-meta.ts";
import { useOwnWords, usePageWords } from "../site-facts.ts";
import { Link } from "../ui/link.tsx";
import { TitleBlock } from "../ui/title-block.tsx";
import { unbroken } from "../ui/unbroken.tsx";

const crumbs = [
  { name: "Home", path: "/" },
  { name: usual.name, path: usual.head.path },
];

export const meta = metaOf((settings) => ({
  ...usual.head,
  structuredData: [
    serviceStructuredData(usual.service, settings),
    breadcrumbStructuredData(crumbs, settings.url),
    faqStructuredData(ownWords(settings, "pricing-questions", usual.questions.items)),
  ],
}));

export default function PricingPage() {
  const pricing = usePageWords(usual);
  const { closing, process } = pricing;
  return (
    <>
      <Breadcrumb crumbs={crumbs} />
      <Masthead heading={pricing.heading} lede={pricing.lede} />
      <PriceCards />
      <Section className="tight" heading={process.heading}>
        <DrawnSteps
          steps={process.steps.map(({ step, title, description }, index) => ({
            drawing: panels[index],
            mark: step,
            title,
            text: description,
          }))}
        />
      </Section>
      <SampleSheet />
      <Questions of="pricing-questions" {...pricing.questions} />
      <ClosingCall heading={closing.heading}>
        <BookingButton variant="ink">{closing.book}</BookingButton>
        <BookingButton variant="plain">{closing.request}</BookingButton>
      </ClosingCall>
    </>
  );
}

function PriceCards() {
  const { prices, segments } = usePageWords(usual);
  const own = useOwnWords("prices", prices.cards);
  return (
    <section className="section tight" aria-label={prices.label}>
      <div className="wrap">
        <ul className="sheet lifted cells price-cards" data-n="3">
          {own.map(({ id, title, price, terms, includes, action }) => (
            <li key={title}>
              <div>
                <h2 className="small-title">{title}</h2>
                <p className="price">{price}</p>
                <p className="small">{terms}</p>
              </div>
              <ul className="rows">
                {includes.map((item) => (
                  <li key={item}>{unbroken(item)}</li>
                ))}
              </ul>
              <BookingButton variant={id === "audit" ? "primary" : "plain"}>{action}</BookingButton>
            </li>
          ))}
        </ul>
        <TitleBlock
          className="sheet"
          columns={4}
          entries={segments.items.map(({ name, text }) => ({ key: name, value: unbroken(text) }))}
        />
      </div>
    </section>
  );
}

function SampleSheet() {
  const { head, onPricing, whole } = sampleAudit;
  const [before, after] = onPricing.text;
  return (
    <section className="section tight">
      <div className="wrap split">
        <div>
          <h2>{onPricing.heading}</h2>
          <p className="results below">
            {before} <b className="wide whitespace-nowrap">{builds.map(dollars).join(" to ")}</b>{" "}
            <small className="small">{after}</small>
          </p>
          <p className="below">
            <Link className="button" to={head.path}>
              {whole}
            </Link>
          </p>
        </div>
        <Returns withCost />
      </div>
    </section>
  );
}

const flat = "M-21 110H220";
const dug = "M-21 110H34L50 140H170L186 110H220";

/** One ground line, which joins when the panels are side by side. */
const panels = [
  <Panel
    key="stake"
    ground={flat}
    hidden="M78 70H220"
    line="M12 118l-8 10M36 118l-8 10M196 118l-8 10M216 118l-8 10"
    ink="M76 52h4v76h-4z"
    safety="M78 52h34l-9 11 9 11H78z"
    label="30 minutes"
    labelY={148}
  />,
  <Panel
    key="dig"
    ground={dug}
    hidden="M0 70H220M34 110H186"
    line="M212 118l-8 10M64 146l-8 10M160 146l-8 10"
    dimension="M110 110V140"
    ink="m110 110-3.5 9h7zM110 140l-3.5-9h7z"
    label="one month"
    labelY={98}
  />,
  <Panel
    key="footing"
    ground={dug}
    hidden="M0 70H220"
    chalk="M58 128h32v12H58zM130 128h32v12h-32zM68 96h12v32H68zM140 96h12v32h-12z"
    part="M60 88h100v8H60z"
    ink="m110 84-7-11h14z"
    label="level set"
    labelY={56}
  />,
  <Panel
    key="frame"
    ground={flat}
    part="M52 60h116v50H52z"
    route="M40 62 110 28l70 34"
    line="M75 60v50M98 60v50M121 60v50M144 60v50M52 85h116M110 28v32M75 45v15M145 45v15M14 118l-8 10M212 118l-8 10"
    label="1-2 weeks"
    labelY={142}
  />,
  <Panel
    key="storey"
    ground="M-21 110H440"
    chalk="M14 60h116v50H14z"
    part="M34 78h20v32H34zM76 78h28v16H76z"
    route="M2 62 72 28l70 34"
    hidden="M130 62h66v48M130 62V38h66v24M122 40l41-16 41 16M254 110V60h116v50M242 62l70-34 70 34"
    line="M212 118l-8 10"
    label="room for more"
    labelY={142}
  />,
];

type PanelProps = Shape & { ground: string; label: string; labelY: number };

function Panel({ ground, label, labelY, ...shape }: PanelProps) {
  return (
    <svg className="drawing" viewBox="0 31 220 121" aria-hidden="true">
      <Draw route={ground} />
      <Draw {...shape} />
      <Label x="110" y={labelY} textAnchor="middle" text={label} />
    </svg>
  );
}
