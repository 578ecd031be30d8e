import type { ReactNode } from "react";
import { Draw, Label } from "./pens.tsx";

/** An example's figure in marks that can be counted or measured. */
export function Proof({ children, height = 48 }: { children: ReactNode; height?: number }) {
  return (
    <figure role="presentation" className={height > 48 ? "sheet lifted pad" : undefined}>
      <svg className="drawing" viewBox={`0 0 420 ${height}`} aria-hidden="true">
        {children}
      </svg>
    </figure>
  );
}

/** So many, in boxes or strokes: `mark` draws the one at `x`. */
export function marks(count: number, mark: (x: number, index: number) => string): string[] {
  return Array.from({ length: count }, (_, index) => mark(1 + (418 / count) * index, index));
}

/** One length of time, and the `part` of it that is left. */
export function Shortened({ part }: { part: number }) {
  const to = 340 * part;
  return (
    <Proof>
      <Draw
        route={`M1 11H340M1 37H${to}`}
        line={`M1 1v20M340 1v20M1 27v20M${to} 27v20`}
        ink={`m1 11 10-5v10zM340 11l-10-5v10zM1 37l10-5v10zM${to} 37l-10-5v10z`}
      />
      <Label x={352} y={16} text="before" />
      <Label x={to + 12} y={42} text="after" />
    </Proof>
  );
}
