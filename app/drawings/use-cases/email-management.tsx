import { Drawing, Note } from "../pens.tsx";

const height = 340;
const sheetHeight = 36;

type Layer = { label: string; x: number; y: number; urgent?: boolean };

const pile: readonly Layer[] = [
  { label: "Chair flyer", x: 34, y: 24 },
  { label: "Webinar tomorrow", x: 22, y: 60 },
  { label: "Re: Re: Fwd:", x: 40, y: 96 },
  { label: "Invoice, no HST", x: 28, y: 132 },
  { label: "Price increase", x: 36, y: 196 },
  { label: "Status certificate", x: 20, y: 232 },
  { label: "Leak, unit 904", x: 30, y: 268, urgent: true },
];

export function EmailManagementBefore() {
  return (
    <Drawing
      id="email-management-before"
      height={height}
      title="Section through the inbox at seven in the morning"
      description="Eighty unread emails drawn as one pile of paper, cut open. From the top: a chair flyer, a webinar, a reply to a forwarded reply, an invoice without an HST number, then a break in the drawing, a price increase, a request for a status certificate, and at the very bottom a leak in unit 904."
    >
      {pile.map(({ label, x, y, urgent }) => (
        <g key={label}>
          <rect
            className={urgent ? "solid-safety" : "part"}
            x={x}
            y={y}
            width="256"
            height={sheetHeight}
          />
          <text x={x + 14} y={y + 23}>
            {label}
          </text>
        </g>
      ))}
      <path className="part-line" d="M20 177h110l8-7 10 14 8-7h130M20 187h110l8-7 10 14 8-7h130" />
      <path className="part-line" d="M10 304H320" strokeWidth="2" />
      <path
        className="part-line"
        d={Array.from({ length: 15 }, (_, i) => `M${24 + i * 20} 304l-12 14`).join("")}
      />
      <path className="dimension" d="M300 24h48M296 304h52M338 24v280" />
      <path className="arrow" d="m338 24-3.5 9h7zM338 304l-3.5-9h7z" />
      <Note x={348} y={160}>
        80
      </Note>
      <Note x={348} y={180}>
        unread
      </Note>
    </Drawing>
  );
}

type Pigeonhole = { label: string; count: number; urgent?: boolean };

const rack: readonly Pigeonhole[] = [
  { label: "Now", count: 2, urgent: true },
  { label: "To approve", count: 9 },
  { label: "By address", count: 14 },
  { label: "Money", count: 6 },
  { label: "Suppliers", count: 11 },
  { label: "To keep", count: 38 },
];

const holeWidth = 196;
const holeHeight = 94;

export function EmailManagementAfter() {
  return (
    <Drawing
      id="email-management-after"
      height={height}
      title="The same eighty emails, sorted"
      description="A rack of six pigeonholes with a count on each: now, 2; to approve, 9; by address, 14; money, 6; suppliers, 11; to keep, 38. The first, with the leak in it, is marked as urgent."
    >
      {rack.map((hole, index) => (
        <Hole
          key={hole.label}
          {...hole}
          x={14 + (index % 2) * holeWidth}
          y={24 + Math.floor(index / 2) * holeHeight}
        />
      ))}
      <rect className="part-line" x="14" y="24" width="392" height="282" strokeWidth="4" />
    </Drawing>
  );
}

function Hole({ label, count, urgent, x, y }: Pigeonhole & { x: number; y: number }) {
  const sheets = Math.ceil(count / 3);
  const floor = y + holeHeight - 8;
  return (
    <g>
      <rect
        className={urgent ? "solid-safety" : "part"}
        x={x}
        y={y}
        width={holeWidth}
        height={holeHeight}
      />
      <text x={x + 16} y={y + 31}>
        {label}
      </text>
      <text x={x + holeWidth - 16} y={y + 34} textAnchor="end" fontSize="24">
        {count}
      </text>
      <path
        className="part-line"
        d={Array.from(
          { length: sheets },
          (_, i) => `M${x + 16 + (i % 3) * 3} ${floor - i * 3}h156`,
        ).join("")}
      />
    </g>
  );
}
