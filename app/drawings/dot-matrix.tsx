import "./dot-matrix.css";

/** Rows in the print head's column of pins. */
const glyphRows = 7;
/** Columns of a letter, and the empty ones after it. */
const glyphColumns = 5;
const glyphGap = 1;

/** The 5×7 face of office printers: seven rows of five pins a letter, `#` where a pin strikes. */
const font: Record<string, string> = {
  A: ".###. #...# #...# ##### #...# #...# #...#",
  E: "##### #.... #.... ####. #.... #.... #####",
  H: "#...# #...# #...# ##### #...# #...# #...#",
  I: ".###. ..#.. ..#.. ..#.. ..#.. ..#.. .###.",
  M: "#...# ##.## #.#.# #.#.# #...# #...# #...#",
  R: "####. #...# #...# ####. #.#.. #..#. #...#",
  T: "##### ..#.. ..#.. ..#.. ..#.. ..#.. ..#..",
  X: "#...# #...# .#.#. ..#.. .#.#. #...# #...#",
};

type Dot = { column: number; row: number };

/** Where the pins strike for a word, and how many columns it takes. Case doesn't matter; the face has capitals only. */
function dotsOf(word: string): { columns: number; dots: Dot[] } {
  const letters = [...word.toUpperCase()];
  const pitch = glyphColumns + glyphGap;
  const dots = letters.flatMap((letter, index) =>
    dotsOfLetter(letter).map(({ column, row }) => ({ column: index * pitch + column, row })),
  );
  return { columns: letters.length * pitch - glyphGap, dots };
}

function dotsOfLetter(letter: string): Dot[] {
  const rows = font[letter]?.split(" ");
  if (!rows) throw new Error(`The dot-matrix face has no "${letter}".`);
  return rows.flatMap((pins, row) =>
    [...pins].flatMap((pin, column) => (pin === "#" ? [{ column, row }] : [])),
  );
}

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
