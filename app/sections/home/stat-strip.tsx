import { home } from "#content/pages/home.ts";

export function StatStrip() {
  return (
    <div className="stat-strip">
      <dl className="wrap">
        {home.stats.map(({ value, label }) => (
          <div key={value}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
