const glyphRows = 7;
const glyphColumns = 5;
const glyphGap = 1;

/** `#` where a pin strikes. */
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

const pitch = 10;

/** Relative moves draw a letter the same way everywhere, which halves the compressed size. */
function pathOf(letters: readonly string[]): string {
  let [x, y] = [-0.5, -0.5];
  let path = "";
  for (const [index, letter] of letters.entries()) {
    for (const [row, pins] of (font[letter] ?? "").split(" ").entries()) {
      for (const [pin, mark] of [...pins].entries()) {
        if (mark !== "#") continue;
        const column = index * (glyphColumns + glyphGap) + pin;
        path += `m${(column - x) * pitch} ${(row - y) * pitch}h0`;
        [x, y] = [column, row];
      }
    }
  }
  return path;
}

type DotMatrixProps = {
  text: string;
  /** Animates when the page opens. */
  printed?: boolean;
};

/** Text for screen readers, wrapped by words. One em is one pin's pitch. */
export function DotMatrix({ text, printed = false }: DotMatrixProps) {
  // The face lacks these letters.
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
  const letters = [...word.toUpperCase()];
  const columns = letters.length * (glyphColumns + glyphGap) - glyphGap;
  return (
    <svg
      width={`${columns}em`}
      height={`${glyphRows}em`}
      viewBox={`0 0 ${columns * pitch} ${glyphRows * pitch}`}
      aria-hidden="true"
    >
      <path
        d={pathOf(letters)}
        stroke="currentColor"
        strokeWidth={pitch * 0.86}
        strokeLinecap="round"
      />
    </svg>
  );
}
