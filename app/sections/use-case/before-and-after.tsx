import type { ReactNode } from "react";
import { drawingSwitch, type UseCase } from "#content/use-case.ts";
import { TitleBlock } from "../../ui/title-block.tsx";

type BeforeAndAfterProps = {
  drawing: UseCase["drawing"];
  before: ReactNode;
  after: ReactNode;
};

/**
 * One sheet, two drawings: how the work runs today, and how it runs after. On a phone they lie over each other, and two
 * radio buttons say which of them is seen; where a browser can't follow these, and in print, they stand one below the other.
 */
export function BeforeAndAfter({ drawing, before, after }: BeforeAndAfterProps) {
  return (
    <div className="wrap before-and-after-wrap">
      <div className="sheet before-and-after">
        <fieldset className="drawing-switch">
          <legend className="sr-only">{drawingSwitch.legend}</legend>
          <label>
            <input type="radio" name="drawing" defaultChecked />
            {drawingSwitch.before}
          </label>
          <label>
            <input type="radio" name="drawing" className="drawing-after" />
            {drawingSwitch.after}
          </label>
        </fieldset>
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
