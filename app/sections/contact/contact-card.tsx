import { contact } from "#content/pages/contact.ts";
import { WeekStrip } from "../../drawings/week-strip.tsx";
import { EmailLink } from "../../ui/email-link.tsx";
import { PhoneLink } from "../../ui/phone-link.tsx";

/** The firm's title block: where to write, what to dial, and when somebody picks up. */
export function ContactCard() {
  const { card } = contact;
  return (
    <section className="sheet contact-card" aria-labelledby="contact-card-heading">
      <h2 id="contact-card-heading">{card.heading}</h2>
      <dl>
        <div>
          <dt className="lettering">{card.email}</dt>
          <dd>
            <EmailLink />
          </dd>
        </div>
        <div>
          <dt className="lettering">{card.phone}</dt>
          <dd>
            <PhoneLink />
          </dd>
        </div>
        <div>
          <dt className="lettering">{card.hours}</dt>
          <dd>
            <span className="contact-card-open">{card.open}</span>
            <span className="contact-card-closed">{card.closed}</span>
          </dd>
        </div>
      </dl>
      <WeekStrip {...card.week} />
    </section>
  );
}
