import { opensElsewhere } from "../../ui/link.tsx";

/** Or home for a visitor from elsewhere or without scripts. */
export function BackButton() {
  return (
    <form action="/" className="back-form">
      <button type="submit" data-press="">
        <svg viewBox="0 0 22 14" width="22" height="14" aria-hidden="true">
          <path d="M8 1 2 7l6 6M2 7h19" fill="none" stroke="currentColor" strokeWidth="2" />
        </svg>
        Back
      </button>
    </form>
  );
}

/** Replaces history entries, so that Back leads to the page before. */
export function bringBackButtonAlive(): void {
  const form = document.querySelector(".back-form");
  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    // Older browsers have no `navigation.canGoBack`.
    const isFromHere = document.referrer.startsWith(`${location.origin}/`);
    if (window.navigation?.canGoBack ?? isFromHere) history.back();
    else location.assign("/");
  });
  const contents = document.querySelector<HTMLElement>(".legal-contents");
  contents?.addEventListener("click", (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>("a[href]");
    if (!link || opensElsewhere(event)) return;
    event.preventDefault();
    location.replace(link.href);
  });
}
