import type { ReactNode } from "react";
import "./drawing.css";

/** Four sheets of a drawing set, fanned: the audit's four documents. */
export function DrawingSet() {
  return (
    <svg className="drawing drawing-set" viewBox="0 0 420 250" aria-hidden="true">
      <Sheet x={8} y={8}>
        <path d="M18 86V52h16v34M44 86V38h16v48M70 86V22h16v64M12 86h84" />
      </Sheet>
      <Sheet x={96} y={40}>
        <path d="M14 30h84M14 30v-6m14 6v-6m14 6v-6m14 6v-6m14 6v-6m14 6v-6m14 6v-6M14 56h40M14 68h64M14 80h52" />
      </Sheet>
      <Sheet x={184} y={72}>
        <path d="M14 24h34v10H14zM40 44h34v10H40zM62 64h36v10H62zM14 14v72h86" />
      </Sheet>
      <Sheet x={272} y={104}>
        <path d="M14 22h26v16H14zM72 22h26v16H72zM43 62h26v16H43zM40 30h32M85 38v32H69M27 38v32h16" />
      </Sheet>
    </svg>
  );
}

function Sheet({ x, y, children }: { x: number; y: number; children: ReactNode }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect width="136" height="132" className="set-sheet" />
      <path d="M0 108h136M92 108v24" className="set-line" />
      <g className="set-mark" transform="translate(10 4)">
        {children}
      </g>
    </g>
  );
}
