import { contact } from "#content/pages/contact.ts";
import { contactAction } from "../forms/contact-action.ts";
import { ContactCard } from "../sections/contact/contact-card.tsx";
import { DiscoveryCall } from "../sections/contact/discovery-call.tsx";
import { OtherWays } from "../sections/contact/other-ways.tsx";
import { WorkOrder } from "../sections/contact/work-order.tsx";
import { Masthead } from "../sections/masthead.tsx";
import { pageMeta } from "../seo/page-meta.ts";
import { rootFacts } from "../seo/root-facts.ts";
import { unbroken } from "../ui/unbroken.tsx";
import type { Route } from "./+types/contact";
import "../sections/contact/contact.css";
import "../ui/line-end.css";

export const action = contactAction;

export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders;
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(contact.head, rootFacts(matches).settings);
}

export default function ContactPage() {
  return (
    <>
      <Masthead heading={contact.heading} lede={contact.lede} />
      <div className="wrap contact-desk">
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
      <h2 id="quick-questions-heading">{heading}</h2>
      <dl>
        {items.map(({ key, text }) => (
          <div key={key}>
            <dt className="lettering">{key}</dt>
            <dd>{unbroken(text)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
