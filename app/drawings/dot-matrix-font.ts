/** Rows in the print head's column of pins. */
export const glyphRows = 7;
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
export function dotsOf(word: string): { columns: number; dots: Dot[] } {
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
