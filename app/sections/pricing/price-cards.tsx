import { pricing } from "#content/pages/pricing.ts";
import { BookingButton } from "../../scheduling/booking-button.tsx";
import { WrittenPrice } from "../../worksheet/written-price.tsx";

/** The three prices as one schedule of rates; the one that is the visitor’s to name has a line to write it on. */
export function PriceCards() {
  const { heading, cards } = pricing.prices;
  return (
    <section className="section price-section">
      <div className="wrap">
        <h2>{heading}</h2>
        <div className="price-cards sheet">
          {cards.map((card, index) => (
            <div key={card.title}>
              <h3>{card.title}</h3>
              <p className="price">{card.price}</p>
              <p className="lettering">{card.terms}</p>
              <ul>
                {card.includes.map((item) => (
                  <li key={item}>{item}</li>
                ))}
              </ul>
              {"yours" in card && <WrittenPrice label={card.yours} />}
              <BookingButton variant={index === 0 ? "primary" : "plain"}>
                {card.action}
              </BookingButton>
            </div>
          ))}
        </div>
      </div>
    </section>
  );
}
