/** Rows of pins, ten units apart: each line is dotted, and ends just behind its last pin. */
const face: Record<string, string> = {
  "#": "M10 0v61M30 0v61M0 20h41M0 40h41",
  0: "M10 0h21M0 10v41M40 10v41M10 60h21",
  1: "M20 0v51M10 10h1M10 60h21",
  2: "M0 10h1M10 0h21M40 10v11M30 30h1M20 40h1M10 50h1M0 60h41",
  3: "M0 10h1M10 0h21M40 10v11M20 30h11M40 40v11M0 50h1M10 60h21",
  4: "M30 0v61M20 10h1M10 20h1M0 30h1M0 40h41",
  5: "M0 0h41M0 10v11M10 20h21M40 30v21M0 50h1M10 60h21",
  6: "M20 0h11M10 10h1M0 20v31M10 30h21M40 40v11M10 60h21",
  7: "M0 0h41M40 10h1M30 20h1M20 30h1M10 40v21",
  8: "M10 0h21M0 10v11M40 10v11M10 30h21M0 40v11M40 40v11M10 60h21",
  9: "M10 0h21M0 10v11M40 10v31M10 30h21M30 50h1M10 60h11",
  A: "M10 0h21M0 10v51M40 10v51M10 30h21",
  E: "M0 0v61M10 0h31M10 30h21M10 60h31",
  H: "M0 0v61M40 0v61M10 30h21",
  I: "M10 0h21M20 10v41M10 60h21",
  M: "M0 0v61M40 0v61M10 10h1M30 10h1M20 20v11",
  R: "M0 0v61M10 0h21M40 10v11M10 30h21M20 40h1M30 50h1M40 60h1",
  T: "M0 0h41M20 10v51",
  X: "M0 0v11M40 0v11M10 20h1M30 20h1M20 30h1M10 40h1M30 40h1M0 50v11M40 50v11",
};

/** Text for screen readers, wrapped by words. One em is one pin's pitch. */
export function DotMatrix({ text }: { text: string }) {
  const words = text.split(" ");
  // The face lacks these letters.
  if ([...words.join("").toUpperCase()].some((letter) => !face[letter])) return text;
  return (
    <span className="dot-matrix">
      <span className="sr-only">{text}</span>
      {words.map((word) => {
        const columns = 6 * word.length - 1;
        return (
          <svg
            key={word}
            width={`${columns}em`}
            height="7em"
            viewBox={`-5 -5 ${10 * columns} 70`}
            stroke="currentColor"
            strokeWidth="8.6"
            strokeLinecap="round"
            strokeDasharray="0 10"
            aria-hidden="true"
          >
            {[...word.toUpperCase()].map((letter, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the letters of a word never move.
              <path key={index} transform={`translate(${60 * index})`} d={face[letter]} />
            ))}
          </svg>
        );
      })}
    </span>
  );
}
