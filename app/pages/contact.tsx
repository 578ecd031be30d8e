import { closedDays, hours, openHours, replyAfterPause } from "#content/hours.ts";
import { contact } from "#content/pages/contact.ts";
import { WeekStrip } from "../drawings/week-strip.tsx";
import { ContactForm } from "../forms/contact-form.tsx";
import { contactAction } from "../forms/submit-contact-form.ts";
import { BookingButton } from "../scheduling/booking-button.tsx";
import { Masthead } from "../sections/page-sections.tsx";
import { pageMeta, rootFacts } from "../seo/page-meta.ts";
import { useOwnWords } from "../site-facts.ts";
import { EmailLink, Link, PhoneLink } from "../ui/link.tsx";
import { OpenNow } from "../ui/open-now.tsx";
import { unbroken } from "../ui/unbroken.tsx";
import type { Route } from "./+types/contact";

export const action = contactAction;

export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders;
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(contact.head, rootFacts(matches).settings);
}

export default function ContactPage() {
  const own = useOwnWords("hours", hours);
  return (
    <>
      <Masthead heading={contact.heading} lede={contact.lede}>
        <p className="contact-call below">
          <PhoneLink /> <OpenNow />
          <br />
          <span className="muted">{openHours(own)}</span>
        </p>
      </Masthead>
      <div className="wrap section tight contact-desk">
        <WorkOrder />
        <div className="contact-aside">
          <ContactCard />
          <QuickQuestions />
        </div>
      </div>
      <DiscoveryCall />
      <OtherWays />
    </>
  );
}

function QuickQuestions() {
  const { heading, items } = contact.questions;
  return (
    <section className="sheet quick-questions" aria-labelledby="quick-questions-heading">
      <h2 className="small-title" id="quick-questions-heading">
        {heading}
      </h2>
      <dl className="cells facts" data-n="3">
        {items.map(({ key, text }) => (
          <div key={key}>
            <dt className="lettering">{key}</dt>
            <dd>
              <p>{unbroken(text)}</p>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function WorkOrder() {
  const { heading, intro, orderKey, orderReply } = contact.form;
  const own = useOwnWords("hours", hours);
  return (
    <section className="sheet work-order">
      <header className="cells work-order-head" data-n="2">
        <div>
          <h2 className="title">{heading}</h2>
          <p className="muted">{`${intro} ${replyAfterPause(own)}`.trim()}</p>
        </div>
        <dl className="facts">
          <dt className="lettering">{orderKey}</dt>
          <dd>{orderReply}</dd>
        </dl>
      </header>
      <ContactForm />
    </section>
  );
}

/** The firm's title block: address, phone and hours. */
function ContactCard() {
  const { card } = contact;
  const own = useOwnWords("hours", hours);
  return (
    <section className="sheet contact-card" aria-labelledby="contact-card-heading">
      <h2 className="small-title" id="contact-card-heading">
        {card.heading}
      </h2>
      <dl className="cells facts" data-n="3">
        <div>
          <dt className="lettering">{card.email}</dt>
          <dd>
            <EmailLink />
          </dd>
        </div>
        <div>
          <dt className="lettering">{card.phone}</dt>
          <dd>
            <PhoneLink /> <OpenNow />
          </dd>
        </div>
        <div>
          <dt className="lettering">{card.hours}</dt>
          <dd>
            {openHours(own)} <p className="muted">{closedDays(own)}</p>
          </dd>
        </div>
      </dl>
      <WeekStrip hours={own} closed={card.closed} />
    </section>
  );
}

function DiscoveryCall() {
  const { heading, intro, points, duration, price, button } = contact.call;
  return (
    <section className="section blueprint" id="discovery-call">
      <div className="wrap split">
        <div>
          <h2>{heading}</h2>
          <p className="lede">{intro}</p>
          <BookingButton place="contact" variant="light">
            {button}
          </BookingButton>
        </div>
        <div>
          <HalfHour duration={duration} price={price} />
          <ul className="rows">
            {points.map((point) => (
              <li key={point}>{point}</li>
            ))}
          </ul>
        </div>
      </div>
    </section>
  );
}

/** Live chat and WhatsApp are text only (specification); the newsletter is a link. */
function OtherWays() {
  const { heading, items } = contact.otherWays;
  return (
    <section className="wrap section split">
      <h2 className="title">{heading}</h2>
      <ul className="rows keyed">
        {items.map((item) => (
          <li key={item.title}>
            <h3 className="lettering accent">
              {"path" in item ? <Link to={item.path}>{item.title}</Link> : item.title}
            </h3>
            <p>{item.text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

const minutes = 30;
const step = 5;

type HalfHourProps = { duration: string; price: string };

/** The call's length and price as a dimensioned scale, hidden from screen readers. */
function HalfHour({ duration, price }: HalfHourProps) {
  const ticks = Array.from({ length: minutes / step + 1 }, (_, index) => index * step);
  return (
    <div aria-hidden="true">
      <p className="lettering">
        {duration}, {price}
      </p>
      <div className="scale">
        <p className="ruler apart lettering">
          {ticks.map((tick) => (
            <span key={tick}>{tick}</span>
          ))}
        </p>
        <svg className="bar" aria-hidden="true">
          <rect width="100%" />
        </svg>
      </div>
    </div>
  );
}
