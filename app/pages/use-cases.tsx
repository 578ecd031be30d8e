import { pageWords } from "#content/own-words.ts";
import { useCases as usual } from "#content/pages/use-cases.ts";
import { Draw, type Shape } from "../drawings/pens.tsx";
import { BookingButton } from "../scheduling/booking-button.tsx";
import {
  Breadcrumb,
  ClosingCall,
  Informed,
  Masthead,
  TitledItems,
} from "../sections/page-sections.tsx";
import {
  breadcrumbStructuredData,
  faqStructuredData,
  metaOf,
  serviceStructuredData,
} from "../seo/page-meta.ts";
import { usePageWords } from "../site-facts.ts";
import { Link } from "../ui/link.tsx";
import { Tabs } from "../ui/tabs.tsx";
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
    faqStructuredData(pageWords(settings, usual).byTrade.tabs),
  ],
}));

export default function UseCasesPage() {
  const useCases = usePageWords(usual);
  const { byTrade } = useCases;
  return (
    <>
      <Breadcrumb crumbs={crumbs} />
      <Masthead heading={useCases.heading} lede={useCases.lede} />
      <div className="wrap section tight">
        <Tabs
          label={byTrade.heading}
          items={byTrade.tabs.map((tab) => ({
            id: tab.id,
            label: tab.label,
            panel: <TradePanel {...tab} />,
          }))}
        />
      </div>
      <Informed {...useCases.informed} />
      <ClosingCall heading={useCases.closing.heading} text={useCases.closing.text}>
        <BookingButton variant="ink" />
      </ClosingCall>
    </>
  );
}

const { byTrade, register, tiles } = usual;
type Trade = (typeof byTrade.tabs)[number];

function TradePanel({ label, rows, capabilitiesHeading, capabilities, question, answer }: Trade) {
  return (
    <>
      <h2 className="trade-name">{label}</h2>
      <Register rows={rows} />
      <h3 className="title capabilities-heading">{capabilitiesHeading}</h3>
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
      <p className="register-head lettering accent" aria-hidden="true">
        <span>{register.work}</span>
        <span>{register.result}</span>
      </p>
      <ol className="rows linked">
        {rows.map(({ path, text }) => {
          const tile = tiles.find((each) => each.path === path);
          return (
            <li key={path}>
              <svg className="drawing thumbnail" viewBox="0 0 120 80" aria-hidden="true">
                <Draw {...thumbnails[path]} />
              </svg>
              <div>
                <h3>
                  <Link to={path}>{tile?.title}</Link>
                </h3>
                <p>{text}</p>
              </div>
              <b>{tile?.figure}</b>
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
    line: "M60 8v64M6 30h108M6 51h108M68 24h38M68 20h38M14 45h30M68 45h30M14 65h36M68 65h38M68 61h38M68 57h38",
    safety: "M6 8h54v22H6z",
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
    line: "M6 12h108M64 12v62",
    chalk: "M14 18h50v10H14zM70 33h38v10H70zM42 48h44v10H42zM24 63h66v10H24z",
    safety: "M54 19a4 4 0 1 1-.1 0zM54 49a4 4 0 1 1-.1 0zM54 64a4 4 0 1 1-.1 0z",
  },
};
