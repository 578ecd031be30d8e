import { home } from "#content/pages/home.ts";
import { unbroken } from "../../ui/unbroken.tsx";

export function StatStrip() {
  return (
    <div className="stat-strip">
      <dl className="wrap">
        {home.stats.map(({ value, label }) => (
          <div key={value}>
            <dt>{label}</dt>
            <dd>{unbroken(value)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
