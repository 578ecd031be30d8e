import { Dimension, Drawing, Note } from "../pens.tsx";
import { Ground, MissedCall, Phone, type Place, Truck } from "../scenery.tsx";

export { WideLeadIntake as LeadsAfter } from "../lead-intake.tsx";

export function LeadsBefore() {
  return (
    <Drawing
      id="leads-before"
      height={372}
      title="Lead intake today"
      description="A call missed at 7:40 PM goes to voicemail, becomes a note on the truck’s dash, and is returned at noon, 16 hours later. The caller has hired someone else."
    >
      <path className="route" d="M37 120v49h25M214 169h6v124M268 212v-20h109v-72" />
      <path className="hidden-line" d="M396 120v164" />
      <MissedCall x={20} y={64} />
      <Note x={64} y={88} text="Missed call" />
      <Note x={64} y={108} text="7:40 PM" />
      <Voicemail x={60} y={158} />
      <Note x={112} y={174} text="Voicemail" />
      <Ground y={346} width={420} />
      <Truck x={108} y={272} />
      <path className="part-line" d="m230 294 16-38" />
      <DashNote x={238} y={214} />
      <Note x={304} y={232} text="note on" />
      <Note x={304} y={251} text="the dash" />
      <circle className="part-line" cx="220" cy="304" r="13" />
      <CalledBack x={360} y={64} />
      <Note x={350} y={88} textAnchor="end" text="Call back" />
      <Note x={350} y={108} textAnchor="end" text="noon" />
      <LostHouse x={255} y={264} />
      <Dimension from={37} to={377} at={42} reach={58} label="16 hours" />
    </Drawing>
  );
}

/** The sign for a recorded message. */
function Voicemail({ x, y }: Place) {
  return (
    <path
      className="part"
      transform={`translate(${x} ${y})`}
      d="M2 11a9 9 0 1 1 18 0 9 9 0 1 1-18 0m20 0a9 9 0 1 1 18 0 9 9 0 1 1-18 0M11 20h20"
    />
  );
}

function DashNote({ x, y }: Place) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <path className="solid-safety" d="M0 0h56v42H0z" />
      <path
        className="part-line"
        d="M8 14c6-6 8 6 14 0s8 4 14 0 6 2 10-1M8 28c5-5 8 5 13 0s7 3 11 0"
      />
    </g>
  );
}

function CalledBack({ x, y }: Place) {
  return (
    <>
      <Phone x={x} y={y} />
      <path className="route" transform={`translate(${x} ${y})`} d="m10 42 14-16m-9 0h9v9" />
    </>
  );
}

/** The caller's house, 160 by 82, dashed: the lost job. */
function LostHouse({ x, y }: Place) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <path className="hidden-line" d="M0 34 80 0l80 34M8 31v51h144V31" />
      <Note x={80} y={50} textAnchor="middle" text="hired" />
      <Note x={80} y={69} textAnchor="middle" text="someone else" />
    </g>
  );
}
