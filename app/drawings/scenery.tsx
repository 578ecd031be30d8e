import { Label } from "./pens.tsx";

/** Objects of the working-day drawings. `x`, `y` is the upper left corner. */

export type Place = { x: number; y: number };

function at({ x, y }: Place): string {
  return `translate(${x} ${y})`;
}

/** A pickup, 147 by 74. */
export function Truck(place: Place) {
  return (
    <g transform={at(place)}>
      <path
        className="part"
        d="M4 34h74V15q0-4 4-4h22l18 23h18q7 1 7 8v18h-15a14 14 0 0 0-28 0H48a14 14 0 0 0-28 0H4zM22 62a12 12 0 1 1 24 0 12 12 0 1 1-24 0m84 0a12 12 0 1 1 24 0 12 12 0 1 1-24 0"
      />
      <path
        className="part-line"
        d="M0 2h112M0 8h112M10 2v6m14-6v6m14-6v6m14-6v6m14-6v6m14-6v6m14-6v6m14-6v6M8 8v26m62-26v26m16-17h14l13 17H86zm-4 17v24m6-16h8m45 0h6v7h-6zM30 62a4 4 0 1 1 8 0 4 4 0 1 1-8 0m84 0a4 4 0 1 1 8 0 4 4 0 1 1-8 0"
      />
    </g>
  );
}

/** A kitchen table, 140 by 40. */
export function KitchenTable(place: Place) {
  return (
    <path
      className="part"
      transform={at(place)}
      d="M8 7h9l-3 33H9zm115 0h9l-1 33h-5zM0 0h140v7H0z"
    />
  );
}

export function Ground({ y, width }: { y: number; width: number }) {
  return (
    <>
      <path className="part" d={`M-2 ${y}h${width + 4}v1H-2z`} />
      <path className="part-line" d={`M-9 ${y + 10}${"m37-10-9 10".repeat(width / 28)}`} />
    </>
  );
}

/** 34 by 56 by default. */
export function Phone({
  width = 34,
  height = 56,
  ...place
}: Place & { width?: number; height?: number }) {
  return (
    <g transform={at(place)}>
      <rect className="part" width={width} height={height} rx="6" />
      <path className="part-line" d={`M${width / 2 - 5} 6h10M0 12h${width}`} />
    </g>
  );
}

export function MissedCall(place: Place) {
  return (
    <>
      <Phone {...place} />
      <path className="cross" transform={at(place)} d="m7 27 10 10 10-10m-8 0h8v8" />
    </>
  );
}

/** The week ahead, 112 by 60, with a job booked on Thursday. */
export function BookedWeek(place: Place) {
  return (
    <g transform={at(place)}>
      <rect className="part" width="112" height="60" />
      <path className="solid-safety" d="M67 26h22v22H67z" />
      <path className="part-line" d="M0 20h112M23 20v40m22-40v40m22-40v40m22-40v40" />
      <Label x="12 34 56 78 100" y="15" textAnchor="middle" text="MTWTF" />
    </g>
  );
}
