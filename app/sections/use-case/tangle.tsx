/** A length of the page's line that leaves the margin, loses its way beside the day's log, and comes back. */
export function Tangle() {
  return (
    <svg className="tangle" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
      <path d="M0 0V54C0 66 34 64 42 58 50 50 34 47 30 56 26 68 60 78 72 68 82 58 66 50 60 60 52 74 92 82 88 68 84 58 20 62 22 76 26 90 70 84 62 76 52 70 40 84 52 88 66 92 0 82 0 94V100" />
    </svg>
  );
}
