import { useCases } from "#content/pages/use-cases.ts";
import { Tabs } from "../../ui/tabs.tsx";
import { unbroken } from "../../ui/unbroken.tsx";

const { heading, lede, startingPoint, tabs } = useCases.byTrade;

/** What each kind of firm asks for most. */
export function ByTrade() {
  return (
    <section className="section">
      <div className="wrap">
        <div className="section-head">
          <h2>{heading}</h2>
          <p>{lede}</p>
        </div>
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
