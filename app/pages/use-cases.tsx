import { pageWords } from "#content/own-words.ts";
import { useCases as usual } from "#content/pages/use-cases.ts";
import { Thumbnail } from "../drawings/thumbnail.tsx";
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
        <div className="wrap apart">
          <div>
            <h2 className="title">{informed.heading}</h2>
            <p className="muted">{informed.text}</p>
          </div>
          <Link className="button" to={informed.link.path}>
            {informed.link.label}
          </Link>
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
        <div className="day">
          <h3 className="title">{capabilitiesHeading}</h3>
          <ul className="capabilities cols steps below">
            <TitledItems items={capabilities} />
          </ul>
        </div>
      </div>
      <div className="cells" data-n="2">
        <div>
          <h3>{question}</h3>
          <p>{answer}</p>
        </div>
        <p className="small-title wide">{unbroken(byTrade.startingPoint)}</p>
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
              <Thumbnail of={path} />
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
