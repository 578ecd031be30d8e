import { pricing } from "#content/pages/pricing.ts";
import { BookingButton } from "../../scheduling/booking-button.tsx";

/** The three prices as one schedule of rates. */
export function PriceCards() {
  const { heading, cards } = pricing.prices;
  return (
    <section className="section price-section">
      <div className="wrap">
        <h2>{heading}</h2>
        <div className="price-cards sheet">
          {cards.map(({ title, price, terms, includes, action }, index) => (
            <div key={title}>
              <h3>{title}</h3>
              <p className="price">{price}</p>
              <p className="lettering">{terms}</p>
              <ul>
                {includes.map((item) => (
                  <li key={item}>{item}</li>
                ))}
              </ul>
              <BookingButton variant={index === 0 ? "primary" : "plain"}>{action}</BookingButton>
            </div>
          ))}
        </div>
      </div>
    </section>
  );
}
