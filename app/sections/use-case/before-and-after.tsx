import type { ReactNode } from "react";
import type { UseCase } from "#content/use-case.ts";
import { TitleBlock } from "../../ui/title-block.tsx";

type BeforeAndAfterProps = {
  drawing: UseCase["drawing"];
  before: ReactNode;
  after: ReactNode;
};

/** One sheet, two drawings: how the work runs today, and how it runs after. */
export function BeforeAndAfter({ drawing, before, after }: BeforeAndAfterProps) {
  return (
    <div className="wrap before-and-after-wrap">
      <div className="sheet before-and-after">
        <figure>
          {before}
          <TitleBlock entries={drawing.before} />
        </figure>
        <figure>
          {after}
          <TitleBlock entries={drawing.after} />
        </figure>
      </div>
    </div>
  );
}
