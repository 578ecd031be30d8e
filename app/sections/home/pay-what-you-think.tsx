import { Link } from "react-router";
import { home } from "#content/pages/home.ts";

export function PayWhatYouThink() {
  const { heading, text, link, invoice } = home.pay;
  return (
    <section className="section">
      <div className="wrap pay">
        <div>
          <h2>{heading}</h2>
          <div className="mt-5 max-w-[54ch] grid gap-y-4 text-ink-2">
            {text.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </div>
          <p className="mt-6">
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
              <span>{item}</span>
              <span className="lettering">{price}</span>
            </p>
          ))}
          <p className="invoice-total">
            <b>{invoice.total}</b>
            <HandwrittenAmount />
          </p>
        </div>
      </div>
    </section>
  );
}

/** A dollar sign and a figure that only the client can read. */
function HandwrittenAmount() {
  return (
    <svg className="invoice-amount" viewBox="0 0 170 48" aria-hidden="true">
      <path
        d="M20 10c-8 2-10 9-3 11s12 5 7 10-16 3-16 3M15 4v36M44 30c10-2 17-12 27-7s-2 14 12 9 15-14 27-12 8 12 22 7 10-4 16-4"
        fill="none"
        stroke="var(--color-chalk)"
        strokeWidth="2.6"
        strokeLinecap="round"
      />
      <path d="M2 45h166" stroke="var(--color-chalk)" strokeWidth="2" />
    </svg>
  );
}
