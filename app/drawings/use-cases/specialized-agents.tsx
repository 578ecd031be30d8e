import { Dimension, Drawing, Label, Note } from "../pens.tsx";

/** Clearances of four subcontractors over one job; months count from 0 at March 1. */
const months = ["Mar", "Apr", "May", "Jun", "Jul", "Aug"] as const;
const trades = ["Framer", "Painter", "Drywaller", "Electrician"] as const;
const chartLeft = 122;
const monthWidth = 47;
const firstRowTop = 58;
const rowPitch = 54;
const barHeight = 28;
/** When the first clearances are 90 days old. */
const lapse = 2.65;
const height = 330;

/** Rounded: fractions would be invisible bytes. */
function monthX(month: number) {
  return Math.round(chartLeft + month * monthWidth);
}

function rowTop(row: number) {
  return firstRowTop + row * rowPitch;
}

const rowsEnd = rowTop(trades.length - 1) + barHeight;

type Stretch = readonly [row: number, from: number, to: number];

function Stretches({ className, all }: { className: string; all: readonly Stretch[] }) {
  const outlines = all.map(([row, from, to]) => {
    const left = monthX(from);
    return `M${left} ${rowTop(row)}H${monthX(to)}v${barHeight}H${left}z`;
  });
  return <path className={className} d={outlines.join("")} />;
}

function Trades() {
  return trades.map((trade, row) => <Note key={trade} x={14} y={rowTop(row) + 20} text={trade} />);
}

function MonthScale() {
  return (
    <g>
      {months.map((month, index) => (
        <Note key={month} x={monthX(index + 0.5)} y={34} textAnchor="middle" text={month} />
      ))}
      <path className="part-line" d={`M${monthX(0)} 44H${monthX(months.length)}`} />
    </g>
  );
}

function LapseLine() {
  return <path className="hidden-line" d={`M${monthX(lapse)} 44V${rowsEnd + 14}`} />;
}

function Time({ from, to, label }: { from: number; to: number; label: string }) {
  const ends = { from: monthX(from), to: monthX(to) };
  return <Dimension {...ends} at={rowsEnd + 24} reach={rowsEnd + 4} label={label} />;
}

export function ClearancesBefore() {
  const renewed = 3.9;
  return (
    <Drawing
      id="clearances-before"
      height={height}
      title="Four subcontractors’ WSIB clearances over one job, today"
      description="All clearances run out on the same day in May. The framer renews at once, the drywaller works three weeks without one, the electrician 38 days."
    >
      <MonthScale />
      <Trades />
      <Stretches
        className="solid-chalk"
        all={[
          [0, 0, 3.6],
          [1, 3.4, 5.9],
          [2, 2, lapse],
          [2, 3.35, 4.6],
          [3, 0.7, lapse],
          [3, renewed, 4.9],
        ]}
      />
      <Stretches
        className="solid-safety"
        all={[
          [2, lapse, 3.35],
          [3, lapse, renewed],
        ]}
      />
      <LapseLine />
      <Time from={lapse} to={renewed} label="38 days without cover" />
    </Drawing>
  );
}

export function ClearancesAfter() {
  const asked = 2.2;
  return (
    <Drawing
      id="clearances-after"
      height={height}
      title="The same clearances with an agent"
      description="Two weeks before that day, the agent asks each subcontractor for a new one. The framer and the drywaller send theirs. The electrician misses two requests, so a person calls him. No day goes without cover."
    >
      <MonthScale />
      <Trades />
      <Stretches
        className="solid-chalk"
        all={[
          [0, 0, 3.6],
          [1, 3.4, 5.9],
          [2, 2, 4.6],
          [3, 0.7, 4.9],
        ]}
      />
      <LapseLine />
      {[0, 2, 3].map((row) => (
        <circle
          key={row}
          className="solid-safety"
          cx={monthX(asked)}
          cy={rowTop(row) + barHeight / 2}
          r="7"
        />
      ))}
      <Label className="on-chalk" x={monthX(lapse) + 12} y={rowTop(3) + 19} text="you call" />
      <Time from={asked} to={lapse} label="asked 14 days before" />
    </Drawing>
  );
}
