import "./figures.css";

const sources = [
  { label: "Missed call", y: 34 },
  { label: "Web form", y: 124 },
  { label: "Text", y: 214 },
] as const;

const weekDays = [
  { day: "Monday", letter: "M" },
  { day: "Tuesday", letter: "T" },
  { day: "Wednesday", letter: "W" },
  { day: "Thursday", letter: "T" },
  { day: "Friday", letter: "F" },
] as const;

/** The plan of a lead's way in: three sources, one line, a reply within the minute, a slot in the week. */
export function LeadIntake() {
  return (
    <svg
      className="drawing"
      viewBox="0 0 460 330"
      role="img"
      aria-labelledby="lead-intake-title lead-intake-text"
      fontSize="15"
    >
      <title id="lead-intake-title">Lead intake, after automation</title>
      <desc id="lead-intake-text">
        A missed call, a web form and a text run into one line. A reply leaves in under 60 seconds,
        and the lead becomes a booked job on Thursday of the week below.
      </desc>
      <path
        className="grid"
        d="M0 66H460M0 132H460M0 198H460M0 264H460M92 0V330M184 0V330M276 0V330M368 0V330"
      />

      <path className="route" d="M142 56H178V146M142 146H318M142 236H178V146M386 168V214" />

      {sources.map(({ label, y }) => (
        <g key={label}>
          <rect className="part" x="14" y={y} width="128" height="44" />
          <text x="78" y={y + 27} textAnchor="middle">
            {label}
          </text>
        </g>
      ))}

      <circle className="solid-safety" cx="214" cy="146" r="7" />
      <rect className="solid-chalk" x="318" y="124" width="128" height="44" />
      <text className="on-chalk" x="382" y="151" textAnchor="middle">
        Reply sent
      </text>

      <path className="dimension" d="M214 132V52M318 114V52M214 62H318" />
      <path className="arrow" d="m214 62 9-3.5v7zm104 0-9-3.5v7z" />
      <text x="266" y="42" textAnchor="middle">
        under 60 s
      </text>

      <WeekWithOneSlot />
    </svg>
  );
}

function WeekWithOneSlot() {
  const left = 246;
  const column = 40;
  return (
    <g>
      <rect className="part" x={left} y="214" width={column * 5} height="76" />
      <path className="part-line" d={`M${left} 238h200`} />
      <path
        className="part-line"
        d={[1, 2, 3, 4].map((day) => `M${left + column * day} 214v76`).join("")}
      />
      {weekDays.map(({ day, letter }, index) => (
        <text key={day} x={left + column * (index + 0.5)} y="231" textAnchor="middle" fontSize="13">
          {letter}
        </text>
      ))}
      <rect className="solid-safety" x={left + column * 3} y="246" width={column} height="30" />
      <text x={left + column * 3.5} y="312" textAnchor="middle">
        Booked job
      </text>
    </g>
  );
}
