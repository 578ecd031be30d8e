import { Dimension, Drawing, Note, Part } from "../pens.tsx";

/** Both halves show the same month, so that the ruler measures the delay. */
const monthLeft = 24;
const dayWidth = 12.4;
const rulerTop = 344;
const height = 452;

const weekStarts = [1, 8, 15, 22, 29] as const;

function dayX(day: number) {
  return monthLeft + (day - 1) * dayWidth;
}

function MonthRuler() {
  const days = Array.from({ length: 31 }, (_, index) => index + 1);
  const isWeekStart = (day: number) => (day - 1) % 7 === 0;
  return (
    <g>
      <path
        className="part-line"
        d={`M${dayX(1)} ${rulerTop}H${dayX(31)}${days
          .map((day) => `M${dayX(day)} ${rulerTop}v${isWeekStart(day) ? 14 : 7}`)
          .join("")}`}
      />
      {weekStarts.map((day) => (
        <Note key={day} x={dayX(day)} y={rulerTop + 30} textAnchor="middle" text={day} />
      ))}
    </g>
  );
}

type SlipProps = {
  /** The day of the month at the slip's left edge. */
  day: number;
  y: number;
  width: number;
  label: string;
  tone?: "plain" | "chalk" | "safety";
};

const slipHeight = 40;

function Slip({ day, y, width, label, tone }: SlipProps) {
  const x = dayX(day);
  return (
    <g>
      <path className="part-line" d={`M${x} ${y + slipHeight}V${rulerTop}`} />
      <Part x={x} y={y} width={width} height={slipHeight} label={label} tone={tone} />
    </g>
  );
}

export function OperationsBefore() {
  return (
    <Drawing
      id="operations-before"
      height={height}
      title="One week’s hours today, over the days of a month"
      description="41.5 hours are texted from the site on the 5th, typed into a spreadsheet on the 8th and into payroll on the 11th, where they become 45.1. The pay is corrected on the 18th and the hours are typed once more for the invoice on the 24th. The same number is typed five times in 19 days."
    >
      <path
        className="route"
        d={`M${dayX(5) + 118} 64V78M${dayX(8) + 118} 118v14M${dayX(11) + 118} 172v14M${dayX(18) + 118} 226v14`}
      />
      <Slip day={5} y={24} width={148} label="Text 41.5 h" />
      <Slip day={8} y={78} width={148} label="Sheet 41.5 h" />
      <Slip day={11} y={132} width={170} label="Payroll 45.1 h" tone="safety" />
      <Slip day={18} y={186} width={148} label="Fixed 41.5 h" />
      <Slip day={24} y={240} width={100} label="Invoice" />
      <MonthRuler />
      <Dimension
        from={dayX(5)}
        to={dayX(24)}
        at={rulerTop + 46}
        reach={rulerTop + 36}
        label="typed 5 times in 19 days"
      />
    </Drawing>
  );
}

export function OperationsAfter() {
  const entry = dayX(5);
  const read = dayX(8);
  return (
    <Drawing
      id="operations-after"
      height={height}
      title="One week’s hours after automation, over the same month"
      description="41.5 hours are typed once, on site, on the 5th. On the 8th a person approves them, and payroll, job cost and invoice read the same entry that day. There is no typing for the rest of the month."
    >
      <path className="route" d={`M${read} 64V278M${read} 156h32M${read} 217h32M${read} 278h32`} />
      <path className="part-line" d={`M${entry} 64V${rulerTop}M${read} 280V${rulerTop}`} />
      <Part x={entry} y={24} width={194} height={slipHeight} label="On site 41.5 h" tone="chalk" />
      <circle className="solid-safety" cx={read} cy={100} r="8" />
      <Note x={read + 20} y={105} text="a person approves" />
      <Part x={read + 32} y={136} width={112} height={slipHeight} label="Payroll" />
      <Part x={read + 32} y={197} width={112} height={slipHeight} label="Job cost" />
      <Part x={read + 32} y={258} width={112} height={slipHeight} label="Invoice" />
      <Part
        x={dayX(22)}
        y={136}
        width={dayX(31) - dayX(22)}
        height={162}
        label={["nothing", "to type"]}
        tone="hidden"
      />
      <MonthRuler />
      <Dimension
        from={entry}
        to={read}
        at={rulerTop + 46}
        reach={rulerTop + 36}
        label="typed once"
      />
    </Drawing>
  );
}
