import { Link } from "react-router";
import type { LegalSection } from "#content/legal-document.ts";

/**
 * The contents, each entry leading to its section. They replace the address, so that the Back button still leads to the
 * page before this one.
 */
export function LegalContents({ sections }: { sections: readonly LegalSection[] }) {
  return (
    <nav className="legal-contents no-print" aria-label="Sections">
      <ol>
        {sections.map(({ id, heading }, index) => (
          <li key={id}>
            <span className="lettering" aria-hidden="true">
              {index + 1}
            </span>
            <Link to={{ hash: id }} replace onClick={() => focusSection(id)}>
              {heading}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** The keyboard goes on from the section, as it does after a link that the browser follows itself. */
function focusSection(id: string) {
  document.getElementById(id)?.focus({ preventScroll: true });
}
