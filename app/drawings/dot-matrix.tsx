const glyphRows = 7;
const glyphColumns = 5;
const glyphGap = 1;

/** A 5×7 dot-matrix face: seven rows of five pins, `#` where a pin strikes. */
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

/** Capitals only; case is ignored. */
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

/** Distance between two pins, in the drawing's units. */
const pitch = 10;

type DotMatrixProps = {
  text: string;
  /** Animates once, column by column, when the page opens. */
  printed?: boolean;
};

/**
 * Words in a dot-matrix face. They wrap as words and are text for screen readers. One em is one pin's pitch, so the
 * font size sets the drawing's size.
 */
export function DotMatrix({ text, printed = false }: DotMatrixProps) {
  // A name of the owner's with other letters is written in the page's own face.
  if ([...text.toUpperCase()].some((letter) => letter !== " " && !font[letter])) return text;
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
  // Relative moves draw a letter the same way everywhere, which compresses to half the size.
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
