import { sampleAudit } from "#content/sample-audit.ts";
import { BookingButton } from "../scheduling/booking-button.tsx";
import { Breadcrumb, ClosingCall } from "../sections/page-sections.tsx";
import { Opening } from "../sections/use-case/use-case-page.tsx";
import { breadcrumbStructuredData, metaOf } from "../seo/page-meta.ts";
import { AuditSheets } from "./audit-sheets.tsx";

const crumbs = [
  { name: "Home", path: "/" },
  { name: "Pricing", path: "/pricing" },
  { name: sampleAudit.name, path: sampleAudit.head.path },
];

export const meta = metaOf((settings) => ({
  ...sampleAudit.head,
  structuredData: [breadcrumbStructuredData(crumbs, settings.url)],
}));

export default function SampleAuditPage() {
  const { heading, lede, print, pdf, closing } = sampleAudit;
  return (
    <>
      <Breadcrumb crumbs={crumbs} />
      <Opening heading={heading} intro={lede} note={<a href={pdf}>{print}</a>}>
        <BookingButton />
      </Opening>
      <div className="wrap section tight audit-sheets">
        <AuditSheets />
      </div>
      <ClosingCall heading={closing.heading}>
        <BookingButton variant="ink" />
      </ClosingCall>
    </>
  );
}
