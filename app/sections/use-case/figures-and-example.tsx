import type { ReactNode } from "react";
import type { UseCase } from "#content/use-case.ts";
import { ExampleResults, Paragraphs } from "./example.tsx";
import { FigureList } from "./measured-figures.tsx";

type FiguresAndExampleProps = Pick<UseCase, "figures" | "example"> & {
  /** What they are written on, by the page's own styles. */
  form: string;
  /** What is drawn between the example's words and its results. */
  children?: ReactNode;
};

/** The figures and the example on one sheet, as one account. */
export function FiguresAndExample({ figures, example, form, children }: FiguresAndExampleProps) {
  return (
    <section className="section section-tight">
      <div className={`wrap ${form}`}>
        <div>
          <h2>{figures.heading}</h2>
          <FigureList items={figures.items} />
        </div>
        <div>
          <h2>{example.heading}</h2>
          <Paragraphs text={example.text} />
          {children}
          <ExampleResults results={example.results} />
        </div>
      </div>
    </section>
  );
}
