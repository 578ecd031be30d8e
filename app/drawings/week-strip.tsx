import { clockTime, type Hours, weekdays } from "#content/hours.ts";

const dayWidth = 38;
const left = 46;
const top = 30;
const height = 74;
const right = left + weekdays.length * dayWidth;

type WeekStripProps = { hours: Hours; closed: string };

/** Opening hours as a week's schedule, hidden from screen readers: the text beside it says the same. */
export function WeekStrip({ hours: { days, opens, closes }, closed }: WeekStripProps) {
  return (
    <svg
      className="drawing week-strip"
      fontSize="14"
      viewBox={`0 0 ${right + 2} ${top + height + 10}`}
      aria-hidden="true"
    >
      {weekdays.map((day, index) => (
        <text key={day} x={left + (index + 0.5) * dayWidth} y="18" textAnchor="middle">
          {day[0]}
        </text>
      ))}
      <text x={left - 9} y={top + 9} textAnchor="end">
        {clockTime(opens)}
      </text>
      <text x={left - 9} y={top + height} textAnchor="end">
        {clockTime(closes)}
      </text>
      {runsOf(days).map(({ from, length, isOpen }) =>
        isOpen ? (
          <g key={from}>
            <rect
              className="tint"
              x={dayStart(from)}
              y={top}
              width={length * dayWidth}
              height={height}
            />
            <path
              className="part-line"
              d={`M${dayStart(from)} ${top}${`m${dayWidth} 0v${height}v-${height}`.repeat(length - 1)}`}
            />
          </g>
        ) : (
          <g key={from}>
            <path
              className="hidden-line"
              d={`M${dayStart(from)} ${top}H${dayStart(from + length)}V${top + height}H${dayStart(from)}`}
            />
            {length > 1 && (
              <text x={dayStart(from + length / 2)} y={top + height / 2 + 4} textAnchor="middle">
                {closed}
              </text>
            )}
          </g>
        ),
      )}
    </svg>
  );
}

function dayStart(index: number): number {
  return left + index * dayWidth;
}

/** Days in a row that are open, or closed. */
function runsOf(days: Hours["days"]) {
  const runs: { from: number; length: number; isOpen: boolean }[] = [];
  for (const [index, day] of weekdays.entries()) {
    const isOpen = days.includes(day);
    const run = runs.at(-1);
    if (run?.isOpen === isOpen) run.length += 1;
    else runs.push({ from: index, length: 1, isOpen });
  }
  return runs;
}
