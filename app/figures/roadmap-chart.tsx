import type { RoadmapBar } from "#content/use-case.ts";
import "./roadmap-chart.css";

const days = 90;
const daysMarked = [1, 30, 60, 90] as const;

/** Ninety days as the bar chart that hangs in a site office: a row a task, a bar from its first day to its last. */
export function RoadmapChart({ bars }: { bars: readonly RoadmapBar[] }) {
  return (
    <div className="roadmap">
      <div className="roadmap-scale" aria-hidden="true">
        {daysMarked.map((day) => (
          <span key={day} style={{ left: day === 1 ? 0 : `${(day / days) * 100}%` }}>
            {day}
          </span>
        ))}
      </div>
      <ul>
        {bars.map(({ task, fromDay, toDay }) => (
          <li key={task}>
            <span className="roadmap-task">{task}</span>
            <span className="roadmap-days lettering">
              day {fromDay} to {toDay}
            </span>
            <span className="roadmap-track" aria-hidden="true">
              <span
                style={{
                  left: `${((fromDay - 1) / days) * 100}%`,
                  width: `${((toDay - fromDay + 1) / days) * 100}%`,
                }}
              />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
