import type { ReactNode } from "react";
import { opensInNewTab } from "#content/use-case.ts";
import { useSiteFacts } from "../../site-facts.ts";
import { tellVisit } from "../../tell-visit.ts";

/** A link to the scheduling page itself, in a new tab (specification, section 2, client-management). */
export function BookingLink({ children }: { children: ReactNode }) {
  const { scheduling } = useSiteFacts().settings;
  return (
    <a
      className="button button-ink"
      href={scheduling.url}
      target="_blank"
      rel="noopener"
      onClick={() => tellVisit("booking")}
    >
      {children}
      <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
        <path d="M3 11 11 3M5 3h6v6" fill="none" stroke="currentColor" strokeWidth="2" />
      </svg>
      <span className="sr-only">({opensInNewTab})</span>
    </a>
  );
}
