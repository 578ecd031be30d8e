import { contact } from "#content/pages/contact.ts";
import { HalfHour } from "../../drawings/half-hour.tsx";
import { BookingButton } from "../../scheduling/booking-button.tsx";

/** The free call, and what a visitor gets out of it. */
export function DiscoveryCall() {
  const { heading, intro, points, duration, price, button } = contact.call;
  return (
    <section className="blueprint on-dark discovery-call" id="discovery-call">
      <div className="wrap discovery-call-grid">
        <div>
          <h2>{heading}</h2>
          <p className="lede">{intro}</p>
          <BookingButton place="contact">{button}</BookingButton>
        </div>
        <div>
          <HalfHour duration={duration} price={price} />
          <ul>
            {points.map((point) => (
              <li key={point}>{point}</li>
            ))}
          </ul>
        </div>
      </div>
    </section>
  );
}
