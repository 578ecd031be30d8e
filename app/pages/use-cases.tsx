import { useCases } from "#content/pages/use-cases.ts";
import { BookingButton } from "../scheduling/booking-button.tsx";
import { Breadcrumb } from "../sections/breadcrumb.tsx";
import { ClosingCall } from "../sections/closing-call.tsx";
import { Informed } from "../sections/informed.tsx";
import { Masthead } from "../sections/masthead.tsx";
import { ByTrade } from "../sections/use-cases/by-trade.tsx";
import { SheetRegister } from "../sections/use-cases/sheet-register.tsx";
import { breadcrumbStructuredData } from "../seo/breadcrumb-structured-data.ts";
import { faqStructuredData } from "../seo/faq-structured-data.ts";
import { pageMeta } from "../seo/page-meta.ts";
import { rootFacts } from "../seo/root-facts.ts";
import { serviceStructuredData } from "../seo/service-structured-data.ts";
import type { Route } from "./+types/use-cases";
import "../sections/breadcrumb.css";
import "../sections/use-cases/use-cases.css";

const crumbs = [
  { name: "Home", path: "/" },
  { name: useCases.name, path: useCases.head.path },
];

export function meta({ matches }: Route.MetaArgs) {
  const { settings } = rootFacts(matches);
  return pageMeta(
    {
      ...useCases.head,
      structuredData: [
        serviceStructuredData(useCases.service, settings),
        breadcrumbStructuredData(crumbs, settings.url),
        faqStructuredData(useCases.byTrade.tabs),
      ],
    },
    settings,
  );
}

export default function UseCasesPage() {
  return (
    <>
      <Breadcrumb crumbs={crumbs} />
      <Masthead heading={useCases.heading} lede={useCases.lede} />
      <SheetRegister />
      <ByTrade />
      <Informed {...useCases.informed} />
      <ClosingCall heading={useCases.closing.heading} text={useCases.closing.text}>
        <BookingButton variant="ink" />
      </ClosingCall>
    </>
  );
}
