import { Link } from "react-router";
import { callsToAction } from "#content/site.ts";
import type { UseCase } from "#content/use-case.ts";
import { CalculationSheet } from "../../worksheet/calculation-sheet.tsx";
import "../../worksheet/calculation-sheet.css";
import { Paragraphs } from "./example.tsx";

/** What it costs to leave things alone, and the sum to redo. On a phone the next button is screens away, so one follows. */
export function Cost({ heading, text, worksheet }: UseCase["cost"]) {
  return (
    <section className="section section-tight">
      <div className="wrap cost">
        <div>
          <h2>{heading}</h2>
          <Paragraphs text={text} />
        </div>
        {worksheet && <CalculationSheet {...worksheet} />}
        <Link className="button button-primary after-worksheet" to={callsToAction.audit.path}>
          {callsToAction.audit.label}
        </Link>
      </div>
    </section>
  );
}
