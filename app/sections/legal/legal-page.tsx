import type { LegalDocument } from "#content/legal-document.ts";
import { useSiteFacts } from "../../site-facts.ts";
import { TitleBlock } from "../../ui/title-block.tsx";
import { Masthead } from "../masthead.tsx";
import { BackButton } from "./back-button.tsx";
import { LegalContents } from "./legal-contents.tsx";
import { LegalSectionText } from "./legal-section-text.tsx";
import "../../ui/title-block.css";
import "./legal.css";
import "../../ui/line-end.css";

/** Terms or Privacy, set like a specification: title block, contents, numbered sections of numbered clauses. */
export function LegalPage({ document }: { document: LegalDocument }) {
  const { settings, today } = useSiteFacts();
  const { heading, lede, law, sections } = document;
  return (
    <>
      <div className="wrap legal-top">
        <BackButton />
      </div>
      <Masthead heading={heading} lede={lede} />
      <div className="wrap legal">
        <TitleBlock
          className="sheet legal-title-block"
          entries={[
            { key: "Document", value: heading },
            { key: "Issued by", value: settings.name },
            { key: "Last updated", value: today },
            law,
          ]}
        />
        <LegalContents sections={sections} />
        <div className="legal-text">
          {sections.map((section, index) => (
            <LegalSectionText key={section.id} number={index + 1} {...section} />
          ))}
        </div>
      </div>
    </>
  );
}
