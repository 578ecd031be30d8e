import { Link } from "react-router";
import { callsToAction } from "#content/site.ts";
import type { UseCase } from "#content/use-case.ts";
import { unbroken } from "../../ui/unbroken.tsx";
import { CalculationSheet } from "../../worksheet/calculation-sheet.tsx";
import "../../worksheet/calculation-sheet.css";

/** What it costs to leave things alone, and the sum to redo. On a phone the next button is screens away, so one follows. */
export function Cost({ heading, text, worksheet }: UseCase["cost"]) {
  return (
    <section className="section section-tight">
      <div className="wrap cost">
        <div>
          <h2>{heading}</h2>
          {text.map((paragraph) => (
            <p key={paragraph}>{unbroken(paragraph)}</p>
          ))}
        </div>
        {worksheet && <CalculationSheet {...worksheet} />}
        <Link className="button button-primary after-worksheet" to={callsToAction.audit.path}>
          {callsToAction.audit.label}
        </Link>
      </div>
    </section>
  );
}
