import type { RoadmapBar } from "#content/use-case.ts";
import { OwnStyles } from "../ui/own-styles.tsx";
import styles from "./roadmap-chart.css?url";

const days = 90;
const daysMarked = [1, 30, 60, 90] as const;

function percentOf(daysWide: number): string {
  return `${((daysWide / days) * 100).toFixed(3)}%`;
}

/** Ninety days as a bar chart: a row per task. */
export function RoadmapChart({ bars }: { bars: readonly RoadmapBar[] }) {
  return (
    <div className="roadmap">
      <OwnStyles href={styles} />
      <div className="roadmap-scale" aria-hidden="true">
        {daysMarked.map((day) => (
          <span key={day}>{day}</span>
        ))}
      </div>
      <ul>
        {bars.map(({ task, fromDay, toDay }) => (
          <li key={task}>
            <span className="roadmap-task">{task}</span>
            <span className="roadmap-days lettering">{`day ${fromDay} to ${toDay}`}</span>
            {/* SVG attributes, because the security policy forbids style attributes. */}
            <svg className="roadmap-track" aria-hidden="true">
              <svg
                x={percentOf(fromDay - 1)}
                width={percentOf(toDay - fromDay + 1)}
                aria-hidden="true"
              >
                <rect />
              </svg>
            </svg>
          </li>
        ))}
      </ul>
    </div>
  );
}
