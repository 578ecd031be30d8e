import { useLocation } from "react-router";
import {
  clockTime,
  closedDays,
  type Hours,
  hours,
  openHours,
  torontoHours,
  weekdays,
} from "#content/hours.ts";
import { contact as usual } from "#content/pages/contact.ts";
import { businessOperations } from "#content/use-cases/business-operations.ts";
import { clientManagement } from "#content/use-cases/client-management.ts";
import { leads } from "#content/use-cases/leads.ts";
import { Draw } from "../drawings/pens.tsx";
import { ContactForm } from "../forms/contact-form.tsx";
import { contactAction } from "../forms/form-actions.server.ts";
import type { ContactOutcome } from "../forms/submit-contact-form.ts";
import { BookingButton } from "../scheduling/booking-button.tsx";
import { Masthead } from "../sections/page-sections.tsx";
import { metaOf } from "../seo/page-meta.ts";
import { useOwnWords, usePageWords, useSiteFacts } from "../site-facts.ts";
import { EmailLink, Link, PhoneLink } from "../ui/link.tsx";
import { OpenNow } from "../ui/open-now.tsx";
import { Facts } from "../ui/title-block.tsx";
import { unbroken } from "../ui/unbroken.tsx";
import { broughtMessage } from "../worksheet/calculation-sheet.tsx";
import type { Route } from "./+types/contact";

export const action = contactAction;

const worksheets = [leads, clientManagement, businessOperations].map(({ worksheet }) => worksheet);

export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders;
}

export const meta = metaOf(usual.head);

export default function ContactPage({ actionData }: Route.ComponentProps) {
  const own = useOwnWords("hours", hours);
  const contact = usePageWords(usual);
  return (
    <>
      <Masthead heading={contact.heading} lede={contact.lede}>
        <p className="contact-call below">
          <PhoneLink /> <OpenNow />
          <br />
          <span className="muted">{torontoHours(own)}</span>
        </p>
      </Masthead>
      <div className="wrap section tight contact-desk">
        <WorkOrder posted={actionData ?? null} />
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
  const { heading, items } = usual.questions;
  return (
    <section className="sheet quick-questions" aria-labelledby="quick-questions-heading">
      <h2 className="small-title" id="quick-questions-heading">
        {heading}
      </h2>
      <Facts
        columns={3}
        entries={items.map(({ key, text }) => ({ key, value: <p>{unbroken(text)}</p> }))}
      />
    </section>
  );
}

function WorkOrder({ posted }: { posted: ContactOutcome | null }) {
  const { heading, intro, orderKey, orderReply } = usual.form;
  return (
    <section className="sheet work-order">
      <header className="cells work-order-head" data-n="2">
        <div>
          <h2 className="title">{heading}</h2>
          <p className="muted">{intro}</p>
        </div>
        <dl className="facts">
          <dt className="lettering">{orderKey}</dt>
          <dd>{orderReply}</dd>
        </dl>
      </header>
      <ContactForm posted={posted} brought={broughtMessage(useLocation().search, worksheets)} />
    </section>
  );
}

function ContactCard() {
  const { card } = usual;
  const { settings } = useSiteFacts();
  const own = useOwnWords("hours", hours);
  const phone = (
    <>
      <PhoneLink /> <OpenNow />
    </>
  );
  const times = (
    <>
      {openHours(own)} <p className="muted">{`${card.zone} ${closedDays(own)}`.trim()}</p>
    </>
  );
  const entries = [
    { key: card.email, value: <EmailLink /> },
    ...(settings.phone ? [{ key: card.phone, value: phone }] : []),
    { key: card.hours, value: times },
  ];
  return (
    <section className="sheet contact-card" aria-labelledby="contact-card-heading">
      <h2 className="small-title" id="contact-card-heading">
        {card.heading}
      </h2>
      <Facts columns={3} entries={entries} />
      <WeekStrip hours={own} closed={card.closed} />
    </section>
  );
}

const dayWidth = 38;
const left = 46;
const top = 30;
const height = 74;
const right = left + weekdays.length * dayWidth;

/** Hidden from screen readers: the text beside it says the same. */
function WeekStrip({ hours: { days, opens, closes }, closed }: { hours: Hours; closed: string }) {
  return (
    <svg
      className="drawing week-strip"
      fontSize="14"
      viewBox={`0 0 ${right + 2} ${top + height + 10}`}
      aria-hidden="true"
    >
      {weekdays.map((day, index) => (
        <text key={day} x={left + (index + 0.5) * dayWidth} y="18" textAnchor="middle">
          {day[0]}
        </text>
      ))}
      <text x={left - 9} y={top + 9} textAnchor="end">
        {clockTime(opens)}
      </text>
      <text x={left - 9} y={top + height} textAnchor="end">
        {clockTime(closes)}
      </text>
      {runsOf(days).map(({ from, length, isOpen }) => {
        const x = left + from * dayWidth;
        const width = length * dayWidth;
        const dividers = `m${dayWidth} 0v${height}v-${height}`.repeat(length - 1);
        return isOpen ? (
          <Draw
            key={from}
            tint={`M${x} ${top}h${width}v${height}h-${width}z`}
            line={`M${x} ${top}${dividers}`}
          />
        ) : (
          <g key={from}>
            <Draw hidden={`M${x} ${top}h${width}v${height}h-${width}`} />
            {length > 1 && (
              <text x={x + width / 2} y={top + height / 2 + 4} textAnchor="middle">
                {closed}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

function runsOf(days: Hours["days"]) {
  const runs: { from: number; length: number; isOpen: boolean }[] = [];
  for (const [index, day] of weekdays.entries()) {
    const isOpen = days.includes(day);
    const run = runs.at(-1);
    if (run?.isOpen === isOpen) run.length += 1;
    else runs.push({ from: index, length: 1, isOpen });
  }
  return runs;
}

function DiscoveryCall() {
  const { heading, intro, points, duration, price, button } = usePageWords(usual).call;
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

/** Text only, but for the newsletter (specification). */
function OtherWays() {
  const { heading, items } = usePageWords(usual).otherWays;
  return (
    <section className="wrap section split">
      <h2 className="title">{heading}</h2>
      <ul className="rows keyed">
        {items.map((item) => (
          <li key={item.title}>
            <h3>{"path" in item ? <Link to={item.path}>{item.title}</Link> : item.title}</h3>
            <p>{item.text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Hidden from screen readers. */
function HalfHour({ duration, price }: { duration: string; price: string }) {
  return (
    <div aria-hidden="true">
      <p className="lettering">
        {duration}, {price}
      </p>
      <div className="scale">
        <p className="ruler apart lettering">
          {[0, 5, 10, 15, 20, 25, 30].map((tick) => (
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
