import { sampleAudit } from "#content/sample-audit.ts";
import { BookingButton } from "../scheduling/booking-button.tsx";
import { Breadcrumb, Masthead } from "../sections/page-sections.tsx";
import { breadcrumbStructuredData, metaOf } from "../seo/page-meta.ts";
import { LinkItems } from "../ui/link.tsx";
import { AuditSheet } from "./audit-sheets.tsx";

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
  const { heading, lede, sheets, print, pdf, back } = sampleAudit;
  return (
    <>
      <Breadcrumb crumbs={crumbs} />
      <Masthead heading={heading} lede={lede}>
        <div className="actions cluster">
          <a className="button" href={pdf}>
            {print}
          </a>
          <ul className="cluster">
            <LinkItems links={[back]} />
          </ul>
        </div>
      </Masthead>
      <div className="wrap section tight audit-sheets">
        {sheets.map((sheet) => (
          <AuditSheet key={sheet.id} sheet={sheet} />
        ))}
        <p>
          <BookingButton />
        </p>
      </div>
    </>
  );
}
