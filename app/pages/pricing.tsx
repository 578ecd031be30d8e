import { pricing } from "#content/pages/pricing.ts";
import { BookingButton } from "../scheduling/booking-button.tsx";
import { Breadcrumb } from "../sections/breadcrumb.tsx";
import { ClosingCall } from "../sections/closing-call.tsx";
import { Masthead } from "../sections/masthead.tsx";
import { PriceCards } from "../sections/pricing/price-cards.tsx";
import { ProcessSection } from "../sections/pricing/process-section.tsx";
import { Segments } from "../sections/pricing/segments.tsx";
import { Questions } from "../sections/questions.tsx";
import { breadcrumbStructuredData } from "../seo/breadcrumb-structured-data.ts";
import { faqStructuredData } from "../seo/faq-structured-data.ts";
import { pageMeta } from "../seo/page-meta.ts";
import { rootFacts } from "../seo/root-facts.ts";
import { serviceStructuredData } from "../seo/service-structured-data.ts";
import { Actions } from "../ui/actions.tsx";
import type { Route } from "./+types/pricing";
import "../sections/breadcrumb.css";
import "../sections/pricing/pricing.css";
import "../ui/actions.css";

const crumbs = [
  { name: "Home", path: "/" },
  { name: pricing.name, path: pricing.head.path },
];

export function meta({ matches }: Route.MetaArgs) {
  const { settings } = rootFacts(matches);
  return pageMeta(
    {
      ...pricing.head,
      structuredData: [
        serviceStructuredData(pricing.service, settings),
        breadcrumbStructuredData(crumbs, settings.url),
        faqStructuredData(pricing.questions.items),
      ],
    },
    settings,
  );
}

export default function PricingPage() {
  const { closing } = pricing;
  return (
    <>
      <Breadcrumb crumbs={crumbs} />
      <Masthead heading={pricing.heading} lede={pricing.lede}>
        <Actions>
          <BookingButton />
        </Actions>
      </Masthead>
      <ProcessSection />
      <PriceCards />
      <Segments />
      <div className="pricing-questions">
        <Questions {...pricing.questions} />
      </div>
      <ClosingCall heading={closing.heading} text={closing.text}>
        <BookingButton variant="ink">{closing.book}</BookingButton>
        <BookingButton variant="plain">{closing.request}</BookingButton>
      </ClosingCall>
    </>
  );
}
