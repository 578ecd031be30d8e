import { sampleAudit } from "#content/sample-audit.ts";
import { BookingButton } from "../scheduling/booking-button.tsx";
import { Breadcrumb, Masthead } from "../sections/page-sections.tsx";
import { breadcrumbStructuredData, metaOf } from "../seo/page-meta.ts";
import { LinkItems } from "../ui/link.tsx";
import { TitleBlock } from "../ui/title-block.tsx";
import { SheetContent } from "./audit-sheets.tsx";

const crumbs = [
  { name: "Home", path: "/" },
  { name: "Pricing", path: "/pricing" },
  { name: sampleAudit.name, path: sampleAudit.head.path },
];

export const meta = metaOf((settings) => ({
  ...sampleAudit.head,
  structuredData: [breadcrumbStructuredData(crumbs, settings.url)],
}));

/** Eight sheets one below the other; on paper, one a page and nothing else. */
export default function SampleAuditPage() {
  const { heading, lede, sheets, keys, firm, mark, figures, print, pdf, back } = sampleAudit;
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
        {sheets.map((sheet, index) => (
          <section className="sheet lifted audit-sheet" id={sheet.id} key={sheet.id}>
            <header className="apart">
              <h2 className="title">{sheet.title}</h2>
              <span className="stamp">{mark}</span>
            </header>
            <SheetContent sheet={sheet} />
            <TitleBlock
              columns={4}
              entries={[
                { key: keys.drawing, value: sheet.name },
                { key: keys.firm, value: `${firm} (${mark.toLowerCase()})` },
                { key: keys.sheet, value: `${sheet.document}, ${index + 1} of ${sheets.length}` },
                { key: keys.figures, value: figures },
              ]}
            />
          </section>
        ))}
        <p>
          <BookingButton />
        </p>
      </div>
    </>
  );
}
