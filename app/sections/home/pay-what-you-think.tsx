import { Link } from "react-router";
import { home } from "#content/pages/home.ts";
import { unbroken } from "../../ui/unbroken.tsx";
import { WrittenPrice } from "../../worksheet/written-price.tsx";

export function PayWhatYouThink() {
  const { heading, text, link, invoice } = home.pay;
  return (
    <section className="section">
      <div className="wrap pay">
        <div>
          <h2>{heading}</h2>
          <div className="pay-words">
            {text.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </div>
          <p>
            <Link to={link.path}>{link.label}</Link>
          </p>
        </div>
        <div className="sheet invoice">
          <p className="invoice-row lettering">
            <span>Invoice</span>
            <span>{invoice.title}</span>
          </p>
          {invoice.lines.map(({ item, price }) => (
            <p className="invoice-row" key={item}>
              <span>{unbroken(item)}</span>
              <span className="lettering">{price}</span>
            </p>
          ))}
          <WrittenPrice label={invoice.total} />
        </div>
      </div>
    </section>
  );
}
