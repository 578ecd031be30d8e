import type { UseCase } from "#content/use-case.ts";

/** The day as it runs now, by the clock. */
export function Today({ heading, entries }: UseCase["today"]) {
  return (
    <section className="section section-tight">
      <div className="wrap beside">
        <h2>{heading}</h2>
        <ol className="log">
          {entries.map(({ when, what }) => (
            <li key={when}>
              <span className="lettering">{when}</span>
              <p>{what}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
