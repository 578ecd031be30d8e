/** The chalk-blue line with its dust. Under a page's head it turns down the margin, and the sections hang on it. */
export function ChalkLine() {
  return (
    <div className="chalk-line">
      <svg
        className="chalk-line-snap"
        width="100%"
        height="100%"
        overflow="visible"
        viewBox="0 0 760 26"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <defs>
          <filter
            id="chalk-dust"
            filterUnits="userSpaceOnUse"
            x="-10"
            y="-20"
            width="780"
            height="66"
          >
            <feTurbulence type="fractalNoise" baseFrequency="1.1 .5" numOctaves="2" seed="7" />
            <feDisplacementMap in="SourceGraphic" scale="5" />
          </filter>
        </defs>
        <g filter="url(#chalk-dust)" stroke="currentColor" fill="none">
          <path pathLength="1" d="M0 13H760" strokeWidth="5" />
          <path pathLength="1" d="M0 13H760" strokeWidth="11" opacity=".22" />
        </g>
      </svg>
    </div>
  );
}
