import type { FormEvent } from "react";
import { useNavigate } from "react-router";

/** Back to where the visitor came from; to the home page for one who came from elsewhere, or without scripts. */
export function BackButton() {
  const navigate = useNavigate();
  function goBack(event: FormEvent) {
    event.preventDefault();
    if (cameFromThisSite()) window.history.back();
    else navigate("/");
  }
  return (
    <form action="/" onSubmit={goBack}>
      <button type="submit" className="button back-button no-print">
        <svg viewBox="0 0 22 14" width="22" height="14" aria-hidden="true">
          <path d="M8 1 2 7l6 6M2 7h19" fill="none" stroke="currentColor" strokeWidth="2" />
        </svg>
        Back
      </button>
    </form>
  );
}

/**
 * The browser knows which entries of the tab are this site's, typed addresses among them. Browsers of before 2026 don't
 * all say so: there the router's count of its entries tells, or the referrer of a page that was loaded whole.
 */
function cameFromThisSite(): boolean {
  if (window.navigation) return window.navigation.canGoBack;
  const entriesBefore: unknown = window.history.state?.idx;
  if (typeof entriesBefore === "number" && entriesBefore > 0) return true;
  const { referrer } = document;
  return URL.canParse(referrer) && new URL(referrer).origin === window.location.origin;
}
