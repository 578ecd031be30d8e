import "./figures.css";

/** A line that was measured to a mark that isn't there. */
export function MissedMark() {
  return (
    <svg className="drawing missed-mark" viewBox="0 0 420 220" aria-hidden="true" fontSize="16">
      <path
        className="grid"
        d="M0 44H420M0 88H420M0 132H420M0 176H420M84 0V220M168 0V220M252 0V220M336 0V220"
      />
      <path className="route" d="M24 132H262" />
      <path className="hidden-line" d="M262 132H396" />
      <circle className="part" cx="24" cy="132" r="7" />
      <path className="dimension" d="M24 118V62M262 118V62M24 76H262" />
      <path className="arrow" d="m24 76 9-3.5v7zm238 0-9-3.5v7z" />
      <text x="143" y="54" textAnchor="middle">
        as far as we got
      </text>
      <path className="cross" d="m318 118 28 28m0-28-28 28" />
      <text x="332" y="186" textAnchor="middle">
        no mark here
      </text>
    </svg>
  );
}
