import type { ComponentProps } from "react";
import { useLocation } from "react-router";
import { closedDays, hours, openHours } from "#content/hours.ts";
import { contact as usual } from "#content/pages/contact.ts";
import { businessOperations } from "#content/use-cases/business-operations.ts";
import { clientManagement } from "#content/use-cases/client-management.ts";
import { leads } from "#content/use-cases/leads.ts";
import { Draw, dot } from "../drawings/pens.tsx";
import { broughtMessage } from "../forms/calculation-sheet.tsx";
import { ContactForm } from "../forms/contact-form.tsx";
import { contactAction } from "../forms/form-actions.server.ts";
import type { ContactOutcome } from "../forms/submit-contact-form.ts";
import { BookingButton } from "../scheduling/booking-button.tsx";
import { Masthead, Section } from "../sections/page-sections.tsx";
import { metaOf } from "../seo/page-meta.ts";
import { useOwnWords, usePageWords, useSiteFacts } from "../site-facts.ts";
import { EmailLink, Link, PhoneLink } from "../ui/link.tsx";
import { Facts } from "../ui/title-block.tsx";
import { unbroken } from "../ui/unbroken.tsx";
import type { Route } from "./+types/contact";

/** Each brings its sum here. */
const worksheets = [leads.cost, clientManagement.cost, businessOperations.cost];

export const action = contactAction;

export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders;
}

export const meta = metaOf(usual.head);

export default function ContactPage({ actionData }: Route.ComponentProps) {
  const { settings } = useSiteFacts();
  const contact = usePageWords(usual);
  return (
    <>
      <Masthead heading={contact.heading}>
        <div className="split below">
          <div>
            <p className="lede">{unbroken(contact.lede)}</p>
            {settings.phone && (
              <p className="contact-call below">
                <PhoneLink />
              </p>
            )}
          </div>
          <ReplyTime />
        </div>
      </Masthead>
      <div className="wrap section tight">
        <div className="sheet lifted contact-desk">
          <WorkOrder posted={actionData ?? null} />
          <div className="contact-aside">
            <ContactCard />
            <QuickQuestions />
          </div>
        </div>
      </div>
      <DiscoveryCall />
      <OtherWays />
    </>
  );
}

/** To scale: a tick an hour. */
function ReplyTime() {
  const { promise, from, to } = usual.reply;
  return (
    <figure>
      <p className="title wide">{unbroken(promise)}</p>
      <svg className="drawing" viewBox="0 0 504 34" overflow="visible" aria-hidden="true">
        <Draw
          dimension={Array.from(
            { length: 25 },
            (_, hour) => `M${21 * hour} ${hour % 6 ? 16 : 9}V22`,
          ).join("")}
          route="M0 22H504"
          part={dot(0, 22, 5)}
          safety={dot(504, 22, 5)}
        />
      </svg>
      <figcaption className="lettering apart">
        <span>{from}</span> <span>{to}</span>
      </figcaption>
    </figure>
  );
}

type CardProps = ComponentProps<typeof Facts> & { className: string; heading: string };

function Card({ className, heading, entries }: CardProps) {
  const id = `${className}-heading`;
  return (
    <section className={className} aria-labelledby={id}>
      <h2 className="small-title" id={id}>
        {heading}
      </h2>
      <Facts columns={3} entries={entries} />
    </section>
  );
}

function QuickQuestions() {
  const { heading, items } = usual.questions;
  const entries = items.map(({ key, text }) => ({ key, value: <p>{unbroken(text)}</p> }));
  return <Card className="quick-questions" heading={heading} entries={entries} />;
}

function WorkOrder({ posted }: { posted: ContactOutcome | null }) {
  const { heading, intro } = usual.form;
  return (
    <section className="work-order">
      <h2 className="title">{heading}</h2>
      <p className="muted">{intro}</p>
      <ContactForm posted={posted} brought={broughtMessage(useLocation().search, worksheets)} />
    </section>
  );
}

function ContactCard() {
  const { card } = usual;
  const { settings } = useSiteFacts();
  const own = useOwnWords("hours", hours);
  const times = (
    <>
      {openHours(own)} <p className="muted">{`${card.zone} ${closedDays(own)}`.trim()}</p>
    </>
  );
  const entries = [
    { key: card.email, value: <EmailLink /> },
    ...(settings.phone
      ? [
          { key: card.phone, value: <PhoneLink /> },
          { key: card.hours, value: times },
        ]
      : []),
  ];
  const heading = settings.phone ? card.heading : card.headingWithoutPhone;
  return <Card className="contact-card" heading={heading} entries={entries} />;
}

function DiscoveryCall() {
  const { heading, intro, points, button } = usePageWords(usual).call;
  return (
    <section className="section blueprint" id="discovery-call">
      <div className="wrap">
        <div className="split">
          <h2>{heading}</h2>
          <div>
            <p className="lede">{intro}</p>
            <BookingButton place="contact" variant="light">
              {button}
            </BookingButton>
          </div>
        </div>
        <dl className="rows keyed call-minutes">
          {points.map(({ at, text }) => (
            <div key={at}>
              <dt className="lettering">
                {at}
                <PartOfCall at={at} />
              </dt>
              <dd>{unbroken(text)}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}

/** To scale: four units a minute of thirty. */
function PartOfCall({ at }: { at: string }) {
  const whole = at.startsWith("$") ? 30 : 0;
  const [, from = 0, to = whole] = at.match(/^(\d+)-(\d+)/)?.map(Number) ?? [];
  return (
    <svg viewBox="-1 0 122 10" aria-hidden="true">
      <path d={`M${4 * from} 2H${4 * to}V8H${4 * from}z`} fill="currentColor" />
      <path d="M0 8H120M0 0V9M40 3V9M100 3V9M120 0V9" stroke="currentColor" />
    </svg>
  );
}

/** Text only, but for the newsletter (specification). */
function OtherWays() {
  const { heading, items } = usePageWords(usual).otherWays;
  return (
    <Section heading={heading}>
      <ul className="sheet cells" data-n="3">
        {items.map((item) => (
          <li key={item.title}>
            <h3>{"path" in item ? <Link to={item.path}>{item.title}</Link> : item.title}</h3>
            <p>{item.text}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
