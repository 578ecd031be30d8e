import { contact } from "#content/pages/contact.ts";
import { WeekStrip } from "../../drawings/week-strip.tsx";
import { useSiteFacts } from "../../site-facts.ts";

/** The firm's title block: where to write, what to dial, and when somebody picks up. */
export function ContactCard() {
  const { settings } = useSiteFacts();
  const { card } = contact;
  const [mailbox, host] = settings.email.split("@");
  return (
    <section className="sheet contact-card" aria-labelledby="contact-card-heading">
      <h2 id="contact-card-heading">{card.heading}</h2>
      <dl>
        <div>
          <dt className="lettering">{card.email}</dt>
          <dd>
            <a href={`mailto:${settings.email}`}>
              {`${mailbox}@`}
              <wbr />
              {host}
            </a>
          </dd>
        </div>
        <div>
          <dt className="lettering">{card.phone}</dt>
          <dd>
            <a href={`tel:${settings.phone.replace(/[^+\d]/g, "")}`}>{settings.phone}</a>
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
