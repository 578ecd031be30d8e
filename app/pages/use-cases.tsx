import { useCases } from "#content/pages/use-cases.ts";
import { UseCaseThumbnail } from "../drawings/use-case-thumbnails.tsx";
import { BookingButton } from "../scheduling/booking-button.tsx";
import { Breadcrumb, ClosingCall, Informed, Masthead } from "../sections/page-sections.tsx";
import { metaOf } from "../seo/page-meta.ts";
import {
  breadcrumbStructuredData,
  faqStructuredData,
  serviceStructuredData,
} from "../seo/structured-data.ts";
import { Link } from "../ui/link.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { unbroken } from "../ui/unbroken.tsx";

const crumbs = [
  { name: "Home", path: "/" },
  { name: useCases.name, path: useCases.head.path },
];

export const meta = metaOf((settings) => ({
  ...useCases.head,
  structuredData: [
    serviceStructuredData(useCases.service, settings),
    breadcrumbStructuredData(crumbs, settings.url),
    faqStructuredData(useCases.byTrade.tabs),
  ],
}));

export default function UseCasesPage() {
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

const { byTrade, register, tiles } = useCases;
type Trade = (typeof byTrade.tabs)[number];

function TradePanel({ label, rows, capabilities, question, answer }: Trade) {
  return (
    <>
      <h2 className="trade-name">{label}</h2>
      <Register rows={rows} />
      <ul className="capabilities cells" data-n="2">
        {capabilities.map(({ title, text }) => (
          <li key={title}>
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
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

/** The seven use cases as the index of a drawing set, in the order in which the trade starts. */
function Register({ rows }: Pick<Trade, "rows">) {
  return (
    <div className="register">
      <p className="register-head lettering accent" aria-hidden="true">
        <span>{register.sheet}</span>
        <span>{register.work}</span>
        <span>{register.result}</span>
      </p>
      <ol className="rows linked">
        {rows.map(({ path, text }) => {
          const number = tiles.findIndex((tile) => tile.path === path);
          return (
            <li key={path}>
              <span className="lettering accent" aria-hidden="true">{`U-${number + 1}`}</span>
              <UseCaseThumbnail path={path} />
              <div>
                <h3>
                  <Link to={path}>{tiles[number]?.title}</Link>
                </h3>
                <p>{text}</p>
              </div>
              <b>{tiles[number]?.figure}</b>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
