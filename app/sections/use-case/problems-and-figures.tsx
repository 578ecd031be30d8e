import type { UseCase } from "#content/use-case.ts";
import { FigureList } from "./measured-figures.tsx";
import { ProblemList } from "./problems.tsx";

/** What goes wrong on the left, and on the right what it measures once it is put right. */
export function ProblemsAndFigures({ problems, figures }: Pick<UseCase, "problems" | "figures">) {
  return (
    <section className="section section-tight">
      <div className="wrap problems-and-figures">
        <div>
          <h2>{problems.heading}</h2>
          <ProblemList items={problems.items} />
        </div>
        <div>
          <h2>{figures.heading}</h2>
          <FigureList items={figures.items} />
        </div>
      </div>
    </section>
  );
}
