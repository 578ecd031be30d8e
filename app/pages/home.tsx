import { home } from "#content/pages/home.ts";
import { BookingButton } from "../scheduling/booking-button.tsx";
import { ClosingCall } from "../sections/closing-call.tsx";
import { AuditProcess } from "../sections/home/audit-process.tsx";
import { Deliverables } from "../sections/home/deliverables.tsx";
import { Hero } from "../sections/home/hero.tsx";
import { PayWhatYouThink } from "../sections/home/pay-what-you-think.tsx";
import { Questions } from "../sections/questions.tsx";
import { faqStructuredData } from "../seo/faq-structured-data.ts";
import { pageMeta } from "../seo/page-meta.ts";
import { rootFacts } from "../seo/root-facts.ts";
import { unbroken } from "../ui/unbroken.tsx";
import type { Route } from "./+types/home";
import "../sections/home/home.css";

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(
    { ...home.head, structuredData: [faqStructuredData(home.questions.items)] },
    rootFacts(matches).settings,
  );
}

export default function HomePage() {
  return (
    <>
      <Hero />
      <StatStrip />
      <AuditProcess />
      <Deliverables />
      <PayWhatYouThink />
      <Questions {...home.questions} />
      <ClosingCall heading={home.closing.heading}>
        <BookingButton variant="ink" />
      </ClosingCall>
    </>
  );
}

function StatStrip() {
  return (
    <div className="stat-strip">
      <dl className="wrap">
        {home.stats.map(({ value, label }) => (
          <div key={value}>
            <dt>{label}</dt>
            <dd>{unbroken(value)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
