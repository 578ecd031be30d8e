import type { UseCase } from "#content/use-case.ts";
import { unbroken } from "../../ui/unbroken.tsx";

export function Example({ heading, text, results }: UseCase["example"]) {
  return (
    <section className="section section-tight">
      <div className="wrap">
        <div className="sheet example">
          <div className="example-words">
            <h2>{heading}</h2>
            <Paragraphs text={text} />
          </div>
          <ExampleResults results={results} />
        </div>
      </div>
    </section>
  );
}

export function ExampleResults({ results }: Pick<UseCase["example"], "results">) {
  return (
    <dl className="example-results">
      {results.map(({ value, label }) => (
        <div key={label}>
          <dt>{unbroken(label)}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Paragraphs({ text }: { text: readonly string[] }) {
  return text.map((paragraph) => <p key={paragraph}>{unbroken(paragraph)}</p>);
}
