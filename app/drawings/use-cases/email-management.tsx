import { Drawing, Label, Note } from "../pens.tsx";

const height = 628;
const sheetHeight = 36;
const urgent = "Leak, unit 904";
const onTop = [
  "Chair flyer",
  "Webinar tomorrow",
  "Re: Re: Fwd:",
  "Invoice, no HST",
  "Parking, again",
  "Your order shipped",
  "Following up",
  "Price increase",
];
const below = [
  "Elevator booking",
  "Visitor parking",
  "Draft minutes",
  "Permit conditions",
  "Parking, unit 7",
  "Status certificate",
  urgent,
];
/** Between them, where the drawing is broken. */
const gap = 28;
const floor = 24 + (onTop.length + below.length) * sheetHeight + gap;

export function EmailManagementBefore() {
  return (
    <Drawing
      id="email-management-before"
      height={height}
      title="Section through the inbox at seven in the morning"
      description="Eighty unread emails drawn as one pile of paper, cut open. From the top: a chair flyer, a webinar, a reply to a forwarded reply, an invoice without an HST number, parking; then a break in the drawing, more of the same, a request for a status certificate, and at the very bottom a leak in unit 904."
    >
      {[...onTop, ...below].map((label, index) => (
        <Sheet key={label} label={label} index={index} />
      ))}
      <path
        className="part-line"
        transform={`translate(0 ${24 + onTop.length * sheetHeight + gap / 2})`}
        d="M20-5h110l8-7 10 14 8-7h130M20 5h110l8-7 10 14 8-7h130"
      />
      <path className="part-line" d={`M10 ${floor}H320`} strokeWidth="2" />
      <path
        className="part-line"
        d={Array.from({ length: 15 }, (_, i) => `M${24 + i * 20} ${floor}l-12 14`).join("")}
      />
      <path className="dimension" d={`M300 24h48M296 ${floor}h52M338 24V${floor}`} />
      <path className="arrow" d={`m338 24-3.5 9h7zM338 ${floor}l-3.5-9h7z`} />
      <Note x={348} y={floor / 2} text="80" />
      <Note x={348} y={floor / 2 + 20} text="unread" />
    </Drawing>
  );
}

/** A sheet of the pile, a little askew. */
function Sheet({ label, index }: { label: string; index: number }) {
  const x = 20 + ((index * 7) % 5) * 5;
  const y = 24 + index * sheetHeight + (index < onTop.length ? 0 : gap);
  const pen = label === urgent ? "solid-safety" : "part";
  return (
    <g>
      <rect className={pen} x={x} y={y} width="256" height={sheetHeight} />
      <Label x={x + 14} y={y + 23} text={label} />
    </g>
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
const holeHeight = 190;

export function EmailManagementAfter() {
  return (
    <Drawing
      id="email-management-after"
      height={height}
      title="The same eighty emails, sorted"
      description="A rack of six pigeonholes with every email as a line, and a count on each: now, 2; to approve, 9; by address, 14; money, 6; suppliers, 11; to keep, 38. The first, with the leak in it, is marked as urgent."
    >
      {rack.map((hole, index) => (
        <Hole
          key={hole.label}
          {...hole}
          x={14 + (index % 2) * holeWidth}
          y={24 + Math.floor(index / 2) * holeHeight}
        />
      ))}
      <rect
        className="part-line"
        x="14"
        y="24"
        width="392"
        height={3 * holeHeight}
        strokeWidth="4"
      />
    </Drawing>
  );
}

function Hole({ label, count, urgent, x, y }: Pigeonhole & { x: number; y: number }) {
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
      <Label x={x + 16} y={y + 31} text={label} />
      <Label x={x + holeWidth - 16} y={y + 34} textAnchor="end" fontSize="24" text={count} />
      <path
        className="part-line"
        d={Array.from(
          { length: count },
          (_, i) => `M${x + 16 + (i % 3) * 3} ${floor - i * 3}h156`,
        ).join("")}
      />
    </g>
  );
}
