import { useCases } from "#content/pages/use-cases.ts";
import { UseCaseThumbnail } from "../drawings/use-case-thumbnails.tsx";
import { BookingButton } from "../scheduling/booking-button.tsx";
import {
  Breadcrumb,
  ClosingCall,
  Informed,
  Masthead,
  SectionHead,
} from "../sections/page-sections.tsx";
import { pageMeta, rootFacts } from "../seo/page-meta.ts";
import {
  breadcrumbStructuredData,
  faqStructuredData,
  serviceStructuredData,
} from "../seo/structured-data.ts";
import { Link } from "../ui/link.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { unbroken } from "../ui/unbroken.tsx";
import type { Route } from "./+types/use-cases";
import "../sections/breadcrumb.css";
import "../sections/use-cases/use-cases.css";

const crumbs = [
  { name: "Home", path: "/" },
  { name: useCases.name, path: useCases.head.path },
];

export function meta({ matches }: Route.MetaArgs) {
  const { settings } = rootFacts(matches);
  return pageMeta(
    {
      ...useCases.head,
      structuredData: [
        serviceStructuredData(useCases.service, settings),
        breadcrumbStructuredData(crumbs, settings.url),
        faqStructuredData(useCases.byTrade.tabs),
      ],
    },
    settings,
  );
}

export default function UseCasesPage() {
  return (
    <>
      <Breadcrumb crumbs={crumbs} />
      <Masthead heading={useCases.heading} lede={useCases.lede} />
      <SheetRegister />
      <ByTrade />
      <Informed {...useCases.informed} />
      <ClosingCall heading={useCases.closing.heading} text={useCases.closing.text}>
        <BookingButton variant="ink" />
      </ClosingCall>
    </>
  );
}

const { heading, lede, startingPoint, tabs } = useCases.byTrade;

function ByTrade() {
  return (
    <section className="section">
      <div className="wrap">
        <SectionHead heading={heading} text={lede} />
        <div className="trade-tabs">
          <Tabs
            label={heading}
            items={tabs.map((tab) => ({
              id: tab.id,
              label: tab.label,
              panel: <TradePanel {...tab} />,
            }))}
          />
        </div>
      </div>
    </section>
  );
}

function TradePanel({ label, capabilities, question, answer }: (typeof tabs)[number]) {
  return (
    <>
      <h3 className="trade-name">{label}</h3>
      <ul className="capabilities">
        {capabilities.map(({ title, text }) => (
          <li key={title}>
            <h4>{title}</h4>
            <p>{text}</p>
          </li>
        ))}
      </ul>
      <div className="trade-question">
        <h4>{question}</h4>
        <p>{answer}</p>
      </div>
      <p className="lettering starting-point">{unbroken(startingPoint)}</p>
    </>
  );
}

const { register, tiles } = useCases;

/** The seven use cases as the index of a drawing set, each with its result on a rule. */
function SheetRegister() {
  return (
    <section className="wrap register-section" aria-label="Use cases">
      <div className="sheet sheet-register">
        <p className="register-head lettering" aria-hidden="true">
          <span>{register.sheet}</span>
          <span>{register.work}</span>
          <span>{register.result}</span>
        </p>
        <ol>
          {tiles.map(({ path, title, text, figure, measure }, index) => (
            <li key={path}>
              <span className="register-number lettering" aria-hidden="true">
                {`U-${index + 1}`}
              </span>
              <UseCaseThumbnail path={path} />
              <div className="register-words">
                <h2>
                  <Link to={path}>{title}</Link>
                </h2>
                <p>{text}</p>
              </div>
              <div className="register-result">
                <p className="lettering">{figure}</p>
                <MeasuringRule {...measure} />
              </div>
              <svg className="register-way-in" viewBox="0 0 24 24" aria-hidden="true">
                <path d="M3 12h17M13 5l7 7-7 7" fill="none" stroke="currentColor" strokeWidth="2" />
              </svg>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

const divisions = 10;

function MeasuringRule({ from, to, end, unit }: (typeof tiles)[number]["measure"]) {
  const marks = Array.from(
    { length: divisions + 1 },
    (_, index) => `${index * (100 / divisions)}%`,
  );
  const percentOf = (value: number) => `${(value / end) * 100}%`;
  return (
    <svg className="measuring-rule" aria-hidden="true">
      {marks.map((x) => (
        <line key={x} x1={x} x2={x} y1="10" y2="16" />
      ))}
      <line x2="100%" y1="16" y2="16" />
      <rect className="measured" width={percentOf(from)} y="4" height="7" />
      {to > from && (
        <rect
          className="measured-range"
          x={percentOf(from)}
          width={percentOf(to - from)}
          y="4"
          height="7"
        />
      )}
      <text x="100%" y="20" dy="1em" textAnchor="end">
        {`${end}${unit}`}
      </text>
      <text y="20" dy="1em">
        0
      </text>
    </svg>
  );
}
