import { type SourceId, sources } from "#content/sources.ts";
import type { UseCase } from "#content/use-case.ts";

/** The figures as measured values, each with its published source where it has one. */
export function MeasuredFigures({ heading, items }: UseCase["figures"]) {
  return (
    <section className="section section-tight">
      <div className="wrap">
        <h2>{heading}</h2>
        <ul className="figures">
          {items.map(({ value, label, source }) => (
            <li key={value + label}>
              <b>{value}</b>
              <p>{label}</p>
              {source && (
                <p className="figure-source">
                  <Citation id={source} />
                </p>
              )}
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function Citation({ id }: { id: SourceId }) {
  const { publisher, title, year, detail, url } = sources[id];
  return (
    <>
      {publisher}, {url ? <a href={url}>“{title}”</a> : `“${title}”`}
      {year && `, ${year}`}: {detail}
    </>
  );
}
