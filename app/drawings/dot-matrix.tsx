import { dotsOf, glyphRows } from "./dot-matrix-font.ts";
import "./dot-matrix.css";

/** Distance between two pins in the drawing's units. */
const pitch = 10;

type DotMatrixProps = {
  text: string;
  /** Printed column by column, once, when the page opens. */
  printed?: boolean;
};

/**
 * Words as a dot-matrix printer strikes them. They wrap as words do, and read as text to everybody who doesn't see
 * them. One em is one pin's pitch, so that the font size is the size of the drawing.
 */
export function DotMatrix({ text, printed = false }: DotMatrixProps) {
  return (
    <span className={`dot-matrix ${printed ? "dot-matrix-printed" : ""}`}>
      <span className="sr-only">{text}</span>
      {text.split(" ").map((word) => (
        <DotMatrixWord key={word} word={word} />
      ))}
    </span>
  );
}

function DotMatrixWord({ word }: { word: string }) {
  const { columns, dots } = dotsOf(word);
  // From dot to dot: letters then say the same wherever they stand, which compresses to half of their places.
  const path = dots
    .map(({ column, row }, index) => {
      const before = dots[index - 1] ?? { column: -0.5, row: -0.5 };
      return `m${(column - before.column) * pitch} ${(row - before.row) * pitch}h0`;
    })
    .join("");
  return (
    <svg
      width={`${columns}em`}
      height={`${glyphRows}em`}
      viewBox={`0 0 ${columns * pitch} ${glyphRows * pitch}`}
      aria-hidden="true"
    >
      <path d={path} stroke="currentColor" strokeWidth={pitch * 0.86} strokeLinecap="round" />
    </svg>
  );
}
