import { inbox } from "#content/objects.ts";
import { emailManagement } from "#content/use-cases/email-management.ts";
import { Draw, Drawing, Label, Note, type Place } from "../drawings/pens.tsx";
import { Inbox } from "../objects/inbox.tsx";
import { metaOfUseCase, UseCasePage } from "../sections/use-case/use-case-page.tsx";

export const meta = metaOfUseCase(emailManagement);

export default function EmailManagementPage() {
  return (
    <UseCasePage
      useCase={emailManagement}
      before={<Before />}
      after={<After />}
      object={{ words: inbox, piece: <Inbox /> }}
    />
  );
}

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
const gap = 28;
const floor = 24 + (onTop.length + below.length) * sheetHeight + gap;

function Before() {
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
      <Draw
        y={24 + onTop.length * sheetHeight + gap / 2}
        line="M20-5h110l8-7 10 14 8-7h130M20 5h110l8-7 10 14 8-7h130"
      />
      <path className="part-line" d={`M10 ${floor}H320`} strokeWidth="2" />
      <Draw
        line={`M24 ${floor}${"l-12 14m32-14".repeat(15)}`}
        dimension={`M300 24h48M296 ${floor}h52M338 24V${floor}`}
        ink={`m338 24-3.5 9h7zM338 ${floor}l-3.5-9h7z`}
      />
      <Note x={348} y={floor / 2} text="80" />
      <Note x={348} y={floor / 2 + 20} text="unread" />
    </Drawing>
  );
}

function Sheet({ label, index }: { label: string; index: number }) {
  const x = 20 + ((index * 7) % 5) * 5;
  const y = 24 + index * sheetHeight + (index < onTop.length ? 0 : gap);
  const pen = label === urgent ? "safety" : "part";
  return (
    <g>
      <Draw x={x} y={y} {...{ [pen]: `M0 0h256v${sheetHeight}H0z` }} />
      <Label x={x + 14} y={y + 23} text={label} />
    </g>
  );
}

type Pigeonhole = { label: string; count: number; pen?: "part" | "safety" };

const rack: readonly Pigeonhole[] = [
  { label: "Now", count: 2, pen: "safety" },
  { label: "To approve", count: 9 },
  { label: "By address", count: 14 },
  { label: "Money", count: 6 },
  { label: "Suppliers", count: 11 },
  { label: "To keep", count: 38 },
];

const holeWidth = 196;
const holeHeight = 190;
const holeFloor = holeHeight - 8;

function After() {
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
      <path className="part-line" strokeWidth="4" d={`M14 24h392v${3 * holeHeight}H14z`} />
    </Drawing>
  );
}

function Hole({ label, count, pen = "part", x, y }: Pigeonhole & Place) {
  const letters = Array.from(
    { length: count },
    (_, i) => `M${16 + (i % 3) * 3} ${holeFloor - i * 3}h156`,
  );
  return (
    <g transform={`translate(${x} ${y})`}>
      <Draw {...{ [pen]: `M0 0h${holeWidth}v${holeHeight}H0z` }} line={letters.join("")} />
      <Label x="16" y="31" text={label} />
      <Label x={holeWidth - 16} y="34" textAnchor="end" fontSize="24" text={count} />
    </g>
  );
}
