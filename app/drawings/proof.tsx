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
  const whole = 340;
  return (
    <Proof>
      <Length to={whole} y={11} text="before" />
      <Length to={whole * part} y={37} text="after" />
    </Proof>
  );
}

function Length({ to, y, text }: { to: number; y: number; text: string }) {
  return (
    <g>
      <Draw
        route={`M1 ${y}H${to}`}
        line={`M1 ${y - 10}v20M${to} ${y - 10}v20`}
        ink={`m1 ${y} 10-5v10zM${to} ${y}l-10-5v10z`}
      />
      <Label x={to + 12} y={y + 5} text={text} />
    </g>
  );
}
