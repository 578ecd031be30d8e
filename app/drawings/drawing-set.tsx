import type { ReactNode } from "react";
import "./drawing.css";

/** The audit's four documents as sheets on a wall, numbered like the register beside them. */
export function DrawingSet() {
  return (
    <svg className="drawing drawing-set" viewBox="0 0 420 280" aria-hidden="true" fontSize="17">
      <Sheet x={1} y={1} number={1}>
        <path d="M26 64h28v22H26zM66 46h28v40H66z" />
        <path className="set-solid" d="M106 22h28v64h-28z" />
        <path d="M14 86h164M150 22v64M144 22h12" />
      </Sheet>
      <Sheet x={221} y={1} number={2}>
        <path d="M16 18h148v18H16z" />
        <path className="set-solid" d="M16 46h52v18H16z" />
        <path d="M16 84h160M16 84v-8m32 8v-8m32 8v-8m32 8v-8m32 8v-8m32 8v-8" />
      </Sheet>
      <Sheet x={1} y={147} number={3}>
        <path d="M16 14v76h164M68 34h46v14H68zM126 72h44v14h-44z" />
        <path className="set-solid" d="M24 14h52v14H24zM94 54h56v14H94z" />
      </Sheet>
      <Sheet x={221} y={147} number={4}>
        <path d="M16 20h44v26H16zM16 60h44v26H16zM60 33h24v40H60m24-20h38" />
        <path className="set-solid" d="M122 36h56v34h-56z" />
        <circle className="solid-safety" cx="84" cy="53" r="7" />
      </Sheet>
    </svg>
  );
}

function Sheet({ x, y, number, children }: SheetProps) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <path className="set-sheet" d="M0 0h198v132H0zM0 102h198M136 102v30" />
      <g className="set-mark">{children}</g>
      <text x="167" y="123" textAnchor="middle">
        {`A-${number}`}
      </text>
    </g>
  );
}

type SheetProps = { x: number; y: number; number: number; children: ReactNode };
