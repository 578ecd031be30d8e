import { sumCaption, type UseCase } from "#content/use-case.ts";

/** What it costs to leave things alone, and the sum as it would stand on a calculation sheet. */
export function Cost({ heading, text, sum }: UseCase["cost"]) {
  return (
    <section className="section section-tight">
      <div className="wrap cost">
        <div>
          <h2>{heading}</h2>
          {text.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </div>
        {sum && <CalculationSheet {...sum} />}
      </div>
    </section>
  );
}

function CalculationSheet({ lines, total }: NonNullable<UseCase["cost"]["sum"]>) {
  return (
    <div className="sheet calculation">
      <p className="lettering">{sumCaption}</p>
      <dl>
        {lines.map(({ what, working, value }) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd className="calculation-working lettering">{working}</dd>
            <dd className="calculation-value">{value}</dd>
          </div>
        ))}
        <div className="calculation-total">
          <dt>{total.what}</dt>
          <dd className="calculation-value">{total.value}</dd>
        </div>
      </dl>
    </div>
  );
}
