const frames = Array.from({ length: 12 }, (_, index) => ({
  x: 8 + (index % 6) * 92,
  y: 14 + Math.floor(index / 6) * 84,
}));
const before = 4;

/** A month's twelve pieces as the frames of a contact sheet; the first four were there before. */
export function ContactSheetFrames() {
  return (
    <svg className="frames" viewBox="0 0 560 182" aria-hidden="true">
      {frames.map(({ x, y }, index) => (
        <svg key={`${x} ${y}`} x={x} y={y} aria-hidden="true">
          <rect width="84" height="70" />
          <path d="M16 52V34l26-17 26 17v18z" />
          {index < before && <path className="tick" d="m56 54 8 9 13-19" />}
        </svg>
      ))}
    </svg>
  );
}
