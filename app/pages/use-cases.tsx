import { pageWords } from "#content/own-words.ts";
import { useCases as usual } from "#content/pages/use-cases.ts";
import { Draw, type Shape } from "../drawings/pens.tsx";
import { BookingButton } from "../scheduling/booking-button.tsx";
import { Breadcrumb, ClosingCall, TitledItems } from "../sections/page-sections.tsx";
import { crumbsOfUseCase, Opening } from "../sections/use-case/use-case-page.tsx";
import {
  breadcrumbStructuredData,
  faqStructuredData,
  metaOf,
  serviceStructuredData,
} from "../seo/page-meta.ts";
import { useNamed, usePageWords } from "../site-facts.ts";
import { Link } from "../ui/link.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { unbroken } from "../ui/unbroken.tsx";

const crumbs = crumbsOfUseCase(usual).slice(0, 2);

export const meta = metaOf((settings) => ({
  ...usual.head,
  structuredData: [
    serviceStructuredData(usual.service, settings),
    breadcrumbStructuredData(crumbs, settings.url),
    faqStructuredData(pageWords(settings, usual).byTrade.tabs),
  ],
}));

export default function UseCasesPage() {
  const useCases = usePageWords(usual);
  const { byTrade } = useCases;
  const informed = useNamed(useCases.informed);
  return (
    <>
      <Breadcrumb crumbs={crumbs} />
      <Opening {...useCases}>
        <BookingButton />
      </Opening>
      <div className="wrap case-drawing">
        <Tabs
          label={byTrade.heading}
          items={byTrade.tabs.map((tab) => ({
            id: tab.id,
            label: tab.label,
            panel: <TradePanel {...tab} />,
          }))}
        />
      </div>
      <section className="section informed">
        <div className="wrap split">
          <h2 className="title">{informed.heading}</h2>
          <div>
            <p className="muted">{informed.text}</p>
            <Link className="button below" to={informed.link.path}>
              {informed.link.label}
            </Link>
          </div>
        </div>
      </section>
      <ClosingCall heading={useCases.closing.heading} text={useCases.closing.text}>
        <BookingButton variant="ink" />
      </ClosingCall>
    </>
  );
}

const { byTrade, tiles } = usual;
type Trade = (typeof byTrade.tabs)[number];

function TradePanel({ label, rows, capabilitiesHeading, capabilities, question, answer }: Trade) {
  return (
    <>
      <div className="trade-name cells">
        <h2 className="title">{label}</h2>
      </div>
      <Register rows={rows} />
      <div className="cells">
        <h3>{capabilitiesHeading}</h3>
      </div>
      <ul className="capabilities cells" data-n="2">
        <TitledItems items={capabilities} />
      </ul>
      <div className="cells">
        <div>
          <h3>{question}</h3>
          <p>{answer}</p>
          <p className="lettering below">{unbroken(byTrade.startingPoint)}</p>
        </div>
      </div>
    </>
  );
}

function Register({ rows }: Pick<Trade, "rows">) {
  return (
    <div className="register">
      <ol className="rows linked">
        {rows.map(({ path, text }) => {
          const tile = tiles.find((each) => each.path === path);
          return (
            <li key={path}>
              <svg className="drawing thumbnail" viewBox="0 6 120 72" aria-hidden="true">
                <Draw {...thumbnails[path]} />
              </svg>
              <div>
                <h3>
                  <Link to={path}>
                    {tile?.title} <span aria-hidden="true">→</span>
                  </Link>
                </h3>
                <p>{text}</p>
              </div>
              <p>
                <b>{tile?.value}</b> {tile?.gain}
              </p>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

const thumbnails: Record<string, Shape> = {
  "/use-cases/leads": {
    part: "M6 9h26v14H6zM6 33h26v14H6zM6 57h26v14H6z",
    route: "M32 16h14v24M32 40h36M32 64h14V40M92 48v14",
    chalk: "M68 32h46v16H68z",
    safety: "M68 60h46v14H68zM46 36a4 4 0 1 1-.1 0z",
  },
  "/use-cases/content-creation": {
    part: "M6 26h10l4-6h14v38H6zM72 7h42v18H72zM72 31h42v18H72zM72 55h42v18H72z",
    line: "M12 44h16M12 50h10M80 13h24M80 18h16M80 37h24M80 42h16M80 61h24M80 66h16",
    route: "M42 40h30M56 16v48M56 16h16M56 64h16",
    safety: "M56 36a4 4 0 1 1-.1 0z",
  },
  "/use-cases/social-media": {
    part: "M6 8h108v64H6z",
    line: "M6 24h108M6 40h108M6 56h108M33 8v64M60 8v64M87 8v64",
    chalk:
      "M14 11h10v10H14zM14 27h10v10H14zM14 43h10v10H14zM14 59h10v10H14zM68 11h10v10H68zM68 27h10v10H68zM68 43h10v10H68zM68 59h10v10H68z",
    safety: "M100 27a5 5 0 1 1-.1 0zM100 59a5 5 0 1 1-.1 0z",
  },
  "/use-cases/email-management": {
    part: "M6 8h108v64H6z",
    safety: "M6 8h108v16H6z",
    line: "M6 40h108M6 56h108M14 32h52M14 48h64M14 64h44M94 32h12M90 48h16M96 64h10",
  },
  "/use-cases/business-operations": {
    part: "M50 28h32v11H50zM50 43h32v11H50zM50 58h32v11H50z",
    line: "M6 76h108M6 76v-4M24 76v-4M42 76v-4M60 76v-4M78 76v-4M96 76v-4M114 76v-4",
    route: "M30 24v38M30 34h20M30 48h20M30 62h20",
    chalk: "M18 8h62v14H18z",
    safety: "M30 24a4 4 0 1 1-.1 0z",
  },
  "/use-cases/client-management": {
    part: "M30 46h28v22H30zM66 46h28v22H66z",
    line: "M44 46V26M80 46V26M34 60c4-8 8 8 12 0s6 2 8 0M70 60c4-8 8 8 12 0s6 2 8 0",
    route: "M8 26h104",
    chalk:
      "M8 22a4 4 0 1 1-.1 0zM26 22a4 4 0 1 1-.1 0zM44 22a4 4 0 1 1-.1 0zM62 22a4 4 0 1 1-.1 0zM80 22a4 4 0 1 1-.1 0zM98 22a4 4 0 1 1-.1 0zM112 22a4 4 0 1 1-.1 0z",
  },
  "/use-cases/specialized-agents": {
    part: "M8 8h100v64H8z",
    line: "M41 8v14m0 20v30M75 8v14M8 46h50m14 0h36",
    route: "M0 30h120M62 30v32",
    safety: "M48 68h34v8H48zM62 56a4 4 0 1 1-.1 0z",
  },
};
