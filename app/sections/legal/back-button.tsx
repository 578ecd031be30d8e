import type { MouseEvent } from "react";
import { Link } from "react-router";

/** Back to where the visitor came from; to the home page for one who came from elsewhere, or without scripts. */
export function BackButton() {
  return (
    <Link className="button back-button no-print" to="/" onClick={goBack}>
      <svg viewBox="0 0 22 14" width="22" height="14" aria-hidden="true">
        <path d="M8 1 2 7l6 6M2 7h19" fill="none" stroke="currentColor" strokeWidth="2" />
      </svg>
      Back
    </Link>
  );
}

function goBack(event: MouseEvent) {
  const opensElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  if (opensElsewhere || !cameFromThisSite()) return;
  event.preventDefault();
  window.history.back();
}

/** The router counts the entries that it has made in this tab; a page that was loaded whole has its referrer instead. */
function cameFromThisSite(): boolean {
  const entriesBefore: unknown = window.history.state?.idx;
  if (typeof entriesBefore === "number" && entriesBefore > 0) return true;
  const { referrer } = document;
  return (
    window.history.length > 1 &&
    URL.canParse(referrer) &&
    new URL(referrer).origin === window.location.origin
  );
}
