type WeekStripProps = {
  /** A letter per day, from Monday. */
  days: string;
  /** How many days are open, counted from Monday. */
  openDays: number;
  opens: string;
  closes: string;
  closed: string;
};

const dayWidth = 38;
const left = 46;
const top = 30;
const height = 74;

/** Opening hours as a week's schedule, hidden from screen readers: the text beside it says the same. */
export function WeekStrip({ days, openDays, opens, closes, closed }: WeekStripProps) {
  const right = left + days.length * dayWidth;
  const weekend = left + openDays * dayWidth;
  return (
    <svg
      className="week-strip"
      viewBox={`0 0 ${right + 2} ${top + height + 10}`}
      aria-hidden="true"
    >
      {[...days].map((day, index) => (
        <text
          // biome-ignore lint/suspicious/noArrayIndexKey: a week's days never move, and two share a letter.
          key={index}
          className={index < openDays ? "" : "is-closed"}
          x={left + (index + 0.5) * dayWidth}
          y="18"
          textAnchor="middle"
        >
          {day}
        </text>
      ))}
      <text className="is-hour" x={left - 9} y={top + 9} textAnchor="end">
        {opens}
      </text>
      <text className="is-hour" x={left - 9} y={top + height} textAnchor="end">
        {closes}
      </text>
      <rect className="open" x={left} y={top} width={openDays * dayWidth} height={height} />
      <path
        className="divider"
        d={`M${left} ${top}${`m${dayWidth} 0v${height}v-${height}`.repeat(openDays - 1)}`}
      />
      <path className="shut" d={`M${weekend} ${top}H${right}V${top + height}H${weekend}`} />
      <text
        className="is-closed"
        x={(weekend + right) / 2}
        y={top + height / 2 + 4}
        textAnchor="middle"
      >
        {closed}
      </text>
    </svg>
  );
}
