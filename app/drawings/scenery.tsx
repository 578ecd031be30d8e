import { Draw, Label, type Place, type Shape } from "./pens.tsx";

/** Objects of the working-day drawings, from their upper left corner. */

/** 147 by 74. */
export const pickup: Shape = {
  part: "M4 34h74V15q0-4 4-4h22l18 23h18q7 1 7 8v18h-15a14 14 0 0 0-28 0H48a14 14 0 0 0-28 0H4zM22 62a12 12 0 1 1 24 0 12 12 0 1 1-24 0m84 0a12 12 0 1 1 24 0 12 12 0 1 1-24 0",
  line: "M0 2h112M0 8h112M10 2v6m14-6v6m14-6v6m14-6v6m14-6v6m14-6v6m14-6v6m14-6v6M8 8v26m62-26v26m16-17h14l13 17H86zm-4 17v24m6-16h8m45 0h6v7h-6zM30 62a4 4 0 1 1 8 0 4 4 0 1 1-8 0m84 0a4 4 0 1 1 8 0 4 4 0 1 1-8 0",
};

/** 140 by 40. */
export const kitchenTable: Shape = { part: "M8 7h9l-3 33H9zm115 0h9l-1 33h-5zM0 0h140v7H0z" };

export function phone(width = 34, height = 56): Shape {
  return {
    part: `M6 0h${width - 12}a6 6 0 0 1 6 6v${height - 12}a6 6 0 0 1-6 6H6a6 6 0 0 1-6-6V6a6 6 0 0 1 6-6z`,
    line: `M${width / 2 - 5} 6h10M0 12h${width}`,
  };
}

export const missedCall: Shape = { ...phone(), cross: "m7 27 10 10 10-10m-8 0h8v8" };

export function Ground({ y, width }: { y: number; width: number }) {
  const hatching = "m37-10-9 10".repeat(width / 28);
  return <Draw part={`M-2 ${y}h${width + 4}v1H-2z`} line={`M-9 ${y + 10}${hatching}`} />;
}

/** The week ahead, 112 by 60, with a job booked on Thursday. */
export function BookedWeek({ x, y }: Place) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <Draw
        part="M0 0h112v60H0z"
        safety="M67 26h22v22H67z"
        line="M0 20h112M23 20v40m22-40v40m22-40v40m22-40v40"
      />
      <Label x="12 34 56 78 100" y="15" textAnchor="middle" text="MTWTF" />
    </g>
  );
}
